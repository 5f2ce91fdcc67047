internal import Market
internal import Time
internal import Trials

/// A stream of the prices of one file in time order.
struct SampleStream {
    /// Prices that the scan of the file kept, in time order; empty if there were too many.
    private var kept: [ImportedSample] = []
    private var place = 0
    /// The lines of the file if it has too many prices to keep; nil otherwise.
    private var lines: LineStream?
    private var reader: ImportReader
    /// Prices that were read but not returned yet; the last element is returned next.
    private var ready: [ImportedSample] = []

    /// - Throws: ``ClientError/file(_:)`` if the file is unsorted and too large to sort.
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
        // The sort is stable: prices at the same time stay in file order.
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

    /// Reads the next price. Bad lines are skipped, because the scan of the file counted them already.
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

/// A merge of several streams by time.
struct SampleMerge {
    private var streams: [SampleStream]
    /// The next price of each stream; nil at its end.
    private var heads: [ImportedSample?]
    /// The prices at the time that ``next()`` returned, at most one per symbol.
    private(set) var prices: [RecordedPrice] = []

    init(_ streams: [SampleStream]) {
        self.streams = streams
        heads = []
    }

    /// Advances to the next time, and returns it; nil after the last one. If a symbol has several prices at the same
    /// time, that time is returned once for each of them.
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
