internal import Events
internal import Market
internal import Rules
internal import TestSupport
internal import Time

/// Markets in the settings whose prices are compared.
enum SimulatedChecks {
    /// Between none and three checks, most of which are the former ones.
    static func some(
        _ sources: [SourceName], former: [PriceCheck], _ random: inout SplitMix
    ) -> [PriceCheck] {
        (0..<Int.random(in: 0...3, using: &random)).compactMap { number in
            let isKept = Int.random(in: 0..<4, using: &random) > 0
            guard isKept, var old = former.first(where: { $0.name == "check \(number)" }),
                sources.contains(old.first.source), sources.contains(old.second.source)
            else { return check(number, sources, &random) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                old.severity = Severity.allCases.randomElement(using: &random) ?? .info
            }
            return old
        }
    }

    private static func check(
        _ number: Int, _ sources: [SourceName], _ random: inout SplitMix
    ) -> PriceCheck? {
        let markets = (0..<2).compactMap { _ -> PriceCheck.Market? in
            guard let source = sources.randomElement(using: &random),
                let symbol = SimulatedMarket.names.randomElement(using: &random).flatMap({ Symbol($0) })
            else { return nil }
            return PriceCheck.Market(symbol, of: source)
        }
        let percent = ["0.5", "3", "8.25", "20"].randomElement(using: &random) ?? "3"
        let hold: [Int64] = [0, 0, 30_000, 90_000, 300_000]
        guard markets.count == 2, markets[0] != markets[1], let within = try? Price(percent) else { return nil }
        return PriceCheck(
            name: "check \(number)", markets[0], markets[1], within: within,
            hold: Milliseconds(hold.randomElement(using: &random) ?? 0),
            severity: Severity.allCases.randomElement(using: &random) ?? .warning)
    }

    /// Its lines in the settings file.
    static func lines(_ check: PriceCheck) -> [String] {
        var lines = [
            "[[check]]", #"name = "\#(check.name)""#, #"symbols = ["\#(check.first)", "\#(check.second)"]"#,
            #"within = "\#(check.within)%""#, #"severity = "\#(check.severity.rawValue)""#,
        ]
        if check.hold > .zero { lines.append(#"for = "\#(check.hold.count)ms""#) }
        return lines
    }
}
