internal import Control
internal import Market
internal import Time

/// The faults in the lines of all files: the messages of the first ones, and the number of all.
struct FaultList {
    static let shownLimit = 20

    private(set) var shown: [String] = []
    private(set) var count = 0

    mutating func add(_ fault: LineFault, file: String, line: Int) {
        count += 1
        if shown.count < Self.shownLimit { shown.append("\(file):\(line): \(fault.message)") }
    }
}

/// The content of a file: a summary and, if there are not too many, its prices in file order.
struct ScannedContent {
    /// The maximum number of prices that are kept per file: 2,000,000 × 64 bytes = 128 MB. Prices of a file in time
    /// order are kept only if the total of all files is within this limit too.
    static let sampleLimit = 2_000_000

    /// The number of prices. A kline counts as one, even if all four of its prices are used.
    private(set) var prices = 0
    fileprivate(set) var badLines = 0
    private(set) var symbols: Set<Symbol> = []
    private(set) var oldest = Int64.max
    private(set) var newest = Int64.min
    /// True while the lines are in time order.
    private(set) var isOrdered = true
    /// The time between successive prices of each symbol.
    private(set) var distances = SeriesDistances()
    /// All prices, including those of a kline before its close; nil if there are too many to keep.
    fileprivate(set) var samples: [ImportedSample]? = []
    private var lastSymbol: Symbol?

    /// Adds the price of a line, after the earlier prices of its kline (`path`).
    fileprivate mutating func add(_ sample: ImportedSample, after path: [ImportedSample]) {
        prices += 1
        if sample.milliseconds < newest { isOrdered = false }
        for point in path { distances.record(point.symbol, point.milliseconds) }
        distances.record(sample.symbol, sample.milliseconds)
        if sample.symbol != lastSymbol {
            symbols.insert(sample.symbol)
            lastSymbol = sample.symbol
        }
        oldest = min(oldest, sample.milliseconds)
        newest = max(newest, sample.milliseconds)
        samples?.append(contentsOf: path)
        samples?.append(sample)
        if samples.map({ $0.count > Self.sampleLimit }) ?? false { samples = nil }
    }
}

/// A file that was read to its end, so that its content is known before anything is imported.
struct ScannedFile {
    let file: InputFile
    let layout: ImportLayout
    let timeForm: TimeForm
    let header: ExportHeader?
    /// The options, with the length of klines if it was detected.
    let options: ImportOptions
    let unfinished: Int
    /// The number of lines of text before the header.
    let bannerLines: Int
    let hasDecimalComma: Bool
    private(set) var content: ScannedContent

    /// Scans the file. If the length of its klines must be detected, the file is scanned twice, because the length is
    /// known only at the end.
    ///
    /// - Throws: ``ClientError/file(_:)`` if the file cannot be read, or if its format is not recognized.
    init(_ file: InputFile, _ options: ImportOptions, _ faults: inout FaultList) throws(ClientError) {
        self.file = file
        var options = options
        var (reader, content) = try Self.readThrough(file, options, &faults)
        guard let layout = reader.layout, let timeForm = reader.timeForm else {
            throw .file("\(file.name): \(reader.header == nil ? "contains no prices" : "is an export without prices")")
        }
        (bannerLines, hasDecimalComma) = (reader.banner.count, reader.decimalSign == 0x2C)
        if case .csv(let columns) = layout, columns.areKlines, columns.closeTime == nil, options.klineLength == nil {
            guard let length = reader.klines.length else {
                throw .file(
                    "\(file.name): cannot detect the length of its klines; specify it, for example --interval 1h")
            }
            options.klineLength = length
            var ignored = FaultList()
            (reader, content) = try Self.readThrough(file, options, &ignored)
        }
        (self.layout, self.timeForm, header, self.options) = (layout, timeForm, reader.header, options)
        (unfinished, self.content) = (reader.unfinished, content)
    }

    /// Reads all lines and records their faults.
    private static func readThrough(
        _ file: InputFile, _ options: ImportOptions, _ faults: inout FaultList
    ) throws(ClientError) -> (ImportReader, ScannedContent) {
        var reader = ImportReader(options)
        var content = ScannedContent()
        var lines = 0
        var unknown: (fault: LineFault, line: Int)?
        var first: (fault: LineFault, line: Int)?
        try file.forEachLine { (text, line) throws(ClientError) in
            lines = line.number
            do throws(LineFault) {
                if let sample = try reader.read(text, line) { content.add(sample, after: reader.path) }
            } catch {
                content.badLines += 1
                guard reader.layout != nil else {
                    let isBanner = reader.banner.count > ImportBanner.limit
                    unknown = isBanner ? reader.banner.first : (error, line.number)
                    return false
                }
                first = first ?? (error, line.number)
                faults.add(error, file: file.name, line: line.number)
            }
            return true
        }
        // If not a single time could be read, this is not a price file, so the first fault is an error and not only a
        // bad line.
        unknown = unknown ?? (reader.layout == nil ? reader.banner.first : reader.timeForm == nil ? first : nil)
        if let unknown { throw .file("\(file.name):\(unknown.line): \(unknown.fault.message)") }
        if let fault = reader.faultAtEnd { faults.add(fault, file: file.name, line: lines + 1) }
        return (reader, content)
    }

    /// Drops the prices in memory. They are read from the file again when they are needed.
    mutating func forgetSamples() { content.samples = nil }

    /// The symbol taken from the name of the file; nil if the file or the user names one.
    var presumedSymbol: Symbol? {
        guard case .csv(let columns) = layout, columns.symbol == nil, options.symbol == nil else { return nil }
        return options.presumedSymbol
    }

    /// Passes the price of each line to the body, in file order; bad lines are skipped.
    func forEachSample(_ body: (ImportedSample) throws(ClientError) -> Void) throws(ClientError) {
        if let samples = content.samples, !options.takesWholeKlines {
            for sample in samples { try body(sample) }
            return
        }
        var reader = ImportReader(options)
        try file.forEachLine { (text, line) throws(ClientError) in
            let sample: ImportedSample?
            do throws(LineFault) {
                sample = try reader.read(text, line)
            } catch {
                sample = nil
            }
            if let sample { try body(sample) }
            return true
        }
    }

    /// The layout for people: `klines of 1h`, `times and prices with decimal comma`.
    var layoutText: String {
        recordText + (hasDecimalComma ? " with decimal comma" : "")
    }

    private var recordText: String {
        if header != nil { return "alertctl export" }
        guard case .csv(let columns) = layout else { return "JSON lines" }
        guard columns.areKlines else { return "times and prices" }
        return columns.closeTime == nil ? "klines of \(options.klineLength ?? .zero)" : "klines with close times"
    }
}
