internal import Engine
internal import Events
internal import Glibc
internal import Market
internal import Storage
internal import Time

/// Measures the state file: the cost of a commit and of a start, and its size.
func storeBenchmarks() throws -> [Row] {
    try commitRows() + monthRows() + [yearRow()]
}

/// A load like that of WazirX: 450 symbols every 30 s, in blocks of 512 polls and about 190 kB.
private enum Load {
    static let source = SourceName(unchecked: "wazirx")
    static let symbols = 450
    static let pollsPerBlock = 512
    static let blockBytes = 190_000
    static let start = WallTime(milliseconds: 1_795_272_000_000)
    /// The number of blocks for 30 days of polls.
    static let blocksKept = Int64(30 * 86_400 / (30 * pollsPerBlock))

    static func time(ofPoll poll: Int64) -> WallTime {
        WallTime(milliseconds: start.milliseconds + poll * 30_000)
    }

    static func event(_ number: Int64, at time: WallTime) throws -> Event {
        let price = try Price("7500000.1")
        return Event(
            number: number,
            occurrence: Occurrence(
                time: time, kind: .fired, rule: "btc band", symbol: Symbol("btcinr"), bound: .max, severity: .warning,
                price: price, limit: .price(price), currency: Currency("INR"),
                previous: PreviousPrice(price: price, time: time), exchangeTime: time, received: time,
                sampleAge: Milliseconds(900),
                text: "BTC/INR ₹75,00,000.10 is at or above its maximum ₹75,00,000.00"))
    }

    static func alert(_ index: Int64, at time: WallTime) throws -> AlertSnapshot {
        let price = try Price("7500000")
        let symbol = try named(Int(index % Int64(symbols)))
        return AlertSnapshot(
            rule: "rule", symbol: symbol, bound: .max, state: "inactive",
            since: Instant(boot: BootTime(milliseconds: 1), wall: time), severity: .warning, limit: .price(price),
            currency: Currency("INR"), encodedState: "state=inactive since=1795272000000 last=7500000.1 at=\(time)")
    }

    /// Makes a block of random bytes, which resemble compressed data.
    static func block(_ id: Int64) throws -> StoredBlock {
        let price = try Price("7500000.1")
        let (oldest, newest) = (time(ofPoll: id * 512), time(ofPoll: id * 512 + 511))
        let blockSymbols = try (0..<symbols).map { index in
            StoredBlockSymbol(
                symbol: try named(index), since: oldest, until: newest, samples: pollsPerBlock, first: price,
                lowest: price, highest: price, last: price)
        }
        return StoredBlock(
            id: id, oldest: oldest, newest: newest, rowCount: pollsPerBlock, bytes: bytes(blockBytes),
            blockSymbols: blockSymbols)
    }

    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count / 8).flatMap { _ in
            let word: UInt64 = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word &>> (8 * UInt64($0))) }
        }
    }

    private static func named(_ index: Int) throws -> Symbol {
        guard let symbol = Symbol("symbol\(index)inr") else { throw BenchmarkError(message: "no symbol") }
        return symbol
    }
}

/// A temporary folder that is removed at the end.
private final class Folder {
    let path: String

    init(inMemory: Bool = false) throws {
        let place = unsafe inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = "\(place)/alertbench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        guard unsafe mkdir(path, 0o700) == 0 else { throw BenchmarkError(message: "\(path): cannot be made") }
    }

