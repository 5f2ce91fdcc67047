internal import Diagnostics
internal import Engine
internal import Events
internal import ExchangeRates
internal import Market
internal import Rules
internal import Time
internal import Trials

/// A reader of the `[[test]]` tables of a file.
struct RuleTestReader {
    /// The maximum number of tests. In a file of 1 MiB, each of them would have 100 bytes.
    static let maximumCount = 10_000
    /// The maximum number of symbols in a test. A response of the exchange has about 450.
    private static let maximumSymbolCount = 1_000

    let context: FileContext
    let settings: TrialSettings
    private let budget = PollBudget()

    init(context: FileContext, settings: TrialSettings) {
        self.context = context
        self.settings = settings
    }

    func tests(_ file: TableReader) -> [Located<RuleTrial>] {
        guard let node = file.node("test"), case .array(let elements) = node.value else {
            context.error(
                file.node("test")?.position ?? .whole, "no tests", advice: "add a [[test]]")
            return []
        }
        if elements.count > Self.maximumCount {
            context.error(
                elements[Self.maximumCount].position, "more than \(Self.maximumCount) tests",
                advice: "use several files")
        }
        return elements.prefix(Self.maximumCount).compactMap { element in
            guard case .table(let entries) = element.value else {
                context.error(
                    element.position, "a test must be a table, but is \(element.value.kindName)",
                    advice: "write [[test]] on a line of its own, followed by its keys")
                return nil
            }
            return Located(value: test(table(entries, .test), at: element.position), position: element.position)
        }
    }

    private func table(_ entries: [TOMLEntry], _ kind: RuleTestReference.Table) -> TableReader {
        TableReader(entries, called: kind.header, keys: RuleTestReference.names(in: kind), in: context)
    }

    private func test(_ table: TableReader, at position: TextPosition) -> RuleTrial {
        let name = table.text("name", example: "\"fires once\"")
        if table.node("name") == nil {
            context.error(position, "the test has no `name`", advice: "add one that says what it tests")
        }
        let markets = markets(table)
        if table.node("series") == nil {
            context.error(
                position, "the test has no `series`", advice: "add one, such as series = { btcinr = \"100x3 110\" }")
        }
        let length = settings.interval.times(Int64(max(1, markets.map(\.series.steps.count).max() ?? 0) - 1))
        return RuleTrial(
            name: name?.value ?? "", markets: markets, rates: rates(table), silences: silences(table),
            actions: actions("acks", .acknowledge, table) + actions("arms", .arm, table),
            expected: elements("expect", of: table, .expect).compactMap { expected($0.value, $0.position, length) },
            kinds: kinds(table))
    }

    private func markets(_ table: TableReader) -> [TrialMarket] {
        let entries = self.entries("series", of: table, example: "{ btcinr = \"100x3 110\" }")
        if entries.count > Self.maximumSymbolCount, let node = table.node("series") {
            context.error(
                node.position, "`series` has more than \(Self.maximumSymbolCount) symbols", advice: "use fewer")
        }
        return entries.prefix(Self.maximumSymbolCount).compactMap { entry in
            guard let symbol = Symbol(entry.key) else {
                context.error(
                    entry.keyPosition, "\"\(entry.key)\" is not a symbol",
                    advice: "use a–z and 0–9, such as btcinr")
                return nil
            }
            guard case .string(let text) = entry.node.value else {
                table.wrongType(entry.key, entry.node, .text, advice: "write prices in quotes: \"100x3 110\"")
                return nil
            }
            guard !budget.isOver else { return nil }
            do throws(ScriptError) {
                let series = try PriceScript(text, interval: settings.interval)
                budget.consume(series.steps.count)
                if budget.isOver {
                    context.error(
                        entry.node.position, "the tests have more than \(PollBudget.limit) polls",
                        advice: "use a longer interval, or several files")
                }
                return TrialMarket(symbol: symbol, series: series)
            } catch {
                let place = context.source(at: entry.node.position).position(
                    ofScalar: error.offset, of: text, writtenAt: entry.node.position)
                context.error(place, error.message, advice: error.advice)
                return nil
            }
        }
    }

