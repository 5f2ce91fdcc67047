internal import Charts
internal import Control
internal import Events
internal import ExchangeRates
internal import Market

/// A formatter of prices for people: in the currency of their choice, in its usual notation, with marks on values that
/// need an explanation.
///
/// It records which rates it used for the ``banner``, so read the banner after formatting all prices of a report.
final class PriceDisplay {
    /// A mark after a value.
    enum Mark: String, CaseIterable {
        /// The conversion includes a peg.
        case peg = "*"
        /// The exchange rates are stale.
        case stale = "!"
        /// There is no conversion path; the price is in its own currency.
        case unconverted = "^"
    }

    /// Returns a display that shows each price in its own currency.
    static func own(hasUnicode: Bool) -> PriceDisplay { PriceDisplay(in: nil, by: .none, hasUnicode: hasUnicode) }

    /// The display currency; nil to show each price in its own currency.
    let currency: Currency?
    /// True if values for programs are converted too, not only texts for people.
    let convertsForPrograms: Bool
    private let rates: DisplayRates
    private let hasUnicode: Bool
    /// The route for each source currency used so far; nil if there is no conversion path.
    private var routes: [Currency: Route?] = [:]
    /// True while amounts are formatted with all digits.
    private var isExact = false
    /// The format of amounts in ``currency``.
    private let shownFormat: MoneyFormat?
    /// The last source currency, cached because a row has many prices in one currency.
    private var last: Origin?

    /// - Parameters:
    ///   - currency: The display currency; nil to show each price in its own currency.
    ///   - rates: The exchange rates.
    ///   - convertsForPrograms: True if values for programs are converted too, not only texts for people.
    ///   - hasUnicode: True if characters beyond ASCII can be shown.
    init(in currency: Currency?, by rates: DisplayRates, convertsForPrograms: Bool = false, hasUnicode: Bool) {
        self.currency = currency
        self.rates = rates
        self.convertsForPrograms = convertsForPrograms
        self.hasUnicode = hasUnicode
        shownFormat = currency.map { MoneyFormat($0, hasUnicode: hasUnicode) }
    }

    /// Formats a price, or the two prices of a range such as `120..135`, as a cell.
    ///
    /// - Parameters:
    ///   - price: A decimal number from the daemon, or nil.
    ///   - own: The price's currency, in upper or lower case; nil if unknown.
    ///   - emphasis: The meaning of the price for the reader.
    /// - Returns: The cell. A price that cannot be parsed, or whose currency is unknown, is shown unchanged.
    func cell(_ price: String?, in own: String?, _ emphasis: Emphasis = .none) -> Cell {
        guard let price else { return Cell(.missing) }
        guard let limit = LimitValue(price), let own, let origin = origin(own) else {
            return Cell(.decimal(price), emphasis)
        }
        switch limit {
        case .price(let number): return cell(price, show(number, in: origin), emphasis)
        case .range(let low, let high):
            let (first, last) = (show(low, in: origin), show(high, in: origin))
            var cell = cell(price, first, emphasis)
            cell.human = "\(first.text)..\(last.text)"
            if convertsForPrograms { cell.value = .decimal("\(first.value)..\(last.value)") }
            return cell
        }
    }

    /// Formats a price that is already parsed as a cell.
    func cell(_ price: Price?, in own: String?) -> Cell {
        guard let price else { return Cell(.missing) }
        guard let own, let origin = origin(own) else { return Cell(.decimal(price.description)) }
        return cell(price.description, show(price, in: origin), .none)
    }

    private func cell(_ text: String, _ shown: Shown, _ emphasis: Emphasis) -> Cell {
        var cell = Cell(.decimal(convertsForPrograms ? shown.value : text), human: shown.text, emphasis)
        // An unconverted price cannot be ordered among the converted ones.
        if currency != nil { cell.order = shown.isConverted ? .number(shown.price) : .missing }
        cell.mark = shown.mark
        return cell
    }

    /// Formats a price and its limit as cells. They are not rounded if rounding would make different amounts look
    /// equal.
    func cells(price: String?, limit: String?, in own: String?) -> (price: Cell, limit: Cell) {
        let rounded = (price: cell(price, in: own), limit: cell(limit, in: own))
        guard let price, let limit, rounded.price.human == rounded.limit.human, let first = try? Price(price),
            let second = try? Price(limit), first != second
        else { return rounded }
        isExact = true
        defer { isExact = false }
        return (cell(price, in: own), cell(limit, in: own))
    }

    /// Formats a price as text for people, with its marks.
    func text(_ price: String?, in own: String?) -> String? {
        let cell = cell(price, in: own)
        return cell.human.map { $0 + cell.mark } ?? price
    }

