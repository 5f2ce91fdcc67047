internal import EventLoop
internal import Glibc
internal import HTTP
internal import UnixSockets

/// Measures the real programs: start, alert latency, memory, wake-ups, and response times of alertctl.
@LoopActor
func systemBenchmarks() async throws -> [Row] {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let exchange = try Exchange(bodies: try alternatingBodies())
    defer { exchange.stop() }
    let fast = "\(folder)/fast.toml"
    try write(settings(port: exchange.port, interval: "100ms"), to: fast)
    let slow = "\(folder)/slow.toml"
    try write(settings(port: exchange.port, interval: "30s"), to: slow)

    var rows: [Row] = []
    let starts = try await timedStarts(slow, folder: folder)
    rows.append(
        Row(name: "alertd: start to ready", figure: readable(starts), reference: "-", ratio: nil, goal: "at most 30 ms")
    )

    let daemon = try await Daemon.start(fast, folder: folder)
    let latency = try await alertLatency(daemon, exchange)
    rows.append(
        Row(
            name: "last byte of a response to the event at a reader", figure: readable(latency),
            reference: "Prometheus 1.3 s (elsewhere)", ratio: nil, goal: "at most 1 ms"))
    rows.append(contentsOf: try timedCommands(daemon))
    await daemon.stop()

    let scraped = "\(folder)/scraped.toml"
    let metrics = try freePort()
    try write(settings(port: exchange.port, interval: "30s", metrics: metrics), to: scraped)
    let server = try await Daemon.start(scraped, folder: folder)
    rows += try await timedScrapes(server, port: metrics)
    await server.stop()

    let idle = try await Daemon.start(slow, folder: folder)
    rows.append(contentsOf: try await idleRows(idle))
    await idle.stop()
    return rows
}

/// Returns a port on which nothing is listening at the moment.
@LoopActor
private func freePort() throws -> UInt16 {
    let exchange = try Exchange(bodies: [])
    defer { exchange.stop() }
    return exchange.port
}

/// Measures scrapes of all prices, compared with a static page, and the memory that they leave behind.
@LoopActor
private func timedScrapes(_ daemon: Daemon, port: UInt16) async throws -> [Row] {
    let client = HTTPClient(HTTPConfiguration(userAgent: "alertbench"))
    func timed(_ path: String, _ count: Int = 200) async throws -> Duration {
        var durations: [Duration] = []
        for _ in 0..<count {
            let begin = ContinuousClock.now
            let response = try await client.get("http://127.0.0.1:\(port)\(path)")
            durations.append(ContinuousClock.now - begin)
            guard response.status == 200 else { throw BenchmarkError(message: "\(path): status \(response.status)") }
        }
        return median(durations)
    }
    let (page, scrape) = (try await timed("/"), try await timed("/metrics"))
    let before = memoryKilobytes(of: daemon.pid).anonymous
    _ = try await timed("/metrics", 2_000)
    let left = memoryKilobytes(of: daemon.pid).anonymous - before
    return [
        Row(
            name: "a scrape of the metrics of 450 symbols", figure: readable(scrape),
            reference: "the start page \(readable(page))", ratio: scrape / page, goal: "at most 1 ms"),
        Row(
            name: "memory that 2,000 more scrapes leave", figure: "\(left) kB", reference: "-", ratio: nil, goal: "0"),
    ]
}

private func settings(port: UInt16, interval: String, metrics: UInt16? = nil) -> String {
    let served = metrics.map { "[metrics]\nlisten = [\"127.0.0.1:\($0)\"]\nsymbols = \"all\"\n" } ?? ""
    return """
        \(served)
        [feed]
        url = "http://127.0.0.1:\(port)/sapi/v1"
        interval = "\(interval)"

        [sinks]
        journal = false
        stdout = false

        [[rule]]
        name = "bench"
        symbol = "btcinr"
        max = "5000000"
        """
}

/// Makes two responses. The last price of `btcinr` is below the limit in the first and above it in the second.
private func alternatingBodies() throws -> [[UInt8]] {
    let body = try responseBody().dropLast(64)
    let text = String(decoding: body, as: UTF8.self)
    let ticker = { (price: String) in
        """
        [{"symbol":"btcinr","baseAsset":"btc","quoteAsset":"inr","openPrice":"1","lowPrice":"1","highPrice":"1",\
        "lastPrice":"\(price)","volume":"1","bidPrice":"1","askPrice":"1","at":1669000000000},
        """
    }
    // A recorded response also contains btcinr; the first element for a symbol takes effect.
    return ["4999999.0", "5000001.0"].map { Array((ticker($0) + text.dropFirst()).utf8) }
}

@LoopActor
private func timedStarts(_ settings: String, folder: String) async throws -> Duration {
    var durations: [Duration] = []
    for _ in 0..<9 {
        let begin = ContinuousClock.now
        let daemon = try await Daemon.start(settings, folder: folder)
        durations.append(daemon.ready - begin)
        await daemon.stop()
    }
    return median(durations)
}

@LoopActor
private func alertLatency(_ daemon: Daemon, _ exchange: Exchange) async throws -> Duration {
    let reader = try connectToUnixSocket(at: daemon.eventSocket)
    defer { close(reader) }
    var durations: [Duration] = []
    let done = OneShot<Void, CancellationError>()
    let watch = DescriptorWatch(reader, for: .readable) { _ in
        let now = ContinuousClock.now
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        guard unsafe recv(reader, &buffer, buffer.count, 0) > 0 else { return done.finish(.success(())) }
        durations.append(now - exchange.answered)
        if durations.count == 30 { done.finish(.success(())) }
    }
    try await done.value(onCancel: CancellationError())
    watch.end()
    return median(durations)
}

@LoopActor
private func timedCommands(_ daemon: Daemon) throws -> [Row] {
    let bare = try timed(runs: 15, calls: 1) { try run(["/bin/true"]) }
    let commands = [("alertctl status", ["status", "--plain"]), ("alertctl list, 450 symbols", ["list"])]
    return try commands.map { name, words in
        let arguments = ["\(programFolder())/alertctl", "--socket", daemon.controlSocket] + words
        let figure = try timed(runs: 15, calls: 1) { try run(arguments) }
        return Row(
            name: name, figure: readable(figure), reference: "/bin/true \(readable(bare))", ratio: figure / bare,
            goal: "at most 10 ms")
    }
}

/// Runs a program and waits for its end.
private func run(_ arguments: [String]) throws {
    var status: Int32 = 0
    unsafe waitpid(try spawn(arguments, environment: [], silent: true), &status, 0)
    guard status == 0 else { throw BenchmarkError(message: "\(arguments) failed with \(status >> 8)") }
}

/// Measures memory and wake-ups of a daemon between two polls.
@LoopActor
private func idleRows(_ daemon: Daemon) async throws -> [Row] {
    try await sleep(for: .seconds(2))
    let before = switches(of: daemon.pid)
    try await sleep(for: .seconds(10))
    let wakeUps = switches(of: daemon.pid) - before
    let memory = memoryKilobytes(of: daemon.pid)
    return [
        Row(
            name: "memory after a poll (Pss)", figure: "\(memory.pss) kB",
            reference: "a bare daemon 2,400 kB (elsewhere)",
            ratio: nil, goal: "at most 16,384 kB"),
        Row(
            name: "memory of it anonymous", figure: "\(memory.anonymous) kB", reference: "-", ratio: nil,
            goal: "at most 6,144 kB"),
        Row(
            name: "voluntary wake-ups in 10 s between polls", figure: "\(wakeUps)", reference: "-", ratio: nil,
            goal: "0"),
    ]
}