    private func rates(_ table: TableReader) -> ReferenceRates? {
        guard let node = table.node("rates") else { return nil }
        let entries = self.entries("rates", of: table, example: "{ USD = \"1.08\" }")
        let reader = TableReader(entries, called: "`rates`", keys: entries.map(\.key), in: context)
        let rates = entries.compactMap { entry -> (currency: Currency, rate: Price)? in
            guard let currency = Currency(entry.key), currency != .euro else {
                context.error(
                    entry.keyPosition, "\"\(entry.key)\" is not a currency with a rate to the euro",
                    advice: "write its code, such as USD")
                return nil
            }
            guard let rate = reader.amount(entry.key) else { return nil }
            guard rate.value.isPositive else {
                context.error(rate.position, "a rate must be greater than 0", advice: "give the value of one euro")
                return nil
            }
            return (currency, rate.value)
        }
        let rateTable = RateTable(date: settings.start.date, source: "test", rates: rates)
        if rateTable == nil, rates.count == entries.count {
            context.error(
                node.position, "`rates` is empty or has a currency twice", advice: "give the value of one euro")
        }
        return rateTable.map { ReferenceRates($0) }
    }

    private func silences(_ table: TableReader) -> [TrialSilence] {
        elements("silences", of: table, .silence).enumerated().compactMap { index, element in
            let reader = element.value
            let begin = needed("at", reader.duration("at"), reader, element.position)
            let length = needed("for", reader.duration("for"), reader, element.position)
            let symbols = pattern(reader)
            let rule = ruleName(reader)
            let severity = reader.choice("severity", of: Severity.self)
            guard let begin, let length else { return nil }
            let end = WallTime(milliseconds: settings.start.milliseconds + begin.value.count + length.value.count)
            let silence = Silence(
                number: Int64(index + 1), symbols: symbols, rule: rule, severity: severity, end: .at(end))
            return TrialSilence(begin: begin.value, silence: silence)
        }
    }

    private func actions(_ key: String, _ kind: TrialAction.Kind, _ table: TableReader) -> [TrialAction] {
        elements(key, of: table, .action).compactMap { element in
            let time = needed("at", element.value.duration("at"), element.value, element.position)
            let rule = needed("rule", ruleName(element.value), element.value, element.position)
            let symbol = symbol(element.value)
            guard let time, let rule else { return nil }
            return TrialAction(kind, at: time.value, rule: rule, symbol: symbol)
        }
    }

    private func symbol(_ reader: TableReader) -> Symbol? {
        guard let text = reader.text("symbol", example: "\"btcinr\"") else { return nil }
        if let symbol = Symbol(text.value) { return symbol }
        context.error(text.position, "\"\(text.value)\" is not a symbol", advice: "use a–z and 0–9")
        return nil
    }

    private func pattern(_ reader: TableReader) -> SymbolPattern? {
        guard let text = reader.text("symbol", example: "\"btcinr\"") else { return nil }
        guard let pattern = SymbolPattern(text.value) else {
            context.error(text.position, "\"\(text.value)\" is not a symbol", advice: "use a–z, 0–9 and *")
            return nil
        }
        return pattern
    }

    private func kinds(_ table: TableReader) -> Set<EventKind>? {
        guard let node = table.node("only") else { return nil }
        guard case .array(let elements) = node.value else {
            table.wrongType("only", node, .texts, advice: "write only = [\"fired\", \"resolved\"]")
            return nil
        }
        let names = EventKind.allCases.map(\.rawValue)
        return Set(
            elements.compactMap { element in
                if case .string(let name) = element.value, let kind = EventKind(rawValue: name) { return kind }
                context.error(
                    element.position, "not a kind of event", advice: "use one of: \(names.joined(separator: ", "))")
                return nil
            })
    }
}

