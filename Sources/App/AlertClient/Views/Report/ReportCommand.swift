internal import Arguments
internal import Charts
internal import Configuration
internal import Control
internal import Market
internal import Time

/// `alertctl report FILE`: writes prices, charts, alerts and events of a period as one HTML file.
enum ReportCommand: Command {
    /// Maximum number of symbols: each chart takes a few tens of kilobytes.
    static let symbolLimit = 50
    private static let usualCount = 12

    static let specification = CommandLineSpecification(
        "report", summary: "Write prices, charts, alerts and events as an HTML file",
        discussion: [
            "The file needs no network and no script: it can be mailed, kept, printed, or read by a screen reader, and "
                + "follows the reader's light or dark theme. Without SYMBOL, it contains the symbols with alerts, "
                + "firing ones first, then your favourites, at most \(usualCount).",
            "TIME can be \(TimeReader.forms).",
        ],
        examples: [
            Example("alertctl report today.html", "The last 24 hours."),
            Example("alertctl report week.html btcinr ethinr --since 7d --currency SEK", "Two symbols, in kronor."),
        ],
        options: [
            OptionSpecification("since", value: "TIME", help: "Begin at this time (default: 24h ago)"),
            OptionSpecification("until", value: "TIME", help: "End at this time (default: now)"),
            OptionSpecification("force", help: "Overwrite an existing file"),
        ],
        operands: [
            OperandSpecification("FILE", kind: .file, help: "The file to write; - is standard output"),
            OperandSpecification(
                "SYMBOL", kind: .live("symbols"), isOptional: true, isRepeated: true,
                help: "Symbols to include, such as btcinr"),
        ])

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let operands = context.arguments.operands
        guard let path = operands.first else { throw .usage("FILE is missing: 'alertctl report today.html'") }
        try FileEnding.check(path, is: "HTML")
        let names = operands.dropFirst().map { $0.lowercased() }
        guard names.count <= symbolLimit else { throw .usage("a report has at most \(symbolLimit) symbols") }
        let page = try page(names, context)
        guard path != "-" else {
            context.environment.write(page.html)
            return .success
        }
        let file = try OutputFile(path, mode: 0o666, replaces: context.arguments.has("force"), takesStreams: true)
        try file.write(Array(page.html.utf8))
        try file.finish()
        context.warn("alertctl: report on \(counted(page.sections.count, "symbol")) written to \(path)")
        return .success
    }

    private static func page(_ names: [String], _ context: Context) throws(ClientError) -> ReportPage {
        let connection = try context.connect()
        let status = try connection.status()
        let display = try context.display(connection)
        let alerts = try connection.all(.listAlerts, ListAlertsParameters(), returning: ListAlertsReply.self).alerts
        let symbols = names.isEmpty ? try usual(alerts, context, connection, status) : names
        let charts = LiveCharts(connection, display, context.formatter)
        var sections: [ReportPage.Section] = []
        let assets = context.assetNames()
        var range = try TimeRange(context)
        let until = range.until ?? context.formatter.now
        let since = range.since ?? WallTime(milliseconds: until.milliseconds - ChartRequest.usualLength.count)
        guard since < until else { throw .usage("--since must be in the past") }
        range.since = since
        for symbol in symbols {
            var request = ChartRequest(symbol, context.formatter)
            if context.arguments.has("since") || context.arguments.has("until") {
                request.setLength(until.since(since), until: until, oldest: nil)
            }
            let drawn = try charts.chart(request)
            let found = try? connection.call(
                .getSymbol, GetSymbolParameters(symbol: symbol), returning: GetSymbolReply.self
            ).symbol
            sections.append(
                ReportPage.Section(
                    symbol: symbol, name: found.flatMap { $0.displayName(assets) }, chart: drawn.chart,
                    alerts: alerts.filter { alert in found.map { $0.sourced == alert.sourced } ?? false }))
        }
        let query = EventQuery(
            filter: try EventFilter(ParsedArguments()), range: range, newestFirst: true)
        let events = try query.events(limit: 500, from: connection)
        return ReportPage(
            status: status, display: display, formatter: context.formatter, since: since,
            until: until, sections: sections, events: events.events)
    }

    /// Returns the symbols to show by default: those with alerts, firing ones first, then favourites; if there are
    /// neither, the first symbols of the list.
    private static func usual(
        _ alerts: [AlertStatus], _ context: Context, _ connection: any ControlConnection, _ status: DaemonStatus
    ) throws(ClientError) -> [String] {
        let watched = alerts.filter(\.isFiring) + AlertSelection(from: alerts).shown + alerts
        let reply = try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
        let usable = reply.symbols.filter { $0.state == .ok }
        let listed = Set(usable.map(\.symbol) + usable.map(\.sourced))
        var names: [String] = []
        for name in watched.map({ status.hasSeveralSources ? $0.sourced : $0.symbol })
            + (try Favourites(context.environment).symbols)
        where listed.contains(name) && !names.contains(name) { names.append(name) }
        if names.isEmpty { names = usable.map { status.hasSeveralSources ? $0.sourced : $0.symbol } }
        return Array(names.prefix(usualCount))
    }
}
