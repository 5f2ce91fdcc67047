internal import Control
internal import Market

/// A conversion for people and for programs.
struct ConversionText {
    private let reply: ConvertReply
    private let formatter: HumanFormatter

    init(_ reply: ConvertReply, _ formatter: HumanFormatter) {
        (self.reply, self.formatter) = (reply, formatter)
    }

    /// The result with its evidence.
    var parts: [Part] {
        warnings + [.text(line, .strong)] + names + steps.map { .text($0, .muted) }
    }

    /// The rates of the path, one after the other.
    var steps: [String] { reply.steps.map(text) }

    /// `1 000,00 kr ≈ ₹10,011.66`
    var line: String {
        Self.line((reply.amount, reply.from), (reply.result, reply.to), isExact: reply.exact, formatter) + marks
    }

    /// The same of any conversion, without marks.
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
        let stale =
            reply.stale
            ? "\(PriceDisplay.Mark.stale.rawValue) STALE rates of \(reply.date ?? "?"); 'alertctl rates' shows why"
            : nil
        return stale.map { [.text($0, .alarm)] } ?? []
    }

    /// The fields for programs.
    var fields: [Field] {
        [
            Field("amount", .decimal(reply.amount)), Field("from", .text(reply.from)), Field("to", .text(reply.to)),
            Field("result", .decimal(reply.result)), Field("exact", .flag(reply.exact)),
            Field("date", .text(reply.date)), Field("stale", .flag(reply.stale)), Field("pegged", .flag(reply.pegged)),
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
