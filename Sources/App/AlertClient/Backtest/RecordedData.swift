internal import Arguments
internal import Configuration
internal import Engine
internal import Market
internal import Time
internal import Trials

/// The price files that rules are run on. Each was read through once, and can be read any number of times.
struct RecordedData {
    /// All files stay open.
    private static let fileLimit = 256

    let files: [ScannedFile]
    /// The bad lines, which are skipped.
    let faults: FaultList
    /// True if any prices are simulated, else nil.
    var isSimulated: Bool? { files.contains { $0.header?.simulated == true } ? true : nil }
    /// The usual time between prices in the coarsest file; nil with fewer than two prices.
    var step: Milliseconds? { files.compactMap(\.step).max() }

    /// Opens and checks the files that `--data` and the operands after the first `rules` ones name.
    ///
    /// - Throws: ``ClientError`` if there are no files, or one is not recognised.
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
        var faults = FaultList()
        var files: [ScannedFile] = []
        for path in paths {
            let file = try InputFile(path, standardInput: context.environment.standardInput)
            options.presumedSymbol = Symbol(presumedFrom: path)
            files.append(try ScannedFile(file, options, &faults))
        }
        self.files = files
        self.faults = faults
        guard files.contains(where: { $0.prices > 0 }) else { throw .file("\(files[0].file.name): contains no prices") }
    }

    /// Hands over the prices of all files in the order of time.
    ///
    /// - Throws: ``ClientError`` if a file cannot be read, or is not sorted and too large to sort.
    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError) {
        var streams: [SampleStream] = []
        for file in files where file.prices > 0 { streams.append(try SampleStream(file)) }
        var merge = SampleMerge(streams)
        while let time = try merge.next() { body(merge.prices, time) }
    }
}

extension Symbol {
    /// The symbol in a file name: the first part of the name, or the first two, that end with a common quote asset
    /// (`BTCUSDT-1m-2026-11.csv`, `1m_BTC-USDT.csv`), or else its whole name (`solgbx.csv`).
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
    /// A message if they differ from the settings.
    let note: String?

    /// Those of the settings, unless the prices are further apart than polls, or the user gives others.
    init(_ loaded: LoadedSettings, step: Milliseconds?, maximumGap: Milliseconds?) {
        let feed = loaded.settings.feed
        let interval = max(feed.interval, step ?? .zero)
        let isCoarser = interval > feed.interval
        let gap = maximumGap ?? (isCoarser ? interval.times(3) : feed.maximumGap)
        var settings = EngineSettings(loaded.settings)
        (settings.maximumGap, settings.staleAfter) = (gap, interval.times(3))
        self.settings = settings
        note =
            maximumGap == nil && isCoarser
            ? "Prices are \(interval) apart, not \(feed.interval) as in the settings, so only prices more than "
                + "\(gap) apart count as having a gap between them." : nil
    }
}
