internal import Arguments
internal import Control
internal import Market
internal import Time

/// A writer of exports, page by page, in the requested format.
struct ExportWriter {
    private static let columns = ["time", "symbol", "price"].map { Column($0, nil) }
    private static let candleColumns = ["time", "symbol", "open", "high", "low", "close", "volume"].map {
        Column($0, nil)
    }

    private let request: ExportRequest
    private let context: Context
    private let file: OutputFile?
    private var hasBegun = false
    /// True if the export has a first and last line that describe it.
    private var isDescribed = true
    private(set) var records = 0
    /// The format of prices in OpenMetrics; nil for other formats and until the source is known.
    var openMetrics: OpenMetricsExport?

    init(_ request: ExportRequest, _ context: Context) throws(ClientError) {
        self.request = request
        self.context = context
        file =
            if let output = request.output {
                try OutputFile(output, mode: 0o666, replaces: context.arguments.has("force"), takesStreams: true)
            } else { nil }
    }

    /// Writes the header on the first call.
    mutating func begin(_ what: String, source: String, simulated: Bool) throws(ClientError) {
        guard !hasBegun else { return }
        hasBegun = true
        guard request.format != .openMetrics else { return try put(OpenMetricsExport.header) }
        let header = ExportHeader(
            what: what, version: Version.current, source: source, simulated: simulated,
            exported: context.formatter.now.description, symbols: request.symbols,
            since: request.range.since?.description, until: request.range.until?.description)
        guard request.isCSV else { return try put(header.json + "\n") }
        let columns =
            switch what {
            case ExportHeader.events: eventColumns
            case ExportHeader.candles: Self.candleColumns
            default: Self.columns
            }
        // A spreadsheet shows comments as rows, so its file gets them only if prices are simulated, because that must
        // be stated.
        isDescribed = request.spreadsheet == nil || simulated
        try put(
            (request.spreadsheet == nil ? "" : Spreadsheet.byteOrderMark)
                + (isDescribed ? header.comment + "\n" : "")
                + (request.hasHeader ? csvHeader(columns, request.style) + "\n" : ""))
    }

    mutating func write(_ rows: [PriceRow]) throws(ClientError) {
        for row in rows {
            records += min(row.symbols.count, row.prices.count)
            if let openMetrics {
                guard let time = WallTime(rfc3339: row.time) else { throw .malformed("the time '\(row.time)'") }
                var lines = ""
                for (symbol, price) in zip(row.symbols, row.prices) {
                    lines += try openMetrics.line(symbol, price, at: time)
                }
                try put(lines)
                continue
            }
            let time = plain(.time(row.time))
            try put(
                zip(row.symbols, row.prices).map { symbol, price in
                    request.isCSV
                        ? csvLine(
                            [Cell(.time(row.time)), Cell(.text(symbol)), Cell(.decimal(price))], Self.columns,
                            request.style) + "\n"
                        : jsonText(of: [.time(time), .text(symbol), .decimal(price)].map { Cell($0) }, Self.columns)
                            + "\n"
                }.joined())
        }
    }

    mutating func write(_ candles: [PriceCandle], of symbol: String) throws(ClientError) {
        records += candles.count
        try put(
            candles.map { candle in
                let prices = [candle.open, candle.high, candle.low, candle.close, candle.volume]
                let cells = [Cell(.time(candle.time)), Cell(.text(symbol))] + prices.map { Cell(.decimal($0)) }
                return
                    (request.isCSV
                    ? csvLine(cells, Self.candleColumns, request.style) : jsonText(of: cells, Self.candleColumns))
                    + "\n"
            }.joined())
    }

    mutating func write(_ events: [EventRecord]) throws(ClientError) {
        records += events.count
        let own = PriceDisplay.own(hasUnicode: true)
        try put(
            events.map {
                request.isCSV
                    ? csvLine(eventRow($0, own), eventColumns, request.style) + "\n" : jsonLine(of: $0, own)
            }.joined())
    }

    /// Writes the last line, and gives the file its final name.
    func finish() throws(ClientError) {
        let end = ExportEnd(records: records)
        switch request.format {
        case .jsonLines: try put(end.json + "\n")
        case .csv: if isDescribed { try put(end.comment + "\n") }
        case .openMetrics: try put(OpenMetricsExport.end)
        }
        try file?.finish()
    }

    private func put(_ text: String) throws(ClientError) {
        guard let file else {
            context.environment.write(text)
            if let failure = context.environment.outputFailure() { throw .file(failure) }
            return
        }
        try file.write(Array(text.utf8))
    }
}
