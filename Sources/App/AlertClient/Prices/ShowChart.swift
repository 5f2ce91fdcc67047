internal import Charts
internal import Control
internal import Market
internal import Time

/// The chart of `alertctl show`, if the terminal has room for it.
struct ShowChart {
    private static let leastHeight = 12
    private static let greatestHeight = 24

    /// Draws the chart; returns nil if there is no room below the report, or if there are fewer than two prices.
    static func lines(
        _ symbol: String, below report: Report, _ context: Context, _ connection: any ControlConnection,
        _ display: PriceDisplay
    ) throws(ClientError) -> Part? {
        let formatter = context.formatter
        guard context.format.isHuman, let width = formatter.width, let height = formatter.height, width >= 60 else {
            return nil
        }
        let used = context.format.render(report, with: formatter).output.utf8.count { $0 == 0x0A }
        // The chart replaces the line of the trend in the report, which leaves one line for the prompt.
        let room = min(height - used, greatestHeight)
        guard room >= leastHeight else { return nil }
        let chart = try LiveCharts(connection, display, formatter).chart(ChartRequest(symbol, formatter)).chart
        guard chart.series.contains(where: { $0.bars.count > 1 }) else { return nil }
        let symbols = SymbolSet.usual(formatter, term: context.environment.variables["TERM"])
        return .verbatim(formatter.text(of: chart.cells(width: min(width, 120), height: room, symbols: symbols)))
    }
}
