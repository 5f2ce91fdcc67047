internal import Market
internal import Time
internal import Trials

/// The prices of one file in the order of time, one after another as they are requested.
struct SampleStream {
    /// Prices kept by the scan of the file.
    private var kept: [ImportedSample] = []
    private var place = 0
    /// The lines of a file with too many prices to keep.
    private var lines: LineStream?
    private var reader: ImportReader
    /// Prices that were read but not returned yet, the next one last.
    private var ready: [ImportedSample] = []

    /// - Throws: ``ClientError/file(_:)`` if it cannot be read, or is unsorted and too large.
    init(_ scanned: ScannedFile) throws(ClientError) {
        reader = ImportReader(scanned.options)
        guard let samples = scanned.content.samples else {
            guard scanned.content.isOrdered else {
                throw .file(
                    "\(scanned.file.name): has more than \(ScannedContent.sampleLimit) lines out of time order; "
                        + "sort it by time")
            }
            lines = LineStream(scanned.file)
            return
        }
        kept = samples
        guard !scanned.content.isOrdered else { return }
        // Stable: prices at the same time stay in the order of the file.
        let order = samples.indices.sorted { (samples[$0].milliseconds, $0) < (samples[$1].milliseconds, $1) }
        kept = order.map { samples[$0] }
    }

    mutating func next() throws(ClientError) -> ImportedSample? {
        guard place == kept.count else {
            defer { place += 1 }
            return kept[place]
        }
        return try read()
    }

    /// Skips bad lines: they were counted when the file was scanned.
    private mutating func read() throws(ClientError) -> ImportedSample? {
        if let sample = ready.popLast() { return sample }
        while let line = try lines?.next() {
            guard let lines, let sample = Self.sample(in: line, of: lines, &reader) else { continue }
            guard !reader.path.isEmpty else { return sample }
            ready = [sample] + reader.path.reversed()
            return ready.popLast()
        }
        return nil
    }

    private static func sample(
        in line: TextLine, of lines: borrowing LineStream, _ reader: inout ImportReader
    ) -> ImportedSample? {
        do throws(LineFault) {
            return try reader.read(lines.text.span, line)
        } catch {
            return nil
        }
    }
}

/// Several streams merged by time.
struct SampleMerge {
    private var streams: [SampleStream]
    /// The next price of each stream.
    private var heads: [ImportedSample?]
    /// The prices at the time that ``next()`` returned; no symbol twice.
    private(set) var prices: [RecordedPrice] = []

    init(_ streams: [SampleStream]) {
        self.streams = streams
        heads = []
    }

    /// Advances to the next time; nil after the last one. Several prices of a symbol at the same time are returned one
    /// after another.
    mutating func next() throws(ClientError) -> WallTime? {
        if heads.isEmpty {
            for place in streams.indices { heads.append(try streams[place].next()) }
        }
        prices.removeAll(keepingCapacity: true)
        var time: Int64?
        for case let head? in heads { time = min(time ?? head.milliseconds, head.milliseconds) }
        guard let time else { return nil }
        for place in heads.indices {
            while let head = heads[place], head.milliseconds == time,
                !prices.contains(where: { $0.symbol == head.symbol })
            {
                prices.append(RecordedPrice(symbol: head.symbol, price: head.price))
                heads[place] = try streams[place].next()
            }
        }
        return WallTime(milliseconds: time)
    }
}
