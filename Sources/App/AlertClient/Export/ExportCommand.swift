internal import Arguments
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// `alertctl export`: writes prices, candles or events for other programs and machines.
enum ExportCommand: Command {
    static let specification = CommandLineSpecification(
        "export", summary: "Export past prices or events as JSON lines, CSV or OpenMetrics",
        discussion: [
            "The first line describes the export: source, time zone (always UTC), version and selection; in CSV it is "
                + "a comment. The last line says that the export is complete, and gives the number of records; an "
                + "export without it was interrupted. Prices are exact; 'alertctl import' can read them.",
            "OpenMetrics is for Prometheus: 'promtool tsdb create-blocks-from openmetrics FILE DIRECTORY' makes blocks "
                + "with the metric alertd_price. Such an export has no such first and last line; a complete one ends "
                + "with '# EOF'.",
            "TIME can be \(TimeReader.forms).",
        ],
        examples: [
            Example("alertctl export --output prices.jsonl", "All kept prices."),
            Example("alertctl export --symbol '*inr' --since 7d --format csv", "One week of all rupee markets."),
            Example("alertctl export --format openmetrics --output prices.om", "All prices, for Prometheus."),
            Example("alertctl export --spreadsheet --output prices.csv", "All prices, for a spreadsheet."),
            Example("alertctl export candles --symbol btcinr", "The source's candles for gaps in the prices."),
            Example("alertctl export events --since 30d --output events.csv", "The events of the last 30 days."),
        ],
        options: [
            OptionSpecification(
                "source", value: "NAME", kind: .live("sources"),
                help: "Only this source of prices; required for prices if there are several"),
            OptionSpecification(
                "symbol", value: "PATTERN", kind: .live("symbols"),
                help: "Only symbols that match this pattern; can be repeated"),
            OptionSpecification("since", value: "TIME", help: "Begin at this time (default: the oldest record)"),
            OptionSpecification("until", value: "TIME", help: "End before this time"),
            OptionSpecification(
                "format", short: "f", value: "FORMAT", kind: .oneOf(ExportFormat.allCases.map(\.rawValue)),
                help: "The format",
                details: "The default follows from the ending of the file name: .csv, .jsonl or .ndjson, .om or .prom; "
                    + "without a file or an ending, jsonl. --json and --csv mean the same as --format jsonl and "
                    + "--format csv. openmetrics is for prices only."),
            OptionSpecification(
                "spreadsheet", help: "Write CSV that opens directly in a spreadsheet",
                details: "The file begins with a byte order mark; the locale (LC_NUMERIC) determines the decimal sign, "
                    + "and with a decimal comma fields are separated by ';'. Times are in UTC. 'alertctl import' reads "
                    + "the file."),
            OptionSpecification(
                "output", short: "o", value: "FILE", kind: .file,
                help: "Write to this file, which appears only when it is complete",
                details: "A device or pipe is written to directly; a symbolic link to a file is refused."),
            OptionSpecification("force", help: "With --output, overwrite an existing file"),
        ],
        operands: [
            OperandSpecification(
                "WHAT", kind: .oneOf(["history", "candles", "events"]), isOptional: true,
                help: "history (prices, the default), candles (for gaps in the prices) or events")
        ])

    static let refusedFormats = [FormatOption.plain]

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        guard !context.arguments.has("currency") else {
            throw .usage("an export always has prices in their own currency; omit --currency")
        }
        let request = try ExportRequest(context)
        let what = context.arguments.operands.first
        guard request.format != .openMetrics || what != "events" && what != "candles" else {
            throw .usage("OpenMetrics has prices only; export \(what ?? "others") as jsonl or csv")
        }
        let connection = try context.connect()
        var writer = try ExportWriter(request, context)
        switch what {
        case "events": try exportEvents(request, connection, &writer)
        case "candles": try exportCandles(request, connection, &writer, until: context.formatter.now)
        default: try exportPrices(request, connection, &writer)
        }
        try writer.finish()
        if let output = request.output {
            context.warn("alertctl: \(counted(writer.records, "record")) written to \(plain(.text(output)))")
        }
        if writer.records == 0, !request.symbols.isEmpty {
            let names = request.symbols.map { "'\(visible($0))'" }.joined(separator: " and ")
            context.warn("alertctl: nothing is recorded for \(names) in that time; 'alertctl list' shows all symbols")
        }
        return .success
    }

    private static func exportPrices(
        _ request: ExportRequest, _ connection: any ControlConnection, _ writer: inout ExportWriter
    ) throws(ClientError) {
        var parameters = ExportPricesParameters(
            source: request.source, match: request.symbols.isEmpty ? nil : request.symbols,
            since: request.range.since?.description,
            until: request.range.until?.description)
        while true {
            let reply = try connection.call(.exportPrices, parameters, returning: ExportPricesReply.self)
            if request.format == .openMetrics, writer.openMetrics == nil {
                writer.openMetrics = OpenMetricsExport(source: reply.source, connection)
            }
            try writer.begin(ExportHeader.prices, source: reply.source, simulated: reply.simulated)
            try writer.write(reply.rows)
            guard let next = reply.next, next != parameters.next else { return }
            parameters.next = next
        }
    }

    private static func exportCandles(
        _ request: ExportRequest, _ connection: any ControlConnection, _ writer: inout ExportWriter,
        until now: WallTime
    ) throws(ClientError) {
        let parameters = ListTickersParameters(source: request.source)
        let reply = try connection.all(.listTickers, parameters, returning: ListTickersReply.self)
        let sources = Set(reply.symbols.map(\.source))
        guard sources.count < 2 else { throw .usage("there are several sources; choose one with --source") }
        let source = request.source ?? sources.first ?? ""
        try writer.begin(ExportHeader.candles, source: source, simulated: reply.simulated)
        for status in reply.symbols {
            guard let symbol = Symbol(status.symbol),
                request.patterns.isEmpty || request.patterns.contains(where: { $0.matches(symbol) })
            else { continue }
            let found = try GapCandles(
                status.sourced, since: request.range.since, until: request.range.until ?? now, from: connection)
            if let problem = found.problem { throw .storeFailed(StoreFailed(message: problem)) }
            try writer.write(found.candles, of: status.symbol)
        }
    }

    private static func exportEvents(
        _ request: ExportRequest, _ connection: any ControlConnection, _ writer: inout ExportWriter
    ) throws(ClientError) {
        // The daemon accepts only one pattern, so several patterns are matched here.
        var filter = try EventFilter(ParsedArguments())
        filter.source = request.source
        filter.pattern = request.symbols.count == 1 ? request.patterns.first : nil
        let query = EventQuery(filter: filter, range: request.range, after: 0, newestFirst: false)
        try query.forEachPage(limit: .max, of: connection) { (reply) throws(ClientError) in
            try writer.begin(ExportHeader.events, source: reply.source, simulated: reply.simulated)
            try writer.write(reply.events.filter(request.wants))
        }
    }
}

