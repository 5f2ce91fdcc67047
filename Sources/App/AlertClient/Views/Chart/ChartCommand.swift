internal import Arguments
internal import Charts
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// `alertctl chart SYMBOL…`: draws prices over time, with the limits of their rules.
enum ChartCommand: Command {
    static let specification = CommandLineSpecification(
        "chart", summary: "Draw the prices of a symbol with its limits",
        discussion: [
            "The chart shows the last 24 hours unless --since is given, the limits of all rules on the symbol (dashed: "
                + "where the alert resolves), and when alerts fired and resolved. A limit far from the prices is named "
                + "at the edge; with --rule, the chart always has room for the limits of that rule. Gaps in "
                + "the prices stay empty.",
            "Several symbols are compared in percent from the left edge.",
            "TIME can be \(TimeReader.forms). Prices are converted at today's exchange rates.",
            "In a UTF-8 locale, lines are drawn with braille characters, which the terminal's font has to include, as "
                + "DejaVu Sans Mono does. --symbols block needs block characters only; --symbols ascii always works.",
        ],
        examples: [
            Example("alertctl chart btcinr", "The last day, with limits and alerts."),
            Example("alertctl chart btcinr --since 7d --candles 4h", "A week in candles of four hours."),
            Example("alertctl chart btcinr ethinr solinr --since 30d", "Which one rose most?"),
            Example("alertctl chart coinranking:btcusd --period 5y", "Five years, from CoinRanking."),
            Example("alertctl chart --rule 'bitcoin band'", "What the rule watches."),
            Example("alertctl chart btcinr --since 7d --svg btcinr.svg", "A picture for a web page."),
            Example("alertctl chart --file BTCUSDT-1m-2026-10.csv", "Recorded prices; no daemon is needed."),
        ],
        options: [
            symbolSourceOption,
            OptionSpecification(
                "since", value: "TIME", help: "Begin at this time: 1h, 24h, 7d, 30d … (default: 24h ago)"),
            OptionSpecification("until", value: "TIME", help: "End at this time (default: now)"),
            periodOption,
            OptionSpecification("candles", value: "DURATION", help: "Draw candles of this length: 5m, 1h, 1d"),
            OptionSpecification("area", help: "Fill the area below the line"),
            OptionSpecification("log", help: "Use a logarithmic scale"),
            OptionSpecification(
                "relative", help: "Show percentages from the left edge; always with several symbols"),
            OptionSpecification(
                "rule", value: "NAME", kind: .live("rules"), help: "Show the limits and alerts of this rule only"),
            OptionSpecification(
                "size", value: "SIZE",
                help: "Columns and rows of the chart, such as 100x30; with --svg, its pixels, such as 800x400"),
            OptionSpecification(
                "symbols", value: "SET", kind: .oneOf(SymbolSet.allCases.map(\.rawValue)),
                help: "The characters to draw with"),
            OptionSpecification(
                "svg", value: "FILE", kind: .file, help: "Write the chart to this file as SVG; - is standard output"),
            OptionSpecification("force", help: "With --svg, overwrite an existing file"),
            OptionSpecification(
                "file", value: "FILE", kind: .file,
                help: "Draw the prices of this file instead of the daemon's; - is standard input",
                details: "Formats are those of 'alertctl import'. The option can be repeated."),
            OptionSpecification(
                "interval", value: "DURATION", help: "With --file: the length of a kline, if it cannot be detected"),
        ],
        operands: [
            OperandSpecification(
                "SYMBOL", kind: .live("symbols"), isOptional: true, isRepeated: true,
                help: "The name of a symbol, such as btcinr")
        ])

    /// Maximum number of symbols in a chart: more lines could not be distinguished.
    static let symbolLimit = 6

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let request = try ChartRequest(context)
        let result = context.arguments.has("file") ? try fileChart(request, context) : try liveChart(request, context)
        try ChartOutput(request, context).show(result)
        return .success
    }

    /// Charts the daemon's prices, with the limits of its rules.
    private static func liveChart(_ request: ChartRequest, _ context: Context) throws(ClientError) -> ChartResult {
        let connection = try context.connect()
        let display = try context.display(connection)
        let source = LiveCharts(connection, display, context.formatter)
        var request = request
        if request.symbols.isEmpty { request.symbols = [try onlySymbol(of: request.rule, connection)] }
        return try source.chart(request)
    }

    private static func onlySymbol(
        of rule: String?, _ connection: any ControlConnection
    ) throws(ClientError) -> String {
        guard let rule else { throw .usage("SYMBOL is missing: 'alertctl chart btcinr'") }
        let explained = try connection.all(.explain, ExplainParameters(rule: rule), returning: ExplainReply.self)
        let hasSeveral = try connection.status().hasSeveralSources
        let symbols = explained.alerts.map { hasSeveral ? $0.alert.sourced : $0.alert.symbol }.reduce(into: [String]())
        { all, symbol in
            if !all.contains(symbol) { all.append(symbol) }
        }
        guard let symbol = symbols.first else { throw .usage("rule '\(visible(rule))' matches no symbol") }
        guard symbols.count == 1 else {
            let some = symbols.prefix(5).joined(separator: ", ")
            throw .usage("rule '\(visible(rule))' matches \(symbols.count) symbols; name one: \(visible(some)) …")
        }
        return symbol
    }

    private static func fileChart(_ request: ChartRequest, _ context: Context) throws(ClientError) -> ChartResult {
        guard !context.arguments.has("currency") else {
            throw .usage("a file has no exchange rates; omit --currency")
        }
        guard request.rule == nil else { throw .usage("--rule needs the daemon; omit --file") }
        return try FileChart(context).chart(request, context.formatter)
    }
}

/// A chart and the texts that are shown with it.
struct ChartResult {
    var chart: Chart
    var simulated: Bool?
    /// Lines above the chart, such as the exchange rates.
    var banner: [Part] = []
    var metadata: [Field] = []
}
