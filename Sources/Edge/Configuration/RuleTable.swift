internal import Diagnostics
internal import Events
internal import Market
internal import Rules
internal import Time

/// One `[[rule]]` table.
struct RuleTable {
    /// The maximum length of a name in bytes. Names are shown and stored with every event; 128 bytes fit on a line.
    private static let longestName = 128
    /// The maximum length of a message in bytes. This keeps the line of an event below about a kilobyte.
    private static let longestMessage = 500
    private(set) var reader: TableReader
    let begin: TextPosition

    /// The source that the rule names, or nil for the first source.
    let source: SourceName?
    /// The allowed range of `window`.
    let windows: ClosedRange<Milliseconds>
    /// The rule's condition keys, in file order.
    let conditionKeys: [ConditionKey]

    private static let conditionKeysByName = KeyTable(ConditionKey.allCases.map { ($0.rawValue, $0) })

    /// The names of the receivers, or nil if they are unknown.
    private let receivers: Set<String>?

    init(
        _ reader: TableReader, begin: TextPosition, source: SourceName? = nil, windows: ClosedRange<Milliseconds>,
        preferring preferred: Currency?, receivers: Set<String>? = nil
    ) {
        self.source = source
        self.receivers = receivers
        self.reader = reader
        let declared = reader.node("currency").flatMap { node in
            if case .string(let text) = node.value { Currency(text) } else { nil }
        }
        self.reader.currencies = AmountCurrencies(preferring: declared ?? preferred)
        var keys: [ConditionKey] = []
        for index in reader.entries.indices {
            if let key = Self.conditionKeysByName[reader.entries[index].key] { keys.append(key) }
        }
        conditionKeys = keys
        self.begin = begin
        self.windows = windows
    }

    /// Reads the rule. If something required is missing or faulty, reports a finding and returns nil.
    func rule() -> Rule? {
        let symbols = symbols()
        let declared = currency()
        let condition = condition()
        let currency = currency(declared, symbols)
        let name = name()
        let notification = NotificationPolicy(
            repeatAfter: positive("repeat")?.value, cooldown: reader.duration("cooldown")?.value ?? .zero,
            once: reader.boolean("once") ?? false, onlyWhile: reader.text("only_while", example: "\"big drop\"")?.value)
        let hold = reader.duration("for")?.value ?? .zero
        let keepFiring = reader.duration("keep_firing_for")?.value ?? .zero
        let price = reader.choice("price", of: PriceKind.self)
        let severity = reader.choice("severity", of: Severity.self)
        let expires = reader.time("expires")
        let (message, messageRepeated) = (message("message"), message("message_repeated"))
        let messageResolved = self.message("message_resolved")
        let notify = notify()
        guard let first = symbols.first, let condition else { return nil }
        let made = reader.node("name") == nil ? madeName(first, condition) : nil
        guard let name = name ?? made else { return nil }
        var rule = Rule(
            name: name, source: source, symbols: symbols, condition: condition, currency: currency,
            price: price ?? .last,
            hold: hold, notification: notification, expires: expires?.value, severity: severity ?? .warning,
            message: message, receivers: notify)
        rule.keepFiring = keepFiring
        (rule.messageRepeated, rule.messageResolved) = (messageRepeated, messageResolved)
        return rule
    }

    /// Generates the name of a rule that has none: `btcinr min max`, or `kraken:btcusd cross`.
    private func madeName(_ symbol: SymbolPattern, _ condition: Condition) -> String {
        let market = (source.map { "\($0):" } ?? "") + symbol.text
        return "\(market) \(condition.keys.map(\.rawValue).joined(separator: " "))"
    }

    /// Reads the receivers that the rule names. Returns nil if it names none, so that the receivers' filters decide.
    private func notify() -> [String]? {
        guard let names = reader.texts("notify", example: "[\"phone\"]", mayBeEmpty: true) else { return nil }
        guard let receivers else { return names.map(\.value) }
        for name in names where !receivers.contains(name.value) {
            let guess = nearest(to: name.value, among: receivers.sorted())
            reader.context.error(
                name.position, "there is no receiver named \"\(name.value)\"",
                advice: guess.map { "did you mean \"\($0)\"?" } ?? "add a [[receiver]] to the main file")
        }
        return names.map(\.value)
    }

    private func positive(_ key: String) -> Located<Milliseconds>? {
        guard let length = reader.duration(key) else { return nil }
        guard length.value > .zero else {
            reader.context.error(
                length.position, "`\(key)` is zero", advice: "use a longer time, or remove the line")
            return nil
        }
        return length
    }

    private func message(_ key: String) -> MessageTemplate? {
        guard let text = reader.text(key, example: "\"{symbol} at {price}\"") else { return nil }
        guard text.value.utf8.count <= Self.longestMessage else {
            reader.context.error(
                text.position, "`\(key)` is longer than \(Self.longestMessage) bytes", advice: "use a shorter one")
            return nil
        }
        return reader.template(text, of: key)
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
                text.position, "`currency` is \"\(text.value)\", which is not a currency",
                advice: "write its code, such as \"INR\" or \"USDT\"")
            return nil
        }
        return currency
    }

    /// Returns the currency of the rule: the declared one, or else the one that its amounts name.
    private func currency(_ declared: Currency?, _ symbols: [SymbolPattern]) -> Currency? {
        guard let currencies = reader.currencies, let first = currencies.found.first else { return declared }
        let currency = declared ?? first.currency
        for named in currencies.found {
            let isQuote = symbols.contains { $0.text.hasSuffix("\(named.currency)".lowercased()) }
            if !named.currency.isKnown, !isQuote, named.currency != declared {
                reader.context.error(
                    named.position, "`\(named.key)` is in \(named.currency), which is not a known currency",
                    advice: currencyAdvice("\(named.currency)"))
            } else if named.currency != currency {
                let other = declared == nil ? "`\(first.key)` is in \(currency)" : "`currency` is \(currency)"
                reader.context.error(
                    named.position, "`\(named.key)` is in \(named.currency), but \(other)",
                    advice: "a rule has one currency; split it in two, or convert the amount")
            }
        }
        return currency
    }

    /// Reads the patterns in `symbol`, and reports faulty ones.
    private func symbols() -> [SymbolPattern] {
        guard let node = reader.node("symbol") else {
            reader.context.error(begin, "the rule has no `symbol`", advice: "add one, such as symbol = \"btcinr\"")
            return []
        }
        return reader.patterns("symbol", of: node)
    }
}
