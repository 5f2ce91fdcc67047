internal import Control
internal import Market
internal import Time

/// Prices as OpenMetrics with timestamps, for `promtool tsdb create-blocks-from openmetrics`: the metric
/// `alertd_price` with the same labels as in the daemon's metrics.
struct OpenMetricsExport {
    static let header = "# TYPE alertd_price gauge\n# HELP alertd_price The last price\n"
    /// The last line, which also shows that the export is complete.
    static let end = "# EOF\n"

    private let source: String
    /// The quote assets by symbol. Symbols with an unknown quote asset have no entry.
    private let quotes: [String: String]

    /// - Parameters:
    ///   - source: the name of the source.
    ///   - connection: the daemon, which is asked for quote assets. A symbol that the daemon does not list gets no
    ///     label for its quote asset.
    init(source: String, _ connection: any ControlConnection) {
        self.source = source
        let parameters = ListTickersParameters(source: source)
        let tickers = try? connection.all(.listTickers, parameters, returning: ListTickersReply.self)
        let pairs = (tickers?.symbols ?? []).compactMap { symbol in symbol.quote.map { (symbol.symbol, $0) } }
        quotes = Dictionary(pairs) { first, _ in first }
    }

    /// Returns the line of a sample.
    ///
    /// - Throws: `malformed` for an invalid name or price, which could add samples or control the terminal.
    func line(_ symbol: String, _ price: String, at time: WallTime) throws(ClientError) -> String {
        guard SourceName(source) != nil else { throw .malformed("the source '\(source)'") }
        guard Symbol(symbol) != nil else { throw .malformed("the symbol '\(symbol)'") }
        guard (try? Price(price)) != nil else { throw .malformed("the price '\(price)'") }
        let asset = quotes[symbol]
        guard asset.map({ Asset($0) != nil }) ?? true else { throw .malformed("a quote asset of '\(symbol)'") }
        let quote = asset.map { ",quote=\"\($0)\"" } ?? ""
        let seconds = Price(mantissa: time.milliseconds, scale: 3).map { "\($0.reduced)" } ?? "0"
        return "alertd_price{source=\"\(source)\",symbol=\"\(symbol)\"\(quote)} \(price) \(seconds)\n"
    }
}
