internal import Control
internal import Events
internal import ExchangeRates
internal import Market

/// Prices as people read them: in the currency that they chose, written as people there write it, and marked where a
/// value rests on something that they must know of.
///
/// It remembers what it converted by, so that ``banner`` can say it: to be asked when all prices of a report are made.
final class PriceDisplay {
    /// What a value rests on, by the mark behind it.
    enum Mark: String, CaseIterable {
        case peg = "*"
        case stale = "!"
        case unconverted = "^"
    }

    /// Each price in its own currency.
    static func own(hasUnicode: Bool) -> PriceDisplay { PriceDisplay(in: nil, by: .none, hasUnicode: hasUnicode) }

    /// What prices are shown in; nil for the currency of each.
    let currency: Currency?
    /// Whether programs get converted prices too.
    let convertsForPrograms: Bool
    private let rates: DisplayRates
    private let hasUnicode: Bool
    /// By the currency that is converted from; nil where there is no way.
    private var paths: [Currency: ConversionPath?] = [:]

    /// - Parameters:
    ///   - currency: What prices are shown in; nil for the currency of each.
    ///   - rates: What they are converted by.
    ///   - convertsForPrograms: Whether values change as well, not only their texts for people.
    ///   - hasUnicode: Whether characters beyond ASCII can be shown.
    init(in currency: Currency?, by rates: DisplayRates, convertsForPrograms: Bool = false, hasUnicode: Bool) {
        self.currency = currency
        self.rates = rates
        self.convertsForPrograms = convertsForPrograms
        self.hasUnicode = hasUnicode
    }

    /// A cell with a price, or with two of a range such as `120..135`.
    ///
    /// - Parameters:
    ///   - price: A decimal number, as the daemon gives it; nil for none.
    ///   - own: The currency that it is in, in either case; nil where that is not known.
    ///   - emphasis: What it means for the reader.
    /// - Returns: The cell; a price that cannot be read, or is in a currency that is not known, stays as it is.
    func cell(_ price: String?, in own: String?, _ emphasis: Emphasis = .none) -> Cell {
        guard let price else { return Cell(.missing) }
        guard let limit = LimitValue(price), let own = own.flatMap({ Currency($0) }) else {
            return Cell(.decimal(price), emphasis)
        }
        let shown = limit.prices.map { show($0, in: own) }
        var cell = Cell(.decimal(price), human: shown.map(\.text).joined(separator: ".."), emphasis)
        if convertsForPrograms { cell.value = .decimal(shown.map(\.value).joined(separator: "..")) }
        // What could not be converted compares with nothing.
        if currency != nil { cell.order = shown.first.map { $0.isConverted ? .decimal($0.value) : .missing } }
        cell.mark = shown.first?.mark ?? ""
        return cell
    }

    /// A price as a text for people, its mark behind it.
    func text(_ price: String?, in own: String?) -> String? {
        let cell = cell(price, in: own)
        return cell.human.map { $0 + cell.mark } ?? price
    }

    /// What is put behind a text that names the price in its own currency already: ` ($80,498.93)`; nothing where
    /// that is what is shown anyway.
    func aside(_ price: String?, in own: String?) -> String {
        guard let currency, let price = price.flatMap({ try? Price($0) }), let own = own.flatMap({ Currency($0) }),
            own != currency
        else { return "" }
        let shown = show(price, in: own)
        return path(from: own) == nil ? shown.mark : " (\(shown.text)\(shown.mark))"
    }

    /// Forgets what was converted until now: what is shown comes next.
    func forgetUses() {
        paths = [:]
    }

    /// What programs get prices of the currency in: the currency itself, unless they get them converted.
    func name(of own: String?) -> String? {
        guard let own, let source = Currency(own) else { return own }
        guard convertsForPrograms, let currency, path(from: source) != nil else { return "\(source)" }
        return "\(currency)"
    }

    private struct Shown {
        var value: String
        var text: String
        var mark: String
        var isConverted = true
    }

    private func show(_ price: Price, in own: Currency) -> Shown {
        guard let currency, currency != own else {
            return Shown(value: "\(price)", text: text(price, own, isRounded: false), mark: "")
        }
        guard let path = path(from: own), let conversion = try? path.convert(price) else {
            let mark = Mark.unconverted.rawValue
            return Shown(
                value: "\(price)", text: text(price, own, isRounded: false), mark: mark, isConverted: false)
        }
        let result = conversion.result.amount
        return Shown(
            value: "\(result)", text: text(result, currency, isRounded: path.date != nil || path.usesMarket),
            mark: marks(of: path).map(\.rawValue).joined())
    }