// MARK: Expected events

extension RuleTestReader {
    private func expected(_ reader: TableReader, _ begin: TextPosition, _ length: Milliseconds) -> ExpectedEvent? {
        let time = needed("at", reader.duration("at"), reader, begin)
        let kind = needed("kind", reader.choice("kind", of: EventKind.self), reader, begin)
        if let time, time.value > length {
            context.error(
                time.position, "`at` is \(time.value), after the last poll at \(length)",
                advice: "write a longer series, or correct the time")
        }
        var event = ExpectedEvent(time: time?.value ?? .zero, kind: kind ?? .fired)
        event.rule = ruleName(reader)
        event.symbol = symbol(reader)
        event.bound = reader.choice("bound", of: Bound.self)
        event.severity = reader.choice("severity", of: Severity.self)
        event.price = reader.amount("price")?.value
        event.limit = limit(reader)
        event.currency = reader.text("currency", example: "\"INR\"").flatMap { Currency($0.value) }
        event.notified = reader.boolean("notified")
        event.reason = reader.choice("reason", of: Reason.self)
        event.text = reader.text("text", example: "\"BTC/INR …\"")?.value
        return time != nil && kind != nil ? event : nil
    }

    private func limit(_ reader: TableReader) -> LimitValue? {
        guard let node = reader.node("limit") else { return nil }
        if case .string(let text) = node.value, let limit = LimitValue(text) { return limit }
        return reader.amount("limit").map { .price($0.value) }
    }

    /// Reads the name of one of the rules, and reports an unknown name.
    private func ruleName(_ reader: TableReader) -> String? {
        guard let name = reader.text("rule", example: "\"btc band\"") else { return nil }
        let names = settings.rules.map(\.name)
        if !names.contains(name.value), !names.isEmpty {
            let guess = nearest(to: name.value, among: names)
            context.error(
                name.position, "no rule is named \"\(name.value)\"",
                advice: guess.map { "did you mean \"\($0)\"?" } ?? "name one of the tested rules")
        }
        return name.value
    }

    private func needed<Value>(
        _ key: String, _ value: Value?, _ reader: TableReader, _ begin: TextPosition
    ) -> Value? {
        if reader.node(key) == nil { context.error(begin, "`\(key)` is missing", advice: "add it") }
        return value
    }
}

// MARK: Nested tables

extension RuleTestReader {
    /// Reads a key whose value is a table, and returns its entries. Reports any other value, and returns no entries.
    private func entries(_ key: String, of table: TableReader, example: String) -> [TOMLEntry] {
        guard let node = table.node(key) else { return [] }
        guard case .table(let entries) = node.value else {
            context.error(
                node.position, "`\(key)` must be a table, but is \(node.value.kindName)",
                advice: "write \(key) = \(example)")
            return []
        }
        return entries
    }

    /// Reads a key whose value is a list of tables.
    private func elements(
        _ key: String, of table: TableReader, _ kind: RuleTestReference.Table
    ) -> [Located<TableReader>] {
        guard let node = table.node(key) else { return [] }
        guard case .array(let elements) = node.value else {
            context.error(
                node.position, "`\(key)` must be a list, but is \(node.value.kindName)",
                advice: "write \(key) = [ { at = \"90s\", … } ]")
            return []
        }
        return elements.compactMap { element in
            guard case .table(let entries) = element.value else {
                context.error(
                    element.position, "an element of `\(key)` must be a table, but is \(element.value.kindName)",
                    advice: "write { at = \"90s\", … }")
                return nil
            }
            return Located(value: self.table(entries, kind), position: element.position)
        }
    }
}

/// The number of polls that the tests of a file may still have.
private final class PollBudget {
    /// The maximum number of polls. A file of 1 MiB could describe about ten billion; a million use 56 MB and run for
    /// a second or two.
    static let limit = 1_000_000

    private var rest = limit

    var isOver: Bool { rest < 0 }

    func consume(_ count: Int) { rest -= count }
}
