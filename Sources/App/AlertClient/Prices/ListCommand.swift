internal import Arguments
internal import Control
internal import Market

/// `alertctl list`: all symbols with their prices.
enum ListCommand: Command {
    static let specification = CommandLineSpecification(
        "list", summary: "List symbols with their prices",
        examples: [
            Example("alertctl list --match 'btc*'", "All markets of bitcoin."),
            Example("alertctl list --quote inr --sort volume --reverse --top 20", "The busiest markets in rupees."),
            Example("alertctl list --firing", "Only what is beyond a limit."),
        ],
        options: [
            OptionSpecification(
                "sort", short: "s", value: "COLUMN", kind: .oneOf(listColumns.map(\.sortName)),
                help: "Order by a column; what has no value comes last"),
            OptionSpecification("reverse", short: "r", help: "Begin with the greatest"),
            OptionSpecification(
                "match", short: "m", value: "PATTERN", kind: .live("symbols"),
                help: "Only symbols like this; * is any text"),
            OptionSpecification(
                "quote", value: "ASSET", kind: .live("quotes"), help: "Only symbols that are paid in this: inr, usdt"),
            OptionSpecification("top", short: "n", value: "NUMBER", help: "Only the first so many"),
            OptionSpecification("firing", help: "Only symbols with an alert that fires"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let top = try context.number("top")
        let connection = try context.connect()
        let parameters = ListTickersParameters(
            match: context.arguments.value("match")?.lowercased(),
            quote: context.arguments.value("quote")?.lowercased())
        let reply = try connection.call(.listTickers, parameters, returning: ListTickersReply.self)
        let stale = try connection.status().feed.stale
        let display = try context.display(connection)
        var symbols = reply.symbols
        if context.arguments.has("firing") { symbols = symbols.filter { $0.firing > 0 } }
        let row = { (symbol: SymbolStatus) in
            let metadata = ListCircumstances(isStale: stale, formatter: context.formatter, display: display)
            return listColumns.map { $0.cell(symbol, metadata) }
        }
        var rows = sorted(symbols.map(row), context.arguments)
        if let top, top < rows.count {
            let names = Set(rows.prefix(top).map { plain($0[0].value) })
            display.forgetUses()
            rows = sorted(symbols.filter { names.contains($0.symbol) }.map(row), context.arguments)
        }
        let table = Table(
            key: "symbols", columns: listColumns.map(\.column), rows: rows, whenEmpty: whenEmpty(reply, context))
        let head = head(reply, isStale: stale, display, context)
        context.show(Report(simulated: reply.simulated, parts: head + [.table(table)]))
        return .success
    }

    private static func head(_ reply: ListTickersReply, isStale: Bool, _ display: PriceDisplay, _ context: Context)
        -> [Part]
    {
        let fields = [
            Field("source", .text(reply.source)), Field("received", .time(reply.received)),
            Field("stale", .flag(isStale)),
        ]
        let words = staleWords(isStale: isStale, received: reply.received, context.formatter)
        return [.metadata(fields + display.metadata)] + words + display.banner
    }

    private static func whenEmpty(_ reply: ListTickersReply, _ context: Context) -> String {
        let isFiltered = ["match", "quote", "firing"].contains(where: context.arguments.has)
        return reply.received == nil
            ? "No prices yet: 'alertctl status' tells how the feed is."
            : isFiltered ? "No symbol matches." : "The exchange lists no symbols."
    }

    /// In the order of the response when no column is named. Equal rows stay in that order.
    private static func sorted(_ rows: [[Cell]], _ arguments: ParsedArguments) -> [[Cell]] {
        guard let name = arguments.value("sort"), let index = listColumns.firstIndex(where: { $0.sortName == name })
        else { return arguments.has("reverse") ? rows.reversed() : rows }
        // The greater age has the earlier time.
        let isDescending = arguments.has("reverse") != listColumns[index].isAge
        return sortedRows(rows, by: index, isDescending: isDescending)
    }
}

/// A line that says so when prices are stale.
func staleWords(isStale: Bool, received: String?, _ formatter: HumanFormatter) -> [Part] {
    guard isStale else { return [] }
    let since = formatter.age(received).map { "from \($0) ago" } ?? "of unknown age"
    return [.words("STALE prices, \(since): 'alertctl status' tells why", .alarm)]
}