    private func text(_ price: Price, _ currency: Currency, isRounded: Bool) -> String {
        moneyText(price, currency, isRounded: isRounded, hasUnicode: hasUnicode)
    }

    private func marks(of path: ConversionPath) -> [Mark] {
        (path.restsOnPeg ? [.peg] : []) + (path.date != nil && rates.isStale ? [.stale] : [])
    }

    private func path(from own: Currency) -> ConversionPath? {
        guard let currency else { return nil }
        if let known = paths[own] { return known }
        let path = try? rates.converter.path(from: own, to: currency)
        paths[own] = .some(path)
        return path
    }
}

// What people are notified.
extension PriceDisplay {
    /// Names the currency, and the rates that the prices until now were converted by; empty where each price is in its
    /// own.
    var banner: [Part] {
        guard let currency else { return [] }
        let used = paths.keys.sorted().filter { $0 != currency }.map { ($0, paths[$0] ?? nil) }
        let found = used.compactMap(\.1)
        var words = ["Prices in \(currency)"] + rateWords(found)
        words += Set(
            found.flatMap(\.steps).map(\.rate).filter { $0.basis == .peg }.map { "\($0.base) counts as \($0.quote)" }
        )
        .sorted().map { "\(Mark.peg.rawValue) \($0)" }
        var parts = [Part.words(words.joined(separator: "; "), .muted)]
        if rates.isStale, let date = found.compactMap(\.date).first {
            let age = rates.ageDays.map { ", \(counted($0, "day")) old" } ?? ""
            parts.append(
                .words(
                    "\(Mark.stale.rawValue) STALE exchange rates of \(date)\(age): 'alertctl rates' tells why", .alarm))
        }
        let missing = used.filter { $0.1 == nil }.map { "\($0.0)" }
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            let words = "\(Mark.unconverted.rawValue) not converted: no way from \(names) to \(currency)"
            parts.append(.words("\(words); 'alertctl rates' shows what there is", .alarm))
        }
        return parts
    }

    /// For programs: what prices are in, and what they were converted by.
    var metadata: [Field] {
        guard convertsForPrograms, let currency else { return [] }
        let found = paths.values.compactMap(\.self)
        return [
            Field("display_currency", .text("\(currency)")),
            Field("rates_date", .text(found.compactMap(\.date).first.map { "\($0)" })),
            Field("rates_stale", .flag(rates.isStale && found.contains { $0.date != nil })),
            Field("pegged", .flag(found.contains(where: \.restsOnPeg))),
        ]
    }

    /// `1 USD = ₹93.3302 (European Central Bank, 2026-11-20)`, for each currency that was converted; coins by the price
    /// of their market.
    private func rateWords(_ paths: [ConversionPath]) -> [String] {
        let rates = paths.flatMap(\.steps).map(\.rate)
        let references = rates.filter(\.isReference)
        let direct = Set(references.map(\.quote)).sorted().compactMap(referenceWords)
        let source = references.first.map { " (\($0.basis))" } ?? ""
        let markets = Set(rates.filter(\.isMarket)).sorted { $0.base < $1.base }.map { rate in
            "1 \(rate.base) = \(text(rate.rate, rate.quote, isRounded: false)) (\(rate.basis))"
        }
        return (direct.isEmpty ? [] : [direct.joined(separator: ", ") + source]) + markets
    }

    /// How much of another currency one of that which is shown is, or one euro where that is a coin.
    private func referenceWords(_ other: Currency) -> String? {
        let direct = currency.flatMap { try? rates.converter.path(from: $0, to: other) }
        let path = direct.flatMap { $0.usesMarket ? nil : $0 } ?? (try? rates.converter.path(from: .euro, to: other))
        guard let path, path.from != other, let rate = try? path.convert(.one).result.amount else { return nil }
        return "1 \(path.from) = \(text(rate.roundedForReading(digits: 6), other, isRounded: false))"
    }
}

extension ExchangeRate {
    fileprivate var isReference: Bool { if case .reference = basis { true } else { false } }
    fileprivate var isMarket: Bool { if case .market = basis { true } else { false } }
}

extension ConversionPath {
    fileprivate var usesMarket: Bool { steps.contains { $0.rate.isMarket } }
}
