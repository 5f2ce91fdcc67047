internal import Diagnostics
internal import Market
internal import Rules
internal import Time

/// Reads `[[rule]]` tables of all files into one list with unique names.
struct RuleReader {
    /// 10,000 rules on 450 symbols are 4.5 million alerts: more than a poll every 10 s should have to check.
    static let maximumCount = 10_000

    /// The allowed lengths of a window: at least two intervals, and no longer than the history.
    var windows = Milliseconds.zero...Milliseconds(.max)
    /// The names of the receivers; nil when there is no main file, so that they are not known.
    var receivers: Set<String>?
    /// What USDT counts as.
    var tetherCountsAs: Currency?
    /// What prices are shown in: what is meant by a sign that several currencies share.
    var displayCurrency: Currency?
    private(set) var rules: [Rule] = []
    /// The place of each of ``rules``.
    private(set) var sources: [RuleSource] = []
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
                    advice: "write [[rule]] on a line of its own, followed by its keys")
                continue
            }
            count += 1
            guard count <= Self.maximumCount else {
                context.error(
                    element.position, "more than \(Self.maximumCount) rules", advice: "use patterns such as \"*inr\"")
                return
            }
            append(
                RuleTable(
                    TableReader(entries, of: .rule, in: context), begin: element.position, windows: windows,
                    preferring: displayCurrency, receivers: receivers))
        }
    }

    private mutating func append(_ table: RuleTable) {
        guard let rule = table.rule() else { return }
        let place = table.reader.context.position(table.begin)
        if let first = placesByName[rule.name] {
            let isMade = table.reader.node("name") == nil
            table.reader.context.error(
                table.reader.node("name")?.position ?? table.begin,
                "a rule named \"\(rule.name)\" already exists at \(first.file):\(first.line)",
                advice: isMade ? "give this one a different `name`" : "rename one of them")
            return
        }
        var source = table.reader.source(begin: table.begin)
        if let currency = rule.currency, !rule.canReach(currency, tetherCountsAs: tetherCountsAs) {
            table.reader.context.warning(
                table.reader.node("currency")?.position ?? table.begin,
                "prices cannot be converted to \(currency): its alerts cannot be evaluated",
                advice: currency.isKnown
                    ? "use a currency with a reference rate of the European Central Bank, or the market's own"
                    : currencyAdvice("\(currency)"))
            source.currencyIsUnreachable = true
        }
        placesByName[rule.name] = place
        rules.append(rule)
        sources.append(source)
    }
}