    /// Returns the converted price to append to a text with the price in its own currency: ` ($80,498.93)`; empty if
    /// its own currency is the display currency.
    func aside(_ price: String?, in own: String?) -> String {
        guard let currency, let price = price.flatMap({ try? Price($0) }), let own, let origin = origin(own),
            origin.currency != currency
        else { return "" }
        let shown = show(price, in: origin)
        return origin.route == nil ? shown.mark : " (\(shown.text)\(shown.mark))"
    }

    /// Formats an amount in its own currency, followed by the converted amount: `₹75,13,000.50 ($80,498.93)`. An
    /// amount that cannot be converted is written as in a table: `7,513,000.50 INR^`.
    func fullText(_ amount: String, in own: String?) -> String {
        if isUnconvertible(own) { return text(amount, in: own) ?? amount }
        return ownText(amount, in: own) + aside(amount, in: own)
    }

    /// Formats an amount in its own currency. Among converted amounts, one that cannot be converted has the number
    /// style of those: `7,513,000.50 INR`.
    func ownText(_ amount: String, in own: String?) -> String {
        if isUnconvertible(own) { return cell(amount, in: own).human ?? amount }
        return PriceDisplay.own(hasUnicode: hasUnicode).text(amount, in: own) ?? amount
    }

    /// True if prices in this currency should be converted, but there is no conversion path.
    private func isUnconvertible(_ own: String?) -> Bool {
        guard let currency, let own, let origin = origin(own) else { return false }
        return origin.currency != currency && origin.route == nil
    }

    /// Clears the record of used rates, for callers that do not show the prices formatted so far.
    func forgetUses() {
        routes = [:]
        last = nil
    }

    /// Returns the currency in which a chart shows prices in `own`, and the conversion factor; nil if `own` is not a
    /// currency.
    func scale(of own: String?) -> (currency: Currency, factor: Double, isRounded: Bool)? {
        guard let own, let origin = origin(own) else { return nil }
        guard let currency, currency != origin.currency, let route = origin.route,
            let one = try? route.path.convert(.one)
        else { return (origin.currency, 1, false) }
        return (currency, one.result.amount.approximate, true)
    }

    /// Returns the unit of a chart of prices in `own`, so that the chart writes them as tables do.
    func unit(of own: String?) -> ChartUnit {
        guard let scale = scale(of: own) else { return .plain }
        guard let currency, isUnconvertible(own) else {
            return .money(scale.currency, isConverted: scale.isRounded)
        }
        return .unconverted(scale.currency, among: currency, mark: Mark.unconverted.rawValue)
    }

    /// Returns the code of the currency in which programs get prices in `own`.
    func name(of own: String?) -> String? {
        guard let own, let source = Currency(own) else { return own }
        guard convertsForPrograms, let currency, route(from: source) != nil else { return "\(source)" }
        return "\(currency)"
    }

    private struct Shown {
        var price: Price
        var text: String
        var mark: String
        var isConverted = true

        var value: String { "\(price)" }
    }

    private func show(_ price: Price, in origin: Origin) -> Shown {
        guard let currency, let shownFormat, currency != origin.currency else {
            return Shown(
                price: price, text: (shownFormat ?? origin.format).text(price, isRounded: !isExact), mark: "")
        }
        guard let route = origin.route, let conversion = try? route.path.convert(price) else {
            let mark = Mark.unconverted.rawValue
            return Shown(
                price: price, text: origin.format.text(price, isRounded: !isExact), mark: mark, isConverted: false)
        }
        let result = conversion.result.amount
        return Shown(price: result, text: shownFormat.text(result, isRounded: !isExact), mark: route.mark)
    }

    private func text(_ price: Price, _ currency: Currency) -> String {
        moneyText(price, currency, isRounded: false, hasUnicode: hasUnicode)
    }

    /// A source currency. This is a class so that reading ``last`` for each of thousands of prices copies only a
    /// reference.
    private final class Origin {
        /// The code as the daemon writes it.
        let name: String
        let currency: Currency
        let format: MoneyFormat
        /// Nil if there is no conversion path, or nothing to convert.
        let route: Route?

        init(name: String, currency: Currency, format: MoneyFormat, route: Route?) {
            (self.name, self.currency, self.format, self.route) = (name, currency, format, route)
        }
    }

    /// Returns the source currency with this code; nil if it is not a valid code.
    private func origin(_ name: String) -> Origin? {
        if let last, last.name == name { return last }
        guard let own = Currency(name) else { return nil }
        let route = own == currency ? nil : route(from: own)
        // In a column of amounts in one currency, amounts in other currencies are shown with their codes.
        let format =
            currency.map { MoneyFormat(own, among: $0, hasUnicode: hasUnicode) }
            ?? MoneyFormat(own, hasUnicode: hasUnicode)
        let origin = Origin(name: name, currency: own, format: format, route: route)
        last = origin
        return origin
    }

