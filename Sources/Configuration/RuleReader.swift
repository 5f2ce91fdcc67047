internal import Diagnostics
internal import Market
internal import Rules

/// Reads `[[rule]]` tables of all files into one list with unique names.
struct RuleReader {
    /// 10,000 rules on 450 symbols are 4.5 million alerts: more than a poll of 10 s should have to look at.
    static let maximumCount = 10_000

    private(set) var rules: [Rule] = []
    /// Where each of ``rules`` begins.
    private(set) var positions: [SourcePosition] = []
    private var placesByName: [String: SourcePosition] = [:]
    private var count = 0

    init() {}

    /// Reads the value of a file's `rule` key.
    mutating func read(_ entry: TOMLEntry, in context: FileContext) {
        var elements = [entry.node]
        if case .array(let list) = entry.node.value { elements = list } else { context.wrongShape(entry, of: .rule) }
        for element in elements {
            guard case .table(let entries) = element.value else {
                guard case .array = entry.node.value else { return }
                context.error(
                    element.position, "a rule must be a table, but is \(element.value.kindName)",
                    advice: "write [[rule]] on a line of its own and its keys below")
                continue
            }
            count += 1
            guard count <= Self.maximumCount else {
                context.error(
                    element.position, "more than \(Self.maximumCount) rules", advice: "use patterns such as \"*inr\"")
                return
            }
            append(RuleTable(TableReader(entries, of: .rule, in: context), begin: element.position))
        }
    }

    private mutating func append(_ table: RuleTable) {
        guard let rule = table.rule() else { return }
        let place = table.reader.context.position(table.begin)
        if let first = placesByName[rule.name] {
            let isMade = table.reader.node("name") == nil
            table.reader.context.error(
                table.reader.node("name")?.position ?? table.begin,
                "a rule named \"\(rule.name)\" stands at \(first.file):\(first.line) already",
                advice: isMade ? "give this one a `name` of its own" : "rename one of them")
            return
        }
        placesByName[rule.name] = place
        rules.append(rule)
        positions.append(place)
    }
}

/// One `[[rule]]` table.
private struct RuleTable {
    /// Names are shown and stored with every event; 128 bytes fit a line.
    private static let longestName = 128
    /// More patterns than the exchange has symbols serve nobody.
    private static let maximumPatternCount = 1_000

    let reader: TableReader
    let begin: TextPosition

    init(_ reader: TableReader, begin: TextPosition) {
        self.reader = reader
        self.begin = begin
    }

    /// The rule, or nil when something that it cannot do without is missing or faulty, which is then a finding.
    func rule() -> Rule? {
        let symbols = symbols()
        let currency = currency()
        let severity = reader.choice("severity", of: Severity.self)
        let band = band()
        let name = name()
        guard let first = symbols.first, let band else { return nil }
        guard let name = name ?? (reader.node("name") == nil ? Self.madeName(first, band) : nil) else { return nil }
        return Rule(
            name: name, symbols: symbols, condition: .band(band), currency: currency, severity: severity ?? .warning)
    }

    /// A rule without a name is called after its symbol and condition.
    private static func madeName(_ symbol: SymbolPattern, _ band: Band) -> String {
        let bounds = [band.min.map { _ in "min" }, band.max.map { _ in "max" }].compactMap(\.self)
        return ([symbol.text] + bounds).joined(separator: " ")
    }

    private func name() -> String? {
        guard let name = reader.text("name", example: "\"btc band\"") else { return nil }
        guard name.value.utf8.count <= Self.longestName else {
            reader.context.error(
                name.position, "`name` is longer than \(Self.longestName) bytes", advice: "use a shorter one")
            return nil
        }
        return name.value
    }

    private func currency() -> Currency? {
        guard let text = reader.text("currency", example: "\"INR\"") else { return nil }
        guard let currency = Currency(text.value) else {
            reader.context.error(
                text.position, "`currency` is \"\(text.value)\", which is no currency",
                advice: "write its letters, such as \"INR\" or \"USDT\"")
            return nil
        }
        return currency
    }