    deinit {
        for name in ["alertd.db", "alertd.db-wal", "alertd.db-shm", "alertd.lock", "bare"] {
            unsafe unlink("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }

    var kilobytes: Int {
        ["", "-wal"].reduce(0) { sum, ending in
            var status = stat()
            return unsafe lstat("\(path)/alertd.db\(ending)", &status) == 0 ? sum + Int(status.st_size) / 1_000 : sum
        }
    }
}

private func commitRows() throws -> [Row] {
    let folder = try Folder()
    let store = Store(folder: folder.path)
    _ = try store.open(at: Load.start)
    var number: Int64 = 0
    func changes() throws -> Transaction {
        let events = try (1...3).map { try Load.event(number + $0, at: Load.start) }
        number += 3
        let alerts = try (0..<3).map { try Load.alert(number + $0, at: Load.start) }
        let source = SourceChanges(Load.source, engine: .part(alerts: alerts, state: nil))
        return Transaction(time: Load.start, events: events, sources: [source])
    }
    // The first commits grow the log to its final size.
    for _ in 0..<600 { try store.commit(try changes()) }
    let commit = try timed(calls: 20) { try store.commit(try changes()) }
    let cursors = try timed(calls: 20) {
        number += 1
        try store.saveCursors(["journal": number, "stdout": number])
    }
    let bare = try bareWrite(folder)
    let reference = "bare 16 kB write, fdatasync \(readable(bare))"
    return [
        Row(
            name: "commit of 3 events and 3 alerts", figure: readable(commit), reference: reference,
            ratio: commit / bare, goal: "at most 2"),
        Row(name: "saving cursors", figure: readable(cursors), reference: reference, ratio: cursors / bare, goal: "-"),
    ]
}

/// Overwrites four pages of a file without growing it, like a small commit.
private func bareWrite(_ folder: Folder) throws -> Duration {
    let descriptor = unsafe open("\(folder.path)/bare", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchmarkError(message: "a file cannot be made") }
    defer { close(descriptor) }
    let pages = [UInt8](repeating: 7, count: 16_384)
    for place in 0..<64 { _ = unsafe pwrite(descriptor, pages, pages.count, place * pages.count) }
    fsync(descriptor)
    var place = 0
    return timed(calls: 20) {
        place = (place + 1) % 64
        _ = unsafe pwrite(descriptor, pages, pages.count, place * pages.count)
        fdatasync(descriptor)
    }
}

private func monthRows() throws -> [Row] {
    let folder = try Folder()
    let store = Store(folder: folder.path)
    _ = try store.open(at: Load.start)
    for id in 1...Load.blocksKept {
        let events = try (1...9).map { try Load.event(id * 9 - 9 + $0, at: Load.start) }
        let alerts = try (0..<3).map { try Load.alert(id * 3 + $0, at: Load.start) }
        let source = SourceChanges(
            Load.source, engine: .part(alerts: alerts, state: nil),
            history: HistoryChanges(sealed: [try Load.block(id)]))
        try store.commit(Transaction(time: Load.start, events: events, sources: [source]))
    }
    store.close()
    var opening: [Duration] = []
    var restoring: [Duration] = []
    for _ in 0..<7 {
        store.close()
        let begin = ContinuousClock.now
        _ = try store.open(at: Load.start)
        let middle = ContinuousClock.now
        let state = try store.restore()
        guard state.sources.first?.blocks.count == Int(Load.blocksKept) else {
            throw BenchmarkError(message: "blocks are missing")
        }
        opening.append(middle - begin)
        restoring.append(ContinuousClock.now - middle)
    }
    return [
        Row(
            name: "start: open and check a month, \(folder.kilobytes / 1_000) MB", figure: readable(median(opening)),
            reference: "-", ratio: nil, goal: "at most 200 ms, both"),
        Row(
            name: "start: restore \(Load.blocksKept) blocks and 4,096 events", figure: readable(median(restoring)),
            reference: "-", ratio: nil, goal: "at most 200 ms, both"),
    ]
}

/// Measures a year: a part of the open block every 5 minutes, a block every 512 polls, and 48 events a day.
private func yearRow() throws -> Row {
    let folder = try Folder(inMemory: true)
    let store = Store(folder: folder.path)
    _ = try store.open(at: Load.start)
    let polls = Int64(365 * 2_880)
    let part = Load.bytes(Load.blockBytes * 10 / Load.pollsPerBlock)
    var number: Int64 = 0
    var largest = 0
    var commits = 0
    for poll in stride(from: Int64(10), through: polls, by: 10) {
        var changes = Transaction(time: Load.time(ofPoll: poll))
        var source = SourceChanges(Load.source)
        let block = poll / 512
        if poll % 512 < 10, block > 0 {
            source.history.sealed = [try Load.block(block)]
            source.history.removed = [block - Load.blocksKept]
            largest = max(largest, folder.kilobytes)
        }
        source.history.parts = [
            StoredOpenRows(block: block + 1, firstRow: Int(poll % 512), rowCount: 10, bytes: part)
        ]
        if poll % 60 == 0 {
            number += 1
            changes.events = [try Load.event(number, at: changes.time)]
            source.engine = .part(alerts: [try Load.alert(number, at: changes.time)], state: nil)
        }
        changes.sources = [source]
        try store.commit(changes)
        commits += 1
    }
    store.close()
    return Row(
        name: "a year: \(commits) commits, \(number) events", figure: "\(folder.kilobytes / 1_000) MB",
        reference: "\(Load.blocksKept) blocks of 190 kB: \(Load.blocksKept * 190 / 1_000) MB; largest with its log "
            + "\(largest / 1_000) MB", ratio: nil, goal: "no growth after a month but events")
}
