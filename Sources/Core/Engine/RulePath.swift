internal import Events
internal import ExchangeRates
internal import Market
internal import Time

/// The conversion from a market's currency to a rule's. A class, so that inputs share one instance, and the many
/// prices without a conversion carry only a pointer.
final class RulePath: Sendable {
    /// One rate of the path.
    struct Factor: Equatable, Sendable {
        let rate: Price
        /// True if the amount is divided by the rate.
        let isInverse: Bool
    }

    /// The product of all rates.
    let ratio: Ratio
    /// True if it uses a price of the exchange, which the next response may change.
    let usesMarket: Bool
    private let factors: [Factor]
    /// The currencies on the path, from the market's to the rule's.
    private let currencies: [Currency]
    /// The date of the reference rates; nil if none is used.
    private let date: CivilDate?
    /// The sources of the rates, in this order: the exchange, a peg, the publisher of the reference rates, the law
    /// that fixed a rate.
    private let sources: [String]
    /// The ratio of the opposite conversion.
    private let inverse: Ratio

    init(_ path: ConversionPath) {
        ratio = path.ratio
        inverse = path.ratio.inverse
        factors = path.steps.map { Factor(rate: $0.rate.rate, isInverse: $0.isInverse) }
        currencies = [path.from] + path.steps.map(\.to)
        date = path.date
        usesMarket = path.steps.contains { if case .market = $0.rate.basis { true } else { false } }
        let references = path.steps.compactMap { step in
            if case .reference(_, let source) = step.rate.basis { source } else { nil }
        }
        let laws = path.steps.compactMap { step in
            if case .fixed = step.rate.basis { step.rate.basis.description } else { nil }
        }
        sources =
            (usesMarket ? [Self.exchange] : []) + (path.restsOnPeg ? ["peg"] : []) + references.prefix(1) + laws
    }

    private init(_ factors: [Factor], currencies: [Currency], date: CivilDate?, sources: [String]) {
        (self.factors, self.currencies, self.date, self.sources) = (factors, currencies, date, sources)
        ratio = factors.reduce(.one) { $1.isInverse ? $0.divided(by: $1.rate) : $0.multiplied(by: $1.rate) }
        inverse = ratio.inverse
        usesMarket = sources.contains(Self.exchange)
    }

    private static let exchange = "exchange"

    /// Returns a range that contains the limit in the market's currency, in units of 10^-18. The limit is computed to
    /// twelve digits, and the range includes the rounding error.
    func units(of limit: Price) -> ClosedRange<Int128>? {
        guard let middle = try? inverse.convert(limit, digits: 12).0.units else { return nil }
        let margin = middle / 100_000_000_000 + 1
        return middle - margin...middle + margin
    }

    /// Returns the limit in the market's currency, rounded; nil if it does not fit.
    func marketPrice(of limit: Price) -> Price? {
        try? inverse.convert(limit, digits: ConversionPath.significantDigits).0
    }

    /// Returns the price in the rule's currency, rounded for display; nil if it does not fit.
    func shown(_ price: Price) -> Price? {
        guard !ratio.isOne else { return price }
        return try? ratio.convert(price, digits: ConversionPath.significantDigits).0
    }

    /// The conversion as events record it.
    var evidence: ConversionEvidence? {
        shown(.one).map {
            ConversionEvidence(
                rate: $0, date: date, source: sources.joined(separator: " + "),
                path: currencies.map(\.description).joined(separator: ">"))
        }
    }
}

extension RulePath: Equatable {
    static func == (left: RulePath, right: RulePath) -> Bool {
        left === right
            || (left.factors == right.factors && left.currencies == right.currencies && left.date == right.date
                && left.sources == right.sources)
    }
}

// MARK: Encoding

extension RulePath {
    /// The stored form, which ``init(encoded:)`` reads: `INR>EUR>SEK@/110*11@2026-11-20@European_Central_Bank`.
    var encoded: String {
        let rates = factors.map { "\($0.isInverse ? "/" : "*")\($0.rate)" }.joined()
        let sources = sources.map(Self.escaped).joined(separator: "+")
        let currencies = currencies.map(\.description).joined(separator: ">")
        return [currencies, rates, date.map { "\($0)" } ?? "", sources].joined(separator: "@")
    }

    /// Reads what ``encoded`` writes; nil for any other text.
    convenience init?(encoded: String) {
        let parts = encoded.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { return nil }
        let names = parts[0].split(separator: ">", omittingEmptySubsequences: false).map(String.init)
        let currencies = names.compactMap { Currency($0) }
        let date = CivilDate(parts[2])
        guard let factors = Self.factors(parts[1]), currencies.count == names.count,
            factors.count == names.count - 1, date != nil || parts[2].isEmpty
        else { return nil }
        let sources = parts[3].split(separator: "+").map { Self.unescaped(String($0)) }
        self.init(factors, currencies: currencies, date: date, sources: sources)
    }

    /// Escapes spaces and separators in the name of a source: `European_Central_Bank`.
    private static func escaped(_ name: String) -> String {
        name.map { character in escapes.first { $0.character == character }?.escape ?? String(character) }.joined()
    }

    private static func unescaped(_ text: String) -> String {
        var name = ""
        var rest = text[...]
        while let first = rest.first {
            let escape = escapes.first { rest.hasPrefix($0.escape) }
            name.append(escape?.character ?? first)
            rest = rest.dropFirst(escape?.escape.count ?? 1)
        }
        return name
    }

    private static let escapes: [(character: Character, escape: String)] = [
        ("%", "%25"), ("_", "%5F"), ("+", "%2B"), ("@", "%40"), ("=", "%3D"), (" ", "_"),
    ]

    private static func factors(_ text: String) -> [Factor]? {
        var factors: [Factor] = []
        var rest = text[...]
        while let sign = rest.popFirst() {
            let end = rest.firstIndex { "*/".contains($0) } ?? rest.endIndex
            guard "*/".contains(sign), let rate = try? Price(String(rest[..<end])), rate.isPositive else { return nil }
            factors.append(Factor(rate: rate, isInverse: sign == "/"))
            rest = rest[end...]
        }
        return factors
    }
}
