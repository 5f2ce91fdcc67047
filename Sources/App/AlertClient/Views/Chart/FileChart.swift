internal import Arguments
internal import Charts
internal import Diagnostics
internal import Market
internal import Time
internal import Trials

/// A chart of the prices in files, without a daemon.
struct FileChart {
    private let files: [ScannedFile]

    /// Scans the files that `--file` names; bad lines are reported and skipped.
    init(_ context: Context) throws(ClientError) {
        var options = ImportOptions(now: context.formatter.now)
        options.klineLength = try context.length("interval")
        options.takesWholeKlines = true
        let scanned = try ScannedFiles(context.arguments.values("file"), options, context)
        files = scanned.all
        context.warn(lines: scanned.faults.shown.map { "Skipped: \($0)" })
        guard files.contains(where: { $0.content.prices > 0 }) else {
            throw .file("\(files[0].file.name): contains no prices")
        }
    }

    func chart(_ request: ChartRequest, _ formatter: HumanFormatter) throws(ClientError) -> ChartResult {
        let names = try names(request)
        let span = try span(request)
        var collectors = names.map { _ in BarCollector(span) }
        for file in files where file.content.prices > 0 {
            var stream = try SampleStream(file)
            while let sample = try stream.next() {
                guard let place = names.firstIndex(of: sample.symbol) else { continue }
                collectors[place].add(sample.price.approximate, at: sample.milliseconds)
            }
        }
        // The four prices of a kline are closer together than klines are, so use at least the length of a kline.
        let usual = files.reduce(into: [Symbol: Milliseconds]()) { all, file in
            let length = file.options.klineLength
            all.merge(file.content.distances.usual.mapValues { max($0, length ?? .zero) }) { first, second in
                max(first, second)
            }
        }
        let series = zip(names, collectors).map { name, collector in
            let series = collector.series("\(name)", gap: (usual[name] ?? .zero).times(3))
            return styled(series, request)
        }
        let clock = ChartClock(span, formatter.zone)
        let quote = names.count == 1 ? names[0].presumedQuote.flatMap { Currency("\($0)") } : nil
        var chart = Chart(
            title: names.map { "\($0)" }.joined(separator: ", "), rangeText: request.text(span, formatter.now, clock),
            series: series, span: span, unit: quote.map { .money($0, isConverted: false) } ?? .plain, clock: clock)
        chart.isLogarithmic = request.isLogarithmic
        chart.isRelative = request.isRelative || names.count > 1
        let isSimulated = files.contains { $0.header?.simulated == true }
        return ChartResult(chart: chart, simulated: isSimulated ? true : nil)
    }

    private func styled(_ series: ChartSeries, _ request: ChartRequest) -> ChartSeries {
        if let length = request.candles { return series.candles(of: length) }
        var series = series
        if request.isArea { series.style = .area }
        return series
    }

    /// Returns the symbols that the user names, else all symbols in the files.
    private func names(_ request: ChartRequest) throws(ClientError) -> [Symbol] {
        let known = files.reduce(into: Set<Symbol>()) { $0.formUnion($1.content.symbols) }.sorted { "\($0)" < "\($1)" }
        guard !request.symbols.isEmpty else {
            guard known.count <= ChartCommand.symbolLimit else {
                throw .usage("the file has \(known.count) symbols; name up to \(ChartCommand.symbolLimit) of them")
            }
            return known
        }
        var names: [Symbol] = []
        for text in request.symbols {
            guard let name = Symbol(text), known.contains(name) else {
                let some = known.prefix(5).map { "\($0)" }.joined(separator: ", ")
                throw .usage("the file has no prices of '\(visible(text))'; it has: \(some)")
            }
            names.append(name)
        }
        return names
    }

    /// Returns the time span of the files, limited to the range that the user gives.
    private func span(_ request: ChartRequest) throws(ClientError) -> Range<WallTime> {
        let filled = files.filter { $0.content.prices > 0 }
        // The oldest price may be the close of a kline, which began earlier.
        let length = filled.compactMap(\.options.klineLength).max() ?? .zero
        let oldest = WallTime(milliseconds: (filled.map(\.content.oldest).min() ?? 0) - length.count)
        let newest = WallTime(milliseconds: (filled.map(\.content.newest).max() ?? 0) + 1)
        let (start, end) = (request.since ?? oldest, min(request.until, newest))
        guard start < end else { throw .usage("the file has no prices between --since and --until") }
        return start..<end
    }
}
