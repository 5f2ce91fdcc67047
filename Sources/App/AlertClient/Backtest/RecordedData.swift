internal import Arguments
internal import Configuration
internal import Engine
internal import Market
internal import Time
internal import Trials

/// The price files that rules are run on. Each file was scanned once and can be read again any number of times.
struct RecordedData: PriceRecording {
    /// The maximum number of files; all of them stay open.
    private static let fileLimit = 256

    let files: [ScannedFile]
    /// Bad lines, which are skipped.
    let faults: FaultList
    /// True if any prices are simulated, else nil.
    var isSimulated: Bool? { files.contains { $0.header?.simulated == true } ? true : nil }
    /// The usual time between two prices of each symbol: the most frequent one. Symbols with fewer than two prices
    /// have none.
    private(set) var steps: [Symbol: Milliseconds] = [:]
    /// The longest of ``steps``; nil if no symbol has two prices.
    var step: Milliseconds? { steps.values.max() }

    /// Opens and scans the files that `--data` names, and the operands that follow the first `rules` operands.
    ///
    /// - Throws: ``ClientError`` if there are no files, or if the format of a file is not recognized.
    init(_ context: Context, behind rules: Int) throws(ClientError) {
        guard !context.arguments.has("currency") else {
            throw .usage("prices are shown in the currency of their rule; omit --currency")
        }
        let paths = context.arguments.values("data") + context.arguments.operands.dropFirst(rules)
        guard !paths.isEmpty else { throw .usage("no price files; specify them with --data FILE") }
        guard paths.count <= Self.fileLimit else {
            throw .usage("more than \(Self.fileLimit) price files; join them, for example with cat")
        }
        var options = try ImportOptions(context)
        options.takesWholeKlines = context.arguments.value("bars") == "ohlc"
        let scanned = try ScannedFiles(paths, options, context)
        (files, faults) = (scanned.all, scanned.faults)
        guard files.contains(where: { $0.content.prices > 0 }) else {
            throw .file("\(files[0].file.name): contains no prices")
        }
        steps = try usualDistances()
    }

    /// Returns the usual time between two prices of each symbol. The scan of the files has already found these times,
    /// unless a symbol is in several files or a file is unsorted; in that case, the merged prices are read once more.
    private func usualDistances() throws(ClientError) -> [Symbol: Milliseconds] {
        let areSeparate =
            files.reduce(0) { $0 + $1.content.symbols.count }
            == files.reduce(into: Set()) { $0.formUnion($1.content.symbols) }.count
        guard !areSeparate || !files.allSatisfy(\.content.isOrdered) else {
            return files.reduce(into: [:]) { steps, file in
                steps.merge(file.content.distances.usual) { first, _ in first }
            }
        }
        var distances = SeriesDistances()
        try forEachMoment { prices, time in
            for price in prices { distances.record(price.symbol, time.milliseconds) }
        }
        return distances.usual
    }

    /// Calls the body with the prices of all files in time order.
    ///
    /// - Throws: ``ClientError`` if a file cannot be read, or is not sorted and too large to sort.
    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError) {
        var streams: [SampleStream] = []
        for file in files where file.content.prices > 0 { streams.append(try SampleStream(file)) }
        var merge = SampleMerge(streams)
        while let time = try merge.next() { body(merge.prices, time) }
    }
}

extension Symbol {
    /// Finds the symbol in a file name: the first part, or else the first pair of adjacent parts, that ends with a
    /// common quote asset (`BTCUSDT-1m-2026-11.csv`, `1m_BTC-USDT.csv`). If there is none, the whole name is the
    /// symbol (`solgbx.csv`).
    init?(presumedFrom path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem = name.prefix { $0 != "." }.lowercased()
        let parts = stem.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let pairs = zip(parts, parts.dropFirst()).filter { Milliseconds($0) == nil && Milliseconds($1) == nil }
        let candidates = parts + pairs.map { $0 + $1 }
        let quoted = candidates.lazy.compactMap { Symbol($0) }.first { $0.presumedQuote != nil }
        guard let symbol = quoted ?? Symbol(stem) else { return nil }
        self = symbol
    }
}

/// The durations that rules are evaluated with.
struct BacktestTimes {
    let settings: EngineSettings
    /// A message about gaps if prices are not as far apart as the settings suggest; else nil.
    let note: String?

    /// Uses the `max_gap` that the user gave, as an option or in the settings. Without it, two prices of a symbol have
    /// a gap between them if the time between them is more than three times the usual time.
    init(_ loaded: LoadedSettings, _ data: RecordedData, maximumGap: Milliseconds?) {
        let feed = loaded.settings.feed
        let step = data.step ?? feed.interval
        let written = maximumGap ?? feed.givenMaximumGap
        var settings = EngineSettings(loaded.settings)
        settings.staleAfter = max(feed.interval, step).times(3)
        settings.maximumGap = written ?? step.times(3)
        if written == nil { settings.symbolGaps = data.steps.mapValues { $0.times(3) } }
        self.settings = settings
        if let written {
            note =
                step > written
                ? "Prices are \(step) apart, more than max_gap (\(written)), so each has a gap before it." : nil
        } else {
            note = Self.gapMessage(data, feed.interval)
        }
    }

    /// Uses the durations of the settings, as the daemon does.
    init(of loaded: LoadedSettings) {
        settings = EngineSettings(loaded.settings)
        note = nil
    }

    private static func gapMessage(_ data: RecordedData, _ interval: Milliseconds) -> String? {
        guard let shortest = data.steps.values.min(), let longest = data.step,
            (shortest, longest) != (interval, interval)
        else { return nil }
        guard shortest != longest else {
            return "Prices are \(longest) apart, not \(interval) as in the settings, so a gap is assumed only "
                + "between prices more than \(longest.times(3)) apart."
        }
        return "Prices are \(shortest) to \(longest) apart, so a gap is assumed only between prices of a "
            + "symbol that are more than three times as far apart as most."
    }
}
