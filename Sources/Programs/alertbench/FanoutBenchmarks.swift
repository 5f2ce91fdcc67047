internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Glibc
internal import Market
internal import Time
internal import UnixSockets

/// Measures sending events to 1,000 readers of the event socket, compared with a bare loop of one `send` per reader.
@LoopActor
func fanoutBenchmarks() async throws -> [Row] {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let socket = try EventSocket(path: "\(folder)/events.sock", limit: 1_100)
    defer { socket.stop() }
    var readers = Readers()
    defer { readers.stop() }
    for count in 1...1_000 {
        try readers.connect(to: "\(folder)/events.sock")
        // The listening socket has a backlog of 128, and connections are accepted on this thread, so give the loop
        // time to accept them.
        while count % 64 == 0, socket.readerCount < count { try await sleep(for: .milliseconds(1)) }
    }
    while socket.readerCount < readers.count { try await sleep(for: .milliseconds(1)) }
    let event = sampleEvent(number: 1)
    let single = try await timedFanout(socket, readers, event, burst: 1, rounds: 60)
    let burst = try await timedFanout(socket, readers, event, burst: 16, rounds: 20)
    let bare = try timedBareSends(readers: 1_000, rounds: 30, bytes: EventRecord(event).line)
    let count = 1_000
    return [
        Row(
            name: "fan-out to 1,000 readers, one event at a time", figure: perSecond(count, in: single),
            reference: "one send a reader \(perSecond(count, in: bare))", ratio: bare / single, goal: "400,000/s"),
        Row(
            name: "fan-out to 1,000 readers, bursts of 16", figure: perSecond(count * 16, in: burst),
            reference: "one send an event \(perSecond(count, in: bare))", ratio: bare * 16 / burst,
            goal: "2,000,000/s"),
    ]
}

/// Returns the median time of a round until the last `send` has returned. Readers drain between rounds.
@LoopActor
private func timedFanout(
    _ socket: EventSocket, _ readers: Readers, _ event: Event, burst: Int, rounds: Int
) async throws -> Duration {
    var durations: [Duration] = []
    for _ in 0..<rounds {
        let begin = ContinuousClock.now
        for _ in 0..<burst { socket.deliver(event) }
        socket.flush()
        durations.append(ContinuousClock.now - begin)
        readers.drain()
        try await sleep(for: .milliseconds(1))
    }
    return median(durations)
}

/// Returns the median time of a bare loop of `send` that writes the same bytes to as many socket pairs.
private func timedBareSends(readers count: Int, rounds: Int, bytes: [UInt8]) throws -> Duration {
    var pairs: [(near: Int32, far: Int32)] = []
    defer { for pair in pairs { close(pair.near); close(pair.far) } }
    for _ in 0..<count {
        var ends: [Int32] = [0, 0]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
            throw BenchmarkError(message: "socketpair: \(describe(errorNumber: errno))")
        }
        pairs.append((ends[0], ends[1]))
    }
    var sink = [UInt8](repeating: 0, count: 1 << 16)
    var durations: [Duration] = []
    for _ in 0..<rounds {
        let begin = ContinuousClock.now
        for pair in pairs {
            _ = unsafe send(pair.near, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        durations.append(ContinuousClock.now - begin)
        for pair in pairs { _ = unsafe recv(pair.far, &sink, sink.count, Int32(MSG_DONTWAIT)) }
    }
    return median(durations)
}

/// Connected clients that read on request.
private struct Readers {
    private var descriptors: [Int32] = []
    var count: Int { descriptors.count }

    mutating func connect(to path: String) throws {
        let descriptor = try connectToUnixSocket(at: path)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        descriptors.append(descriptor)
    }

    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for descriptor in descriptors {
            while unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) == buffer.count {}
        }
    }

    func stop() {
        for descriptor in descriptors { close(descriptor) }
    }
}

/// Returns an event whose line is about 300 bytes long.
func sampleEvent(number: Int64) -> Event {
    let time = WallTime(milliseconds: 1_669_000_000_000)
    let occurrence = Occurrence(
        time: time, kind: .fired, rule: "btc", symbol: Symbol("btcinr"), bound: .max, severity: .warning,
        price: Price(mantissa: 7_500_100, scale: 0), limit: Price(mantissa: 7_500_000, scale: 0).map(LimitValue.price),
        currency: Currency("INR"), received: time,
        text: "BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00")
    return Event(number: number, occurrence: occurrence)
}

func temporaryFolder() throws -> String {
    // mkdtemp replaces the six letters X at the end.
    var template = Array(("/tmp/alertbench." + String(repeating: "X", count: 6)).utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
        throw BenchmarkError(message: "mkdtemp: \(describe(errorNumber: errno))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeFolder(_ path: String) {
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
            unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != ".", name != ".." { unsafe unlink("\(path)/\(name)") }
    }
    unsafe closedir(folder)
    unsafe rmdir(path)
}
