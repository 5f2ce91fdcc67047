internal import Diagnostics
internal import Engine
internal import Market
internal import Rules
internal import Time

/// A reader that collects the `[[rule]]` tables of all files in one list with unique names.
struct RuleReader {
    /// The maximum number of rules: as many as fit in a file at 100 bytes each. The number of their alerts has a
    /// separate limit.
    static let maximumCount = 10_000

    /// The names of the receivers, or nil if they are unknown because there is no main file.
    var receivers: Set<String>?
    /// The sources that rules may name, or nil for any.
    var sources: [SourceName]?
    /// The source of rules that name no source.
    var firstSource: SourceName?
    /// The allowed range of `window`, by source: at least two intervals, and no longer than the history.
    var windows: [SourceName: ClosedRange<Milliseconds>] = [:]
    /// The currency that USDT is treated as, or nil to treat it like any other coin.
    var tetherCountsAs: Currency?
    /// The currency that prices are shown in. A sign that several currencies share means this one.
    var displayCurrency: Currency?
    private(set) var rules: [Rule] = []
    /// The places of ``rules``, in the same order.
    private(set) var places: [RuleSource] = []
    private var placesByName: [String: SourcePosition] = [:]
    /// The names of rules that have errors.
    private(set) var faultyNames: Set<String> = []
    private var count = 0
    /// The number of alerts of the symbols that rules name exactly, by source.
    private var alertCounts: [(source: SourceName?, count: Int)] = []

    init() {}

    /// Reads the value of a file's `rule` key.
    mutating func read(_ entry: TOMLEntry, in context: FileContext) {
        var elements = [entry.node]
        if case .array(let list) = entry.node.value { elements = list } else { context.wrongShape(entry, of: .rule) }
        if rules.isEmpty {
            rules.reserveCapacity(min(elements.count, Self.maximumCount))
            places.reserveCapacity(min(elements.count, Self.maximumCount))
            placesByName.reserveCapacity(min(elements.count, Self.maximumCount))
        }
        let keys = SettingsReference.nameTable(of: .rule)
        for element in elements {
            guard case .table(let entries) = element.value else {
                guard case .array = entry.node.value else { return }
                context.error(
                    element.position, "a rule must be a table, but is \(element.value.kindName)",
                    advice: "write [[rule]] on a line of its own, followed by its keys")
                continue
            }
            count += 1
            guard count <= Self.maximumCount else {
                context.error(
                    element.position, "more than \(Self.maximumCount) rules", advice: "use patterns such as \"*inr\"")
                return
            }
            append(TableReader(entries, of: .rule, keys: keys, in: context), begin: element.position)
        }
    }

    private mutating func append(_ reader: TableReader, begin: TextPosition) {
        let source = source(reader)
        let name = source ?? firstSource
        let table = RuleTable(
            reader, begin: begin, source: source,
            windows: windows(of: name),
            preferring: displayCurrency, receivers: receivers)
        guard let rule = table.rule() else {
            if case .string(let name)? = reader.node("name")?.value { faultyNames.insert(name) }
            return
        }
        let place = table.reader.context.position(table.begin)
        if let first = placesByName.updateValue(place, forKey: rule.name) {
            placesByName[rule.name] = first
            let isMade = table.reader.node("name") == nil
            table.reader.context.error(
                table.reader.node("name")?.position ?? table.begin,
                "a rule named \"\(rule.name)\" already exists at \(first.file):\(first.line)",
                advice: isMade ? "give this one a different `name`" : "rename one of them")
            return
        }
        var ruleSource = table.reader.source(begin: table.begin)
        if let currency = rule.currency, !rule.canReach(currency, tetherCountsAs: tetherCountsAs) {
            // An amount in an unknown currency is an error already.
            let declaration = table.reader.node("currency")
            if declaration != nil || currency.isKnown {
                table.reader.context.warning(
                    declaration?.position ?? table.begin,
                    "prices cannot be converted to \(currency): its alerts cannot be evaluated",
                    advice: currency.isKnown
                        ? "use a currency with a reference rate of the European Central Bank, or the market's own"
                        : currencyAdvice("\(currency)"))
            }
            ruleSource.currencyIsUnreachable = true
        }
        checkCount(of: rule, table)
        rules.append(rule)
        places.append(ruleSource)
    }

    /// Returns the allowed range of `window` for a source. If the source is unknown, returns the range of any source.
    private func windows(of source: SourceName?) -> ClosedRange<Milliseconds> {
        let own = windows.count > 1 ? source.flatMap { windows[$0] } : nil
        return own ?? windows.values.first ?? Milliseconds.zero...Milliseconds(.max)
    }

    /// Checks the number of alerts of the symbols that rules name exactly. The symbols that patterns match are known
    /// only with market data.
    private mutating func checkCount(of rule: Rule, _ table: RuleTable) {
        let name = rule.source ?? firstSource
        // There are so few sources that hashing would take longer.
        let place = alertCounts.firstIndex { $0.source == name } ?? alertCounts.endIndex
        if place == alertCounts.endIndex { alertCounts.append((name, 0)) }
        let before = alertCounts[place].count
        let count = before + rule.symbols.exactSymbols.count * rule.condition.testCount
        alertCounts[place].count = count
        let limit = EngineSettings.alertLimit(ofEach: sources?.count ?? 1)
        guard before <= limit, count > limit else { return }
        table.reader.context.error(
            table.reader.node("symbol")?.position ?? table.begin,
            "with this rule, its source has more than \(limit) alerts",
            advice: "name fewer symbols, or use fewer rules")
    }

    /// Returns the source that a rule names, in `source` or before its symbols, or nil if it names none or an unknown
    /// one.
    private func source(_ reader: TableReader) -> SourceName? {
        let declared = reader.sourceName("source", example: "\"kraken\"")
        let named = reader.sourcesOfSymbols("symbol")
        guard let first = declared ?? named.first else { return nil }
        if let other = named.first(where: { $0.value != first.value }) {
            reader.context.error(
                other.position, "a rule has one source, but this one names \(first.value) and \(other.value)",
                advice: "write a rule for each of them")
        }
        guard let sources, !sources.contains(first.value) else { return first.value }
        reader.context.unknownSource(first, among: sources)
        return nil
    }
}
