internal import Market
internal import Time
internal import Trials

/// The prices of one file in the order of time, one after the other as they are asked for.
struct SampleStream {
    /// Prices that are in no order are put in order in memory: 2,000,000 × 64 bytes = 128 MB.
    private static let sortLimit = 2_000_000

    private var lines: LineStream
    private var reader: ImportReader
    /// Prices that were read and not given yet, the next one last.
    private var ready: [ImportedSample] = []

    /// - Throws: ``ClientError/file(_:)`` when it cannot be read, or is in no order and too large.
    init(_ scanned: ScannedFile) throws(ClientError) {
        lines = LineStream(scanned.file)
        reader = ImportReader(scanned.options)
        guard !scanned.isOrdered else { return }
        guard scanned.prices <= Self.sortLimit else {
            throw .file(
                "\(scanned.file.name): its lines are not in the order of time, and more than \(Self.sortLimit); sort it"
            )
        }
        var all: [ImportedSample] = []
        while let sample = try read() { all.append(sample) }
        // Stable: prices of one time stay in the order of the file.
        let order = all.indices.sorted { (all[$0].milliseconds, $0) > (all[$1].milliseconds, $1) }
        ready = order.map { all[$0] }
    }

    mutating func next() throws(ClientError) -> ImportedSample? {
        if let sample = ready.popLast() { return sample }
        return try read()
    }

    /// Bad lines are passed over: they were counted when the file was scanned.
    private mutating func read() throws(ClientError) -> ImportedSample? {
        if let sample = ready.popLast() { return sample }
        while let line = try lines.next() {
            guard let sample = Self.sample(in: line, of: lines, &reader) else { continue }
            guard !reader.way.isEmpty else { return sample }
            ready = [sample] + reader.way.reversed()
            return ready.popLast()
        }
        return nil
    }

    private static func sample(
        in line: Range<Int>, of lines: borrowing LineStream, _ reader: inout ImportReader
    ) -> ImportedSample? {
        do throws(LineFault) {
            return try reader.read(lines.text.span, line)
        } catch {
            return nil
        }
    }
}

/// Several streams as one, moment by moment.
struct SampleMerge {
    private var streams: [SampleStream]
    /// The next price of each stream.
    private var heads: [ImportedSample?]
    /// The prices of the moment that ``next()`` has found; no symbol twice.
    private(set) var prices: [RecordedPrice] = []

    init(_ streams: [SampleStream]) {
        self.streams = streams
        heads = []
    }

    /// Goes to the next moment; several prices of one symbol at one time are moments of their own.
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
