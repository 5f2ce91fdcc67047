internal import Arguments
internal import Configuration
internal import Engine
internal import Market
internal import Time
internal import Trials

/// The files of prices that rules are run over: each was read through once, and can be read as often as one likes.
struct RecordedData {
    /// Each is open all the time.
    private static let fileLimit = 256

    let files: [ScannedFile]
    /// What is wrong with their lines, which are left out.
    let faults: FaultList
    /// Whether prices of a simulated market are among them; nil when none are.
    var isSimulated: Bool? { files.contains { $0.header?.simulated == true } ? true : nil }
    /// How far apart the prices of the coarsest file usually are; nil for less than two.
    var step: Milliseconds? { files.compactMap(\.step).max() }

    /// Opens and checks the files that `--data` and the operands behind the first `rules` name.
    ///
    /// - Throws: ``ClientError`` when there is none, or nobody can tell what one holds.
    init(_ context: Context, behind rules: Int) throws(ClientError) {
        guard !context.arguments.has("currency") else {
            throw .usage("prices are shown in the currency that their rule decides in; leave --currency out")
        }
        let paths = context.arguments.values("data") + context.arguments.operands.dropFirst(rules)
        guard !paths.isEmpty else { throw .usage("no prices to run over; name files with --data FILE") }
        guard paths.count <= Self.fileLimit else {
            throw .usage("more than \(Self.fileLimit) files of prices; join them, for example with cat")
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
        guard files.contains(where: { $0.prices > 0 }) else { throw .file("\(files[0].file.name): holds no prices") }
    }

    /// Hands over the prices of all files, moment by moment.
    ///
    /// - Throws: ``ClientError`` when a file cannot be read, or is in no order and too large to be put in order.
    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError) {
        var streams: [SampleStream] = []
        for file in files where file.prices > 0 { streams.append(try SampleStream(file)) }
        var merge = SampleMerge(streams)
        while let time = try merge.next() { body(merge.prices, time) }
    }
}

extension Symbol {
    /// The symbol that a file is called after: the first part of its name, or the first two, that end with what
    /// exchanges quote prices in (`BTCUSDT-1m-2026-11.csv`, `1m_BTC-USDT.csv`), or else its whole name (`solgbx.csv`).
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

/// The times that rules are evaluated with, and how they came about.
struct BacktestTimes {
    let settings: EngineSettings
    /// What there is to say about them; nil when those of the settings hold.
    let note: String?

    /// The settings' own, unless the prices are further apart than the settings' polls or the user says otherwise.
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
            ? "The prices are \(interval) apart, not \(feed.interval) as in the settings: "
                + "samples further apart than \(gap) have a gap between them." : nil
    }
}
