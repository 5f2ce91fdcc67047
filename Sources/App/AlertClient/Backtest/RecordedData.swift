internal import Arguments
internal import Configuration
internal import Engine
internal import Market
internal import Time
internal import Trials

/// The price files that rules are run on. Each was read through once, and can be read any number of times.
struct RecordedData: PriceRecording {
    /// All files stay open.
    private static let fileLimit = 256

    let files: [ScannedFile]
    /// The bad lines, which are skipped.
    let faults: FaultList
    /// True if any prices are simulated, else nil.
    var isSimulated: Bool? { files.contains { $0.header?.simulated == true } ? true : nil }
    /// The most frequent distance of the prices of each symbol that has at least two.
    private(set) var steps: [Symbol: Milliseconds] = [:]
    /// That of the symbol whose prices are furthest apart; nil with fewer than two prices.
    var step: Milliseconds? { steps.values.max() }

    /// Opens and checks the files that `--data` and the operands after the first `rules` ones name.
    ///
    /// - Throws: ``ClientError`` if there are no files, or one is not recognized.
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

    /// Counted while the files were read, unless only their merged prices are in the order of time.
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
            for price in prices { distances.note(price.symbol, time.milliseconds) }
        }
        return distances.usual
    }

    /// Hands over the prices of all files in the order of time.
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
    /// A message if prices are judged by other gaps than the settings have for the daemon.
    let note: String?

    /// What the user has written, as an option or in the settings, holds. Otherwise prices of a symbol have a gap
    /// between them when they are three times as far apart as usual.
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
            note = Self.note(data, feed.interval)
        }
    }

    /// As the daemon evaluates rules.
    init(of loaded: LoadedSettings) {
        settings = EngineSettings(loaded.settings)
        note = nil
    }

    private static func note(_ data: RecordedData, _ interval: Milliseconds) -> String? {
        guard let shortest = data.steps.values.min(), let longest = data.step,
            (shortest, longest) != (interval, interval)
        else { return nil }
        guard shortest != longest else {
            return "Prices are \(longest) apart, not \(interval) as in the settings, so only prices more than "
                + "\(longest.times(3)) apart count as having a gap between them."
        }
        return "Prices are \(shortest) to \(longest) apart, so only prices of a symbol more than three times as far "
            + "apart as most of them count as having a gap between them."
    }
}