    /// A conversion path, and the mark on each price converted along it.
    private struct Route {
        var path: ConversionPath
        var mark: String
    }

    private func route(from own: Currency) -> Route? {
        guard let currency else { return nil }
        if let known = routes[own] { return known }
        let route = (try? rates.converter.path(from: own, to: currency)).map { path in
            let marks: [Mark] = (path.restsOnPeg ? [.peg] : []) + (path.date != nil && rates.isStale ? [.stale] : [])
            return Route(path: path, mark: marks.map(\.rawValue).joined())
        }
        routes[own] = .some(route)
        return route
    }
}

// MARK: Explanations

extension PriceDisplay {
    /// The display currency and the rates that were used, for people; empty if each price is in its own currency.
    var banner: [Part] {
        guard let currency else { return [] }
        let used = routes.keys.sorted().filter { $0 != currency }.map { ($0, routes[$0].flatMap(\.self)?.path) }
        let found = used.compactMap(\.1)
        var clauses = ["Prices in \(currency)"] + rateText(found)
        clauses += Set(
            found.flatMap(\.steps).map(\.rate).filter { $0.basis == .peg }.map { "\($0.base) counts as \($0.quote)" }
        )
        .sorted().map { "\(Mark.peg.rawValue) \($0)" }
        var parts = [Part.text(clauses.joined(separator: "; "), .muted)]
        if rates.isStale, let date = found.compactMap(\.date).first {
            let age = rates.ageDays.map { ", \(counted($0, "day")) old" } ?? ""
            parts.append(
                .text(
                    "\(Mark.stale.rawValue) STALE exchange rates of \(date)\(age); 'alertctl rates' shows why", .alarm))
        }
        let missing = used.filter { $0.1 == nil }.map { "\($0.0)" }
        if !missing.isEmpty {
            let names = missing.joined(separator: ", ")
            let clauses = "\(Mark.unconverted.rawValue) not converted: no conversion path from \(names) to \(currency)"
            parts.append(.text("\(clauses); 'alertctl rates' shows the available rates", .alarm))
        }
        return parts
    }

    /// The display currency and the rates that were used, for programs.
    var metadata: [Field] {
        guard convertsForPrograms, let currency else { return [] }
        let found = routes.values.compactMap(\.?.path)
        return [
            Field("display_currency", .text("\(currency)")),
            Field("rates_date", .text(found.compactMap(\.date).first.map { "\($0)" })),
            Field("rates_stale", .flag(rates.isStale && found.contains { $0.date != nil })),
            Field("pegged", .flag(found.contains(where: \.restsOnPeg))),
        ]
    }

    /// Returns `1 USD = ₹93.3302 (European Central Bank, 2026-11-20)` for each converted currency; for a coin, the
    /// price of its market.
    private func rateText(_ paths: [ConversionPath]) -> [String] {
        let rates = paths.flatMap(\.steps).map(\.rate)
        let references = rates.filter(\.isReference)
        let direct = Set(references.map(\.quote)).sorted().compactMap(referenceText)
        let source = references.first.map { " (\($0.basis))" } ?? ""
        let markets = Set(rates.filter(\.isMarket)).sorted { $0.base < $1.base }.map { rate in
            "1 \(rate.base) = \(text(rate.rate, rate.quote)) (\(rate.basis))"
        }
        let fixed = Set(rates.filter(\.isFixed)).sorted { $0.quote < $1.quote }.map { rate in
            "1 \(rate.base) = \(text(rate.rate, rate.quote)) (\(rate.basis))"
        }
        return (direct.isEmpty ? [] : [direct.joined(separator: ", ") + source]) + fixed + markets
    }

    /// Formats the value of one unit of the display currency, or of one euro if the display currency is a coin, in
    /// another currency.
    private func referenceText(_ other: Currency) -> String? {
        let direct = currency.flatMap { try? rates.converter.path(from: $0, to: other) }
        let path = direct.flatMap { $0.usesMarket ? nil : $0 } ?? (try? rates.converter.path(from: .euro, to: other))
        guard let path, path.from != other, let rate = try? path.convert(.one).result.amount else { return nil }
        return "1 \(path.from) = \(text(rate.roundedForReading(digits: 6), other))"
    }
}

extension ExchangeRate {
    fileprivate var isReference: Bool { if case .reference = basis { true } else { false } }
    fileprivate var isFixed: Bool { if case .fixed = basis { true } else { false } }
    fileprivate var isMarket: Bool { if case .market = basis { true } else { false } }
}

extension ConversionPath {
    fileprivate var usesMarket: Bool { steps.contains { $0.rate.isMarket } }
}