/// The value of `--format`.
enum ExportFormat: String, CaseIterable {
    case jsonLines = "jsonl"
    case csv
    case openMetrics = "openmetrics"

    /// The name of the format in ``FileEnding``.
    var name: String {
        switch self {
        case .jsonLines: "JSON lines"
        case .csv: "CSV"
        case .openMetrics: "OpenMetrics"
        }
    }

    /// Uses the format that an option gives, else the format of the file name's ending, else JSON lines.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if the ending belongs to another format than the option gives, or is not
    ///   that of an export format.
    init(_ arguments: ParsedArguments) throws(ClientError) {
        let path = arguments.value("output")
        let isForSpreadsheets = arguments.has("spreadsheet")
        let given = try Self.given(arguments)
        if isForSpreadsheets, let given, given.format != .csv {
            throw .usage("a spreadsheet opens CSV; omit \(given.option)")
        }
        if let chosen = given?.format ?? (isForSpreadsheets ? .csv : nil) {
            if let path { try FileEnding.check(path, is: chosen.name) }
            self = chosen
            return
        }
        guard let path, let ending = FileEnding.of(path) else {
            self = .jsonLines
            return
        }
        guard let named = Self.allCases.first(where: { $0.name == FileEnding.format(of: ending) }) else {
            throw .usage(
                "\(visible(path)): the ending .\(visible(ending)) does not name an export format; use .csv, .jsonl or "
                    + ".om, or choose a format with --format")
        }
        self = named
    }

    /// Returns the format that an option gives, with the option; nil without one. `--json` and `--csv` choose the
    /// format as they do for the output of other commands.
    ///
    /// - Throws: ``ClientError/usage(_:)`` if two options give different formats.
    private static func given(
        _ arguments: ParsedArguments
    ) throws(ClientError) -> (format: ExportFormat, option: String)? {
        let common: (format: ExportFormat, option: String)? =
            arguments.has("json") ? (.jsonLines, "--json") : arguments.has("csv") ? (.csv, "--csv") : nil
        guard let name = arguments.value("format"), let format = ExportFormat(rawValue: name) else { return common }
        if let common, common.format != format {
            throw .usage("\(common.option) and --format \(name) cannot be combined")
        }
        return (format, "--format \(name)")
    }
}

/// A request for an export: its selection, format and destination.
struct ExportRequest {
    /// The name of a source; nil for the only source, or for the events of all sources.
    let source: String?
    /// The symbol patterns, without the source.
    let symbols: [String]
    let patterns: [SymbolPattern]
    let range: TimeRange
    let format: ExportFormat
    var isCSV: Bool { format == .csv }
    /// True if CSV begins with the column names.
    let hasHeader: Bool
    /// The spreadsheet that CSV is written for; nil if programs read the file.
    let spreadsheet: Spreadsheet?
    var style: CSVStyle { spreadsheet?.style ?? .standard }
    /// The path of the file; nil for standard output.
    let output: String?

    init(_ context: Context) throws(ClientError) {
        let arguments = context.arguments
        let written = arguments.values("symbol").map { SourcedText($0.lowercased()) }
        source = try arguments.oneSource(of: written)
        symbols = written.map(\.symbol)
        patterns = symbols.compactMap { SymbolPattern($0) }
        guard patterns.count == symbols.count else { throw .usage(EventFilter.patternAdvice) }
        range = try TimeRange(context)
        output = arguments.value("output")
        format = try ExportFormat(arguments)
        hasHeader = !arguments.has("no-header")
        spreadsheet =
            arguments.has("spreadsheet") ? Spreadsheet(decimalSign: context.environment.decimalSign()) : nil
    }

    func wants(_ event: EventRecord) -> Bool {
        guard symbols.count > 1 else { return true }
        return event.symbol.flatMap { Symbol($0) }.map { symbol in patterns.contains { $0.matches(symbol) } } ?? false
    }
}
