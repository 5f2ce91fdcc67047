internal import Diagnostics
internal import Events
internal import Market
internal import Rules
internal import Time

/// A reader of the `[[check]]` tables.
struct CheckReader {
    /// The maximum number of checks. Each one is evaluated on every poll of its two sources.
    static let limit = 100
    private static let longestName = 128
    /// The maximum of `within`, in percent. A larger difference is a typing error.
    private static let most = Price(mantissa: 10_000, scale: 0) ?? .hundred

    private let settings: Settings
    private let context: FileContext

    init(_ settings: Settings, _ context: FileContext) {
        (self.settings, self.context) = (settings, context)
    }

    /// Returns the valid checks, which have unique names, and reports everything that is wrong as findings.
    func checks(in entries: [TOMLEntry]) -> [Located<PriceCheck>] {
        guard let entry = entries.first(where: { $0.key == SettingsReference.Table.check.rawValue }) else { return [] }
        guard case .array(let elements) = entry.node.value else {
            context.wrongShape(entry, of: .check)
            return []
        }
        if elements.count > Self.limit {
            context.error(elements[Self.limit].position, "more than \(Self.limit) checks", advice: "remove some")
        }
        var checks: [Located<PriceCheck>] = []
        for element in elements.prefix(Self.limit) {
            guard case .table(let content) = element.value else {
                context.error(
                    element.position, "a check must be a table, but is \(element.value.kindName)",
                    advice: "write [[check]] on a line of its own, followed by its keys")
                continue
            }
            let table = TableReader(content, of: .check, in: context)
            guard let check = check(table, at: element.position) else { continue }
            if let other = checks.first(where: { $0.value.name == check.name }) {
                context.error(
                    table.node("name")?.position ?? element.position,
                    "a check named \"\(check.name)\" already exists at \(context.name(of: other.position))",
                    advice: "give one of them another `name`")
            } else {
                checks.append(Located(value: check, position: element.position))
            }
        }
        return checks
    }

    private func check(_ table: TableReader, at position: TextPosition) -> PriceCheck? {
        let markets = markets(table, at: position)
        let within = within(table, at: position)
        let hold = table.duration("for")?.value ?? .zero
        let severity = table.choice("severity", of: Severity.self) ?? .warning
        let name = table.text("name", example: "\"btc in India\"")
        if let name, name.value.utf8.count > Self.longestName {
            context.error(
                name.position, "`name` is longer than \(Self.longestName) bytes", advice: "use a shorter one")
        }
        guard let markets, let within else { return nil }
        return PriceCheck(
            name: name?.value ?? "\(markets.0) \(markets.1)", markets.0, markets.1, within: within, hold: hold,
            severity: severity)
    }

    private func markets(_ table: TableReader, at position: TextPosition) -> (PriceCheck.Market, PriceCheck.Market)? {
        let example = "[\"wazirx:btcinr\", \"binance:btcusdt\"]"
        guard table.node("symbols") != nil else {
            context.error(position, "the check has no `symbols`", advice: "add two, such as symbols = \(example)")
            return nil
        }
        guard let texts = table.texts("symbols", example: example) else { return nil }
        guard texts.count == 2 else {
            context.error(
                texts.first?.position ?? position, "a check compares two markets, but `symbols` has \(texts.count)",
                advice: "write two, such as symbols = \(example)")
            return nil
        }
        guard let first = market(texts[0]), let second = market(texts[1]) else { return nil }
        if first == second {
            context.error(
                texts[1].position, "the check compares \(first) with itself", advice: "name another market")
            return nil
        }
        return (first, second)
    }

    private func market(_ text: Located<String>) -> PriceCheck.Market? {
        let written = SourcedText(text.value)
        let names = settings.sources.map(\.name)
        let source = written.source.flatMap { SourceName($0) } ?? settings.feed.name
        guard names.contains(source) else {
            context.unknownSource(Located(value: source, position: text.position), among: names)
            return nil
        }
        guard let symbol = Symbol(written.symbol) else {
            context.error(
                text.position, "\"\(written.symbol)\" is not a symbol",
                advice: "write one with its source, such as \"binance:btcusdt\"; patterns are not allowed here")
            return nil
        }
        if let feed = settings.sources.first(where: { $0.name == source }), !feed.symbols.isEmpty,
            !feed.symbols.contains(where: { $0.matches(symbol) })
        {
            context.error(
                text.position, "`symbols` of the source \(source) leaves out \(symbol)",
                advice: "add it there, or remove the check")
        }
        return PriceCheck.Market(symbol, of: source)
    }

    private func within(_ table: TableReader, at position: TextPosition) -> Price? {
        guard let text = table.text("within", example: "\"8%\"") else {
            if table.node("within") == nil {
                context.error(position, "the check has no `within`", advice: "add one, such as within = \"8%\"")
            }
            return nil
        }
        guard text.value.hasSuffix("%"), let percent = try? Price(written: String(text.value.dropLast())),
            percent.isPositive, percent <= Self.most
        else {
            context.error(
                text.position, "`within` is \"\(text.value)\", which is not a percentage above 0",
                advice: "write one of at most \(Self.most)%, such as \"8%\"")
            return nil
        }
        return percent
    }
}
