internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl list`: all symbols with their prices.
enum ListCommand: Command {
    static let specification = CommandLineSpecification(
        "list", summary: "List symbols with their prices",
        discussion: [
            "CHANGE % and VOLUME are those of the last 24 hours, as the exchange gives them. SPREAD % is the "
                + "difference between bid and ask. TURNOVER is the volume at "
                + "the last price. RANK and MARKET CAP are those of coins of the source coinranking, which are "
                + "listed by rank. MIN and MAX are the nearest limits; JSON has them in their own currency, which "
                + "min_currency and max_currency name."
        ],
        examples: [
            Example("alertctl list --match 'btc*'", "All bitcoin markets."),
            Example("alertctl list --quote inr --sort turnover --reverse --top 20", "The busiest markets in rupees."),
            Example("alertctl list --sort week --top 10", "What fell most in the last 7 days?"),
            Example("alertctl list --firing", "Only symbols with firing alerts."),
            Example("alertctl list --source coinranking --page 2", "The coins in places 21 to 40."),
            Example(
                "alertctl list --source coinranking --sort change --reverse --page 1",
                "The coins that rose most in 24 hours."),
            Example("alertctl list bitcoin --trend", "Markets of assets with this name, and their last day."),
            Example("alertctl list --amount '1000 SEK' --quote inr", "What would that buy?"),
        ],
        options: [
            OptionSpecification(
                "sort", short: "s", value: "COLUMN",
                kind: .oneOf(listColumns.map(\.sortName) + ["price", "name", "amount", "week"]),
                help: "Sort by a column; missing values come last"),
            OptionSpecification("reverse", short: "r", help: "Sort in descending order"),
            OptionSpecification(
                "match", short: "m", value: "PATTERN", kind: .live("symbols"),
                help: "Only symbols that match this pattern; * stands for any text"),
            OptionSpecification(
                "quote", value: "ASSET", kind: .live("quotes"), help: "Only markets with this quote asset: inr, usdt"),
            sourceOption,
            OptionSpecification("top", short: "n", value: "NUMBER", help: "Only the first NUMBER symbols"),
            ListPage.option,
            OptionSpecification("firing", help: "Only symbols with a firing alert"),
            OptionSpecification("favourites", help: "Only your favourites; see 'alertctl help favourites'"),
            OptionSpecification(
                "week", help: "Also show the change of the last 7 days, as far as prices were recorded"),
            OptionSpecification("trend", help: "Also draw the last 24 hours of each symbol in a line"),
            OptionSpecification(
                "amount", value: "AMOUNT", help: "Also show what this amount buys of each: '1000 SEK'"),
        ],
        operands: [
            OperandSpecification(
                "SEARCH", kind: .live("symbols"), isOptional: true,
                help: "Only symbols with this text in their name or in the name of their asset: bitcoin")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let top = try context.number("top")
        let connection = try context.connect()
        let parameters = ListTickersParameters(
            source: context.arguments.value("source"), match: context.arguments.value("match")?.lowercased(),
            quote: context.arguments.value("quote")?.lowercased(),
            changeFrom: context.arguments.showsWeek
                ? "\(WallTime(milliseconds: context.formatter.now.milliseconds - 7 * 86_400_000))" : nil)
        let reply = try connection.all(.listTickers, parameters, returning: ListTickersReply.self)
        let staleSources = Set(reply.staleSources ?? [])
        let display = try context.display(connection)
        var extras = try ListExtras(context, connection)
        extras.learn(reply.symbols)
        var symbols = extras.found(reply.symbols)
        if context.arguments.has("firing") { symbols = symbols.filter { $0.firing > 0 } }
        let listed = listColumns + extras.columns(of: symbols)
        let row = { (symbol: SymbolStatus) in
            let listContext = ListContext(
                isStale: reply.stale, formatter: context.formatter, display: display, staleSources: staleSources)
            return listed.map { $0.cell(symbol, listContext) }
        }
        var rows = sorted(symbols.map(row), listed, context.arguments)
        let total = min(top ?? rows.count, rows.count)
        let page = try ListPage(context, of: total)
        let shown = page?.rows ?? 0..<total
        if shown.count < rows.count {
            let names = Set(rows[shown].map(listName))
            display.forgetUses()
            rows = sorted(
                symbols.filter { names.contains($0.sourced) }.map(row), listed, context.arguments)
        }
        let columns = columns(
            listed, sortedBy: sortName(context.arguments),
            hasSeveralSources: Set(reply.symbols.map(\.source)).count > 1, of: symbols)
        var table = Table(key: "symbols", columns: columns, rows: rows, whenEmpty: whenEmpty(reply, context))
        try extras.addTrends(to: &table, from: connection)
        let head = head(reply, display, page, context)
        let rest = page.map { [Part.text($0.text, .muted)] } ?? []
        context.show(Report(simulated: reply.simulated, parts: head + [.table(table)] + rest))
        return .success
    }

    private static func head(
        _ reply: ListTickersReply, _ display: PriceDisplay, _ page: ListPage?, _ context: Context
    ) -> [Part] {
        let fields = [
            Field("source", .text(reply.source)), Field("received", .time(reply.received)),
            Field("stale", .flag(reply.stale)),
        ]
        let staleness = staleText(isStale: reply.stale, received: reply.received, context.formatter)
        return [.metadata(fields + (page?.fields ?? []) + display.metadata)] + staleness + display.banner
    }

    private static func whenEmpty(_ reply: ListTickersReply, _ context: Context) -> String {
        let isFiltered =
            !context.arguments.operands.isEmpty
            || ["match", "quote", "firing", "favourites"].contains(where: context.arguments.has)
        return reply.received == nil
            ? "No prices yet; 'alertctl status' shows the state of the feed."
            : isFiltered ? "No symbols match." : "The exchange lists no symbols."
    }

    /// A column that is sorted by is shown however narrow the terminal is.
    private static func columns(
        _ columns: [ListColumn], sortedBy name: String?, hasSeveralSources: Bool, of symbols: [SymbolStatus]
    ) -> [Column] {
        let hasCoins = symbols.contains { $0.rank != nil }
        let areCoins = hasCoins && symbols.allSatisfy { $0.rank != nil }
        return columns.map { listed in
            if areCoins, exchangeColumns.contains(listed.sortName), listed.sortName != name {
                return Column(listed.column.key, nil, isNumeric: true)
            }
            if hasCoins, let title = coinColumns[listed.sortName] {
                let rank = listed.sortName == name ? 0 : listed.column.rank
                return Column(listed.column.key, title, isNumeric: true, rank: rank)
            }
            if listed.sortName == "source", hasSeveralSources { return Column("source", "SOURCE") }
            guard listed.sortName == name else { return listed.column }
            var column = listed.column
            column.rank = 0
            return column
        }
    }

    /// `price` is the same as `last`.
    private static func sortName(_ arguments: ParsedArguments) -> String? {
        arguments.value("sort").map { $0 == "price" ? "last" : $0 }
    }

    /// In the order of the response unless --sort is given; equal rows stay in that order.
    private static func sorted(
        _ rows: [[Cell]], _ columns: [ListColumn], _ arguments: ParsedArguments
    ) -> [[Cell]] {
        guard let name = sortName(arguments), let index = columns.firstIndex(where: { $0.sortName == name })
        else { return arguments.has("reverse") ? rows.reversed() : rows }
        // A greater age means an earlier time.
        let isDescending = arguments.has("reverse") != columns[index].isAge
        return sortedRows(rows, by: index, isDescending: isDescending)
    }
}

/// A line that says so if prices are stale.
func staleText(isStale: Bool, received: String?, _ formatter: HumanFormatter) -> [Part] {
    guard isStale else { return [] }
    let since = formatter.age(received).map { "from \($0) ago" } ?? "of unknown age"
    return [.text("STALE prices \(since); 'alertctl status' shows why", .alarm)]
}
