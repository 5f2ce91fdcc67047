internal import Control
internal import Market
internal import Time

/// What is wrong with the lines of all files: the first of them in words, and how many.
struct FaultList {
    static let shownLimit = 20

    private(set) var shown: [String] = []
    private(set) var count = 0

    mutating func add(_ fault: LineFault, file: String, line: Int) {
        count += 1
        if shown.count < Self.shownLimit { shown.append("\(file):\(line): \(fault.message)") }
    }
}

/// A file that was read through once, so that it is known what it holds before anything of it is imported.
struct ScannedFile {
    let file: InputFile
    let layout: ImportLayout
    let timeForm: TimeForm
    let header: ExportHeader?
    /// The options with all that the file has shown.
    let options: ImportOptions
    private(set) var prices = 0
    private(set) var badLines = 0
    private(set) var unfinished = 0
    private(set) var symbols: Set<Symbol> = []
    private(set) var oldest = Int64.max
    private(set) var newest = Int64.min
    /// Whether the lines are in the order of time.
    private(set) var isOrdered = true
    private var distances = UsualDistance()

    /// Reads the file twice: how long its klines are is known only at its end.
    ///
    /// - Throws: ``ClientError/file(_:)`` when it cannot be read, or when nobody can tell what it holds.
    init(_ file: InputFile, _ options: ImportOptions, _ faults: inout FaultList) throws(ClientError) {
        self.file = file
        var options = options
        let reader = try Self.readThrough(file, options, &faults)
        guard let layout = reader.layout, let timeForm = reader.timeForm else {
            throw .file("\(file.name): \(reader.header == nil ? "holds no prices" : "is an export without prices")")
        }
        if case .csv(let columns) = layout, columns.areKlines, columns.closeTime == nil, options.klineLength == nil {
            guard let length = reader.klines.length else {
                throw .file(
                    "\(file.name): cannot tell how long its klines are; say it with --interval, such as --interval 1h")
            }
            options.klineLength = length
        }
        (self.layout, self.timeForm, header, self.options) = (layout, timeForm, reader.header, options)
        try count()
    }

    /// Notes what is wrong with the lines.
    private static func readThrough(
        _ file: InputFile, _ options: ImportOptions, _ faults: inout FaultList
    ) throws(ClientError) -> ImportReader {
        var reader = ImportReader(options)
        var lines = 0
        var unknown: LineFault?
        try file.forEachLine { (text, line, number) throws(ClientError) in
            lines = number
            do throws(LineFault) {
                _ = try reader.read(text, line)
            } catch {
                if reader.layout == nil { unknown = error } else { faults.add(error, file: file.name, line: number) }
            }
            return unknown == nil
        }
        if let unknown { throw .file("\(file.name):\(lines): \(unknown.message)") }
        if let fault = reader.faultAtEnd { faults.add(fault, file: file.name, line: lines + 1) }
        return reader
    }

    private mutating func count() throws(ClientError) {
        var reader = ImportReader(options)
        try file.forEachLine { (text, line, _) throws(ClientError) in
            do throws(LineFault) {
                if let sample = try reader.read(text, line) {
                    prices += 1
                    if sample.milliseconds < newest { isOrdered = false }
                    distances.note(sample)
                    symbols.insert(sample.symbol)
                    oldest = min(oldest, sample.milliseconds)
                    newest = max(newest, sample.milliseconds)
                }
            } catch {
                badLines += 1
            }
            return true
        }
        unfinished = reader.unfinished
    }

    /// Hands over all its prices, in the order of the file; bad lines are passed over.
    func forEachSample(_ body: (ImportedSample) throws(ClientError) -> Void) throws(ClientError) {
        var reader = ImportReader(options)
        try file.forEachLine { (text, line, _) throws(ClientError) in
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

    /// How far apart successive prices of a symbol usually are; nil for less than two.
    var step: Milliseconds? { distances.median }

    /// `klines of 1h`
    var layoutWords: String {
        if header != nil { return "export of alertctl" }
        guard case .csv(let columns) = layout else { return "JSON lines" }
        guard columns.areKlines else { return "times and prices" }
        return columns.closeTime == nil ? "klines of \(options.klineLength ?? .zero)" : "klines with close times"
    }
}

/// How far apart the prices of a symbol are, as the first of them tell it.
private struct UsualDistance {
    /// 10,000 × 8 bytes.
    private static let limit = 10_000

    private var last: [Symbol: Int64] = [:]
    private var distances: [Int64] = []

    mutating func note(_ sample: ImportedSample) {
        guard distances.count < Self.limit else { return }
        if let before = last.updateValue(sample.milliseconds, forKey: sample.symbol), before != sample.milliseconds {
            distances.append(abs(sample.milliseconds - before))
        }
    }

    var median: Milliseconds? {
        distances.isEmpty ? nil : Milliseconds(distances.sorted()[distances.count / 2])
    }
}