    /// The patterns that are good; empty when there is none.
    private func symbols() -> [SymbolPattern] {
        guard let node = reader.node("symbol") else {
            reader.context.error(begin, "a rule without `symbol`", advice: "add one, such as symbol = \"btcinr\"")
            return []
        }
        guard case .array(let elements) = node.value else { return [symbol(node)].compactMap(\.self) }
        guard (1...Self.maximumPatternCount).contains(elements.count) else {
            let fault = elements.isEmpty ? "is an empty list" : "lists more than \(Self.maximumPatternCount) symbols"
            reader.context.error(
                node.position, "`symbol` \(fault)", advice: "use patterns; \"*\" stands for all symbols")
            return []
        }
        return elements.compactMap(symbol)
    }

    private func symbol(_ node: TOMLNode) -> SymbolPattern? {
        guard case .string(let text) = node.value else {
            reader.wrongType("symbol", node, .texts, advice: "write it in quotes: \"btcinr\"")
            return nil
        }
        guard let pattern = SymbolPattern(text) else {
            let kept = String(text.lowercased().filter { !"/-_: ".contains($0) })
            let advice =
                SymbolPattern(kept).map { "write it as \"\($0.text)\"" }
                ?? "use a–z, 0–9 and *, such as \"btcinr\" or \"*usdt\""
            reader.context.error(node.position, "\"\(text)\" is no symbol", advice: advice)
            return nil
        }
        return pattern
    }
}

// The condition.
extension RuleTable {
    private func band() -> Band? {
        let min = limit("min")
        let max = limit("max")
        let hysteresis = reader.hysteresis("hysteresis")
        let isComplete = ["min", "max", "hysteresis"].allSatisfy { key in
            reader.node(key) == nil
                || ["min": min != nil, "max": max != nil, "hysteresis": hysteresis != nil][key] == true
        }
        if reader.node("min") == nil, reader.node("max") == nil {
            reportNoCondition()
            return nil
        }
        guard isComplete else { return nil }
        do throws(BandError) {
            return try Band(min: min?.value, max: max?.value, hysteresis: hysteresis?.value)
        } catch {
            report(error)
            return nil
        }
    }

    /// A limit that is greater than 0.
    private func limit(_ key: String) -> Located<Price>? {
        guard let limit = reader.amount(key) else { return nil }
        guard limit.value.isPositive else {
            reader.context.error(
                limit.position, "`\(key)` is \(limit.value), and limits are greater than 0",
                advice: "use a greater number")
            return nil
        }
        return limit
    }

    private func reportNoCondition() {
        if let hysteresis = reader.node("hysteresis") {
            reader.context.error(
                hysteresis.position, "`hysteresis` without a limit", advice: "add `min`, `max` or both to the rule")
        } else {
            reader.context.error(begin, "a rule without a condition", advice: "add `min`, `max` or both")
        }
    }

    private func report(_ error: BandError) {
        let min = reader.node("min")?.position ?? begin
        let max = reader.node("max")?.position ?? begin
        let hysteresis = reader.node("hysteresis")?.position ?? begin
        switch error {
        case .noLimit: reportNoCondition()
        case .notPositive(let bound):
            reader.context.error(
                bound == .min ? min : max, "`\(bound.rawValue)` is not greater than 0", advice: "use a greater number")
        case .minNotBelowMax:
            reader.context.error(Swift.max(min, max), "`min` is not below `max`", advice: "swap them, or mend one")
        case .negativeHysteresis:
            reader.context.error(hysteresis, "`hysteresis` is negative", advice: "use 0 or more")
        case .hysteresisSwallows(let bound):
            reader.context.error(
                hysteresis, "`hysteresis` is so large that an alert of `\(bound.rawValue)` could never be over",
                advice: "use a smaller one")
        case .doesNotFit(let bound):
            reader.context.error(
                hysteresis, "`\(bound.rawValue)` with this `hysteresis` cannot be held exactly",
                advice: "use fewer digits")
        }
    }
}
