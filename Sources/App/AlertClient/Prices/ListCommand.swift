internal import Arguments
internal import Configuration
internal import Control
internal import Market
internal import Time

/// `alertctl list`: lists symbols with their prices.
enum ListCommand: Command {
    static let specification = CommandLineSpecification(
        "list", summary: "List symbols with their prices",
        discussion: [
            "CHANGE % and VOLUME are for the last 24 hours, as the source reports them. SPREAD % is the "
                + "difference between bid and ask. TURNOVER is the volume at "
                + "the last price. RANK and MARKET CAP are shown for coins of the source coinranking, which are "
                + "listed by rank. MIN and MAX are the limits nearest to the price; JSON has them in their own "
                + "currency, which min_currency and max_currency name."
        ],
        examples: [
            Example("alertctl list --match 'btc*'", "All bitcoin markets."),
            Example("alertctl list --quote inr --sort turnover --reverse --top 20", "The busiest markets in rupees."),
            Example("alertctl list --sort week --top 10", "What fell most in the last 7 days?"),
            Example("alertctl list --firing", "Only symbols with firing alerts."),
            Example("alertctl list --source coinranking --page 2", "The coins ranked 21 to 40."),
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
            OptionSpecification(
                "top", aliases: ["limit"], short: "n", value: "NUMBER", help: "Only the first NUMBER symbols"),
            ListPage.option,
            OptionSpecification("firing", help: "Only symbols with a firing alert"),
            OptionSpecification(
                "favourites", aliases: ["favorites"], help: "Only your favourites; see 'alertctl help favourites'"),
            OptionSpecification(
                "week", help: "Also show the change over the last 7 days, as far as prices were recorded"),
            OptionSpecification("trend", help: "Also draw the last 24 hours of each symbol as a sparkline"),
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
        var names = AssetNames()
        let reply = try connection.all(.listTickers, parameters, returning: ListTickersReply.self) {
            names = context.assetNames()
        }
        let display = try context.display(connection)
        var extras = try ListExtras(context, connection, names)
        extras.learn(reply.symbols)
        let listContext = ListContext(
            isStale: reply.stale, formatter: context.formatter, display: display,
            staleSources: Set(reply.staleSources ?? []))
        var symbols = extras.found(reply.symbols)
        if context.arguments.has("firing") { symbols = symbols.filter { $0.firing > 0 } }
        let all = listColumns + extras.columns(of: symbols)
        symbols = sorted(symbols, all, listContext, context.arguments)
        let total = min(top ?? symbols.count, symbols.count)
        let page = try ListPage(context, of: total)
        let shown = symbols[page?.rows ?? 0..<total]
        // The banner names only the rates that the shown rows use, not the rates that were used to sort.
        display.forgetUses()
        let listed = columns(
            all, context, hasSeveralSources: Set(reply.symbols.map(\.source)).count > 1, of: symbols)
        let cells = listed.map(\.cell)
        let rows = shown.map { symbol in cells.map { $0(symbol, listContext) } }
        var table = Table(
            key: "symbols", columns: listed.map(\.column), rows: rows, whenEmpty: whenEmpty(reply, context))
        try extras.addTrends(to: &table, of: shown, from: connection)
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
            : context.arguments.has("favourites")
                ? "None of your favourites is listed; 'alertctl favourites add SYMBOL' adds one."
                : isFiltered ? "No symbols match." : "The source lists no symbols."
    }

    /// Returns the columns of the table. The sort column is kept however narrow the terminal is. Columns without a
    /// title are only for programs.
    private static func columns(
        _ all: [ListColumn], _ context: Context, hasSeveralSources: Bool, of symbols: [SymbolStatus]
    ) -> [ListColumn] {
        let sorting = sortName(context.arguments)
        let hasCoins = symbols.contains { $0.rank != nil }
        let areCoins = hasCoins && symbols.allSatisfy { $0.rank != nil }
        let columns = all.map { listed in
            var listed = listed
            let isSorted = listed.sortName == sorting
            if areCoins, exchangeColumns.contains(listed.sortName), !isSorted { listed.column.title = nil }
            if hasCoins, let title = coinColumns[listed.sortName] { listed.column.title = title }
            if listed.sortName == "source", hasSeveralSources { listed.column.title = "SOURCE" }
            if isSorted { listed.column.rank = 0 }
            return listed
        }
        return context.format.isHuman ? columns.filter { $0.column.title != nil } : columns
    }

    /// Returns the value of --sort, where `price` means `last`.
    private static func sortName(_ arguments: ParsedArguments) -> String? {
        arguments.value("sort").map { $0 == "price" ? "last" : $0 }
    }

    /// Sorts the rows by the column of --sort. Without it, and among equal rows, the order of the response is kept.
    private static func sorted(
        _ symbols: [SymbolStatus], _ columns: [ListColumn], _ context: ListContext, _ arguments: ParsedArguments
    ) -> [SymbolStatus] {
        guard let name = sortName(arguments), let column = columns.first(where: { $0.sortName == name })
        else { return arguments.has("reverse") ? symbols.reversed() : symbols }
        // A greater age means an earlier time.
        let isDescending = arguments.has("reverse") != column.isAge
        return AlertClient.sorted(symbols, isDescending: isDescending) { column.cell($0, context).sortKey }
    }
}

/// Returns a warning if prices are stale.
func staleText(isStale: Bool, received: String?, _ formatter: HumanFormatter) -> [Part] {
    guard isStale else { return [] }
    let since = formatter.age(received).map { "from \($0) ago" } ?? "of unknown age"
    return [.text("STALE prices \(since); 'alertctl status' shows why", .alarm)]
}
