package import Events
internal import Market
package import Rules

extension Rule {
    /// A `min`/`max` rule on `btcinr`, or on the given patterns.
    package static func band(
        _ name: String = "band", min: String? = nil, max: String? = nil, hysteresis: Distance? = nil,
        symbols: [String] = ["btcinr"], currency: String? = nil, severity: Severity = .warning
    ) throws -> Rule {
        Rule(
            name: name, symbols: symbols.compactMap(SymbolPattern.init),
            condition: .band(
                try Band(min: try min.map { try Price($0) }, max: try max.map { try Price($0) }, hysteresis: hysteresis)
            ),
            currency: currency.flatMap(Currency.init), severity: severity)
    }
}
