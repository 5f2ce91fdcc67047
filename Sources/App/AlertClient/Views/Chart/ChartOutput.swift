internal import Arguments
internal import Charts
internal import Control
internal import Market
internal import Time

/// A writer of charts in the format that the user asks for.
struct ChartOutput {
    private let request: ChartRequest
    private let context: Context

    init(_ request: ChartRequest, _ context: Context) {
        self.request = request
        self.context = context
    }

    func show(_ result: ChartResult) throws(ClientError) {
        if let path = request.svg { return try write(result, to: path) }
        var parts = [Part.metadata(result.metadata)] + result.banner
        if context.format.isHuman { parts += lines(of: result, bannerRows: result.banner.count) }
        context.show(Report(simulated: result.simulated, parts: parts + ChartTables(result.chart).parts))
    }

    /// Returns the chart, followed by its caption.
    private func lines(of result: ChartResult, bannerRows: Int) -> [Part] {
        let formatter = context.formatter
        let caption = result.chart.caption(hasUnicode: request.symbolSet.hasUnicode)
        let width = request.size?.width ?? formatter.width ?? 80
        let rest = caption.count / max(1, width) + 3 + bannerRows + (result.simulated == true ? 1 : 0)
        let height = request.size?.height ?? formatter.height.map { max(10, min($0 - rest, width * 2 / 5)) } ?? 20
        let grid = result.chart.cells(width: width, height: height, symbols: request.symbolSet)
        return [.verbatim(formatter.text(of: grid)), .text(caption, .muted)]
    }

    /// Writes the chart as SVG. The picture may be shown without its context, so it says if the market is simulated.
    private func write(_ result: ChartResult, to path: String) throws(ClientError) {
        var chart = result.chart
        if result.simulated == true { chart.rangeText += ", SIMULATED" }
        let (width, height) = request.size ?? (800, 400)
        let text = chart.svg(width: width, height: height)
        guard path != "-" else { return context.environment.write(text) }
        let file = try OutputFile(
            path, mode: 0o666, replaces: context.arguments.has("force"), takesStreams: true)
        try file.write(Array(text.utf8))
        try file.finish()
        context.warn("alertctl: chart written to \(path)")
    }
}

extension HumanFormatter {
    /// Returns the lines of a grid in the terminal's colours, each with a line end.
    func text(of grid: CellGrid) -> String {
        grid.lines(Palette(colorDepth, isLight: isLight)).map { $0 + "\n" }.joined()
    }
}

/// The data of a chart as tables, for programs.
private struct ChartTables {
    private let chart: Chart

    init(_ chart: Chart) {
        self.chart = chart
    }

    var parts: [Part] { [.table(bars), .table(limits), .table(markers)] }

    private var bars: Table {
        let rows = chart.series.flatMap { series in
            series.bars.map { bar in
                [Cell(.text(series.name)), Cell(.time(WallTime(milliseconds: bar.time).description))]
                    + [bar.open, bar.high, bar.low, bar.close].map { Cell(number($0)) }
            }
        }
        return table("bars", ["series", "time", "open", "high", "low", "close"], rows)
    }

    private var limits: Table {
        let rows = chart.limits.map { line in
            [
                Cell(number(line.value)), Cell(line.clear.map(number) ?? .missing), Cell(.text(line.label)),
                Cell(.flag(line.isFiring)),
            ]
        }
        return table("limits", ["limit", "clear", "label", "firing"], rows)
    }

    private var markers: Table {
        let rows = chart.markers.map { marker in
            [
                Cell(.time(marker.time.description)), Cell(.text("\(marker.kind)")), Cell(number(marker.value)),
                Cell(.text(marker.text)),
            ]
        }
        return table("events", ["time", "kind", "price", "text"], rows)
    }

    private func number(_ value: Double) -> Value { .decimal(Price(approximating: value)?.reduced.description) }

    private func table(_ key: String, _ columns: [String], _ rows: [[Cell]]) -> Table {
        Table(key: key, columns: columns.map { Column($0, nil) }, rows: rows, whenEmpty: "")
    }
}
