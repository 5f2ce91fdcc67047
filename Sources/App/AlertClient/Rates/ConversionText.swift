internal import Control
internal import ExchangeRates
internal import Market
internal import ReferenceRateFiles
internal import Time

/// The output of a conversion, for people and programs.
struct ConversionText {
    private let reply: ConvertReply
    private let formatter: HumanFormatter

    init(_ reply: ConvertReply, _ formatter: HumanFormatter) {
        (self.reply, self.formatter) = (reply, formatter)
    }

    /// The result with warnings, currency names and the rates used.
    var parts: [Part] {
        warnings + [.text(line, .strong)] + names + otherDate + steps.map { .text($0, .muted) } + basis
    }

    /// The rates used, in the order of the conversion path.
    var steps: [String] { reply.steps.map(text) }

    /// `1 000,00 kr ≈ ₹10,011.66`
    var line: String {
        Self.line((reply.amount, reply.from), (reply.result, reply.to), isExact: reply.exact, formatter) + marks
    }

    /// Formats the line of any conversion, without marks.
    static func line(
        _ from: (amount: String, currency: String), _ to: (amount: String, currency: String), isExact: Bool,
        _ formatter: HumanFormatter
    ) -> String {
        let full = money(to.amount, to.currency, formatter)
        let result = money(to.amount, to.currency, isSum: true, formatter)
        let sign = isExact && result == full ? "=" : formatter.hasUnicode ? "≈" : "~"
        return "\(money(from.amount, from.currency, formatter)) \(sign) \(result)"
    }

    /// `Swedish krona to Indian rupee`
    private var names: [Part] {
        let (from, to) = (currencyName(reply.from), currencyName(reply.to))
        guard from != nil || to != nil, reply.from != reply.to else { return [] }
        return [.text("\(from ?? reply.from) to \(to ?? reply.to)", .muted)]
    }

    /// The date of the rates used, if the requested date has no rates.
    private var otherDate: [Part] {
        guard let on = reply.on, let date = reply.date, on != date else { return [] }
        let weekday = CivilDate(on).map { ", a \($0.weekday)" } ?? ""
        return [.text("no rates on \(on)\(weekday); those of \(date) apply", .muted)]
    }

    /// `SEK → EUR → INR by official reference rates; updated 2h ago`
    private var basis: [Part] {
        var words: [String] = []
        for word in reply.steps.map(Self.words) where !words.contains(word) { words.append(word) }
        guard !words.isEmpty else { return [] }
        let path = reply.path.split(separator: ">").joined(separator: " → ")
        let updated = formatter.age(reply.fetched).map { "; updated \($0) ago" } ?? ""
        return [.text("\(path) by \(words.joined(separator: ", "))\(updated)", .muted)]
    }

    private static func words(_ step: RateStep) -> String {
        switch step.basis {
        case .reference where step.source == RateHistory.europeanCentralBank: "official reference rates"
        case .reference: "rates that are not official"
        case .fixed: "rates fixed by law"
        case .market: "the last price of a market"
        case .peg: "a declared peg"
        case .unknown(let word): word
        }
    }

    private var marks: String { Self.marks(isPegged: reply.pegged, isStale: reply.stale) }

    static func marks(isPegged: Bool, isStale: Bool) -> String {
        let marks = (isPegged ? [PriceDisplay.Mark.peg] : []) + (isStale ? [.stale] : [])
        return marks.map(\.rawValue).joined()
    }

    private func money(_ amount: String, _ code: String, isSum: Bool = false) -> String {
        Self.money(amount, code, isSum: isSum, formatter)
    }

    /// Formats an amount with all its digits or, if `isSum` is true, as a sum of money.
    static func money(
        _ amount: String, _ code: String, isSum: Bool = false, _ formatter: HumanFormatter
    ) -> String {
        guard let price = try? Price(amount), let currency = Currency(code) else { return "\(amount) \(code)" }
        let format = MoneyFormat(currency, hasUnicode: formatter.hasUnicode)
        return isSum ? format.sum(price) : format.text(price, isRounded: false)
    }

    private var warnings: [Part] {
        guard reply.stale else { return [] }
        let reason = reply.fetched == nil ? "" : "; 'alertctl rates' shows why"
        return [.text("\(PriceDisplay.Mark.stale.rawValue) STALE rates of \(reply.date ?? "?")\(reason)", .alarm)]
    }

    /// The fields for programs.
    var fields: [Field] {
        [
            Field("amount", .decimal(reply.amount)), Field("from", .text(reply.from)), Field("to", .text(reply.to)),
            Field("result", .decimal(reply.result)), Field("exact", .flag(reply.exact)),
            Field("date", .text(reply.date)), Field("stale", .flag(reply.stale)), Field("pegged", .flag(reply.pegged)),
            Field("on", .text(reply.on)), Field("official", .flag(reply.official)), Field("path", .text(reply.path)),
            Field("basis", .list(reply.steps.map(\.basis.rawValue))), Field("fetched", .time(reply.fetched)),
            Field("from_name", .text(currencyName(reply.from))), Field("to_name", .text(currencyName(reply.to))),
        ]
    }

    /// `1 EUR = 10,8920 kr (European Central Bank, 2026-04-13)`
    private func text(_ step: RateStep) -> String {
        let basis =
            switch step.basis {
            case .reference: [step.source, step.date].compactMap(\.self).joined(separator: ", ")
            case .fixed: "fixed since \(step.date ?? "?") by \(step.source ?? "?")"
            case .market: "last price of \(step.source ?? "?")"
            case .peg: "pegged in the settings"
            case .unknown(let word): word
            }
        let mark = step.basis == .peg ? "\(PriceDisplay.Mark.peg.rawValue) " : ""
        return "\(mark)1 \(step.base) = \(money(step.rate, step.quote)) (\(basis))"
    }
}

extension CivilDate {
    /// The English name of its day of the week.
    fileprivate var weekday: String {
        // 1970-01-01 was a Thursday.
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        return names[Int(daysSinceEpoch.floored(by: 7).remainder)]
    }
}
