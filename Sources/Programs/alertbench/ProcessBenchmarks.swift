internal import EventLoop
internal import Glibc

/// Measures the whole daemon from outside, with the counters of the kernel. It gets a response per second over
/// loopback, and its rules have limits that no price reaches.
@LoopActor
func processBenchmarks() async throws -> [Row] {
    var rows: [Row] = []
    var smaller: ProcessCost?
    for size in ProcessSize.all {
        let cost = try await processCost(size)
        rows += processRows(size, cost, smaller: smaller)
        if size.sources == 1 { smaller = cost }
    }
    return rows
}

/// The load of the daemon, and the goals for its cost.
private struct ProcessSize {
    /// The number of sources, each with this many symbols and rules and a response per second.
    var sources = 1
    var symbols: Int
    var rules: Int
    var goals: Goals

    /// The goals as printed. The figures apply to responses of WazirX.
    struct Goals {
        var cpu = "at most 22 times that"
        var start = "-"
        var anonymous = "-"
    }

    static let all = [
        ProcessSize(
            symbols: 450, rules: 10,
            goals: Goals(cpu: "at most 0.4 ms", start: "at most 12 ms", anonymous: "at most 5 MB")),
        ProcessSize(
            sources: 2, symbols: 450, rules: 10, goals: Goals(cpu: "at most that", start: "-", anonymous: "-")),
        ProcessSize(
            symbols: 450, rules: 1_000,
            goals: Goals(cpu: "at most 0.5 ms", start: "at most 20 ms", anonymous: "at most 6 MB")),
        ProcessSize(
            symbols: 450, rules: 10_000,
            goals: Goals(cpu: "at most 0.8 ms", start: "at most 60 ms", anonymous: "at most 16 MB")),
        ProcessSize(symbols: 10_000, rules: 10_000, goals: Goals()),
    ]

    var name: String {
        "\(sources > 1 ? "\(sources) sources, each " : "")\(symbols) symbols, \(rules) rules"
    }
}

/// The cost of the daemon. Values are per poll, except the start time and memory.
private struct ProcessCost {
    var cpu: Duration
    var written: Int
    var wakeUps: Double
    /// Nil if strace is not installed.
    var systemCalls: Double?
    var start: Duration
    var pss: Int
    var anonymous: Int
}

private func processRows(_ size: ProcessSize, _ cost: ProcessCost, smaller: ProcessCost?) -> [Row] {
    let written = rounded(Double(cost.written) / 1_000, digits: 1)
    let calls = cost.systemCalls.map { rounded($0, digits: 0) } ?? "unknown without strace"
    let megabytes = { (kilobytes: Int) in rounded(Double(kilobytes) / 1_024, digits: 1) + " MB" }
    return [
        Row(
            name: "\(size.name): CPU of a poll", figure: readable(cost.cpu),
            reference: smaller.map { "the row of CPU above \(readable($0.cpu))" } ?? "-",
            ratio: smaller.map { cost.cpu / $0.cpu }, goal: size.goals.cpu),
        Row(
            name: "\(size.name): written by a poll", figure: "\(written) kB", reference: "-", ratio: nil,
            goal: "at most 8 kB"),
        Row(
            name: "\(size.name): system calls, wake-ups of a poll",
            figure: "\(calls), \(rounded(cost.wakeUps, digits: 1))", reference: "-", ratio: nil, goal: "-"),
        Row(
            name: "\(size.name): start to ready", figure: readable(cost.start), reference: "-", ratio: nil,
            goal: size.goals.start),
        Row(
            name: "\(size.name): memory, anonymous", figure: megabytes(cost.anonymous),
            reference: "with files (Pss) \(megabytes(cost.pss))", ratio: nil, goal: size.goals.anonymous),
    ]
}

@LoopActor
private func processCost(_ size: ProcessSize) async throws -> ProcessCost {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let bodies = try slowlyChangingBodies(symbols: size.symbols)
    let exchanges = try (0..<size.sources).map { _ in try Exchange(bodies: bodies) }
    defer { for exchange in exchanges { exchange.stop() } }
    let settings = "\(folder)/alertd.toml"
    try write(settingsText(ports: exchanges.map(\.port), size), to: settings)
    var starts: [Duration] = []
    for _ in 0..<5 {
        let begin = ContinuousClock.now
        let daemon = try await Daemon.start(settings, folder: folder)
        starts.append(daemon.ready - begin)
        await daemon.stop()
    }
    let daemon = try await Daemon.start(settings, folder: folder)
    try await waitForAnswers(4, of: exchanges)
    let before = ProcessCounters(of: daemon.pid)
    let polls = try await waitForAnswers(20, of: exchanges)
    let after = ProcessCounters(of: daemon.pid)
    let memory = memoryKilobytes(of: daemon.pid)
    let systemCalls = try await countedSystemCalls(daemon.pid, exchanges, folder: folder)
    await daemon.stop()
    return ProcessCost(
        cpu: (after.cpu - before.cpu) / polls, written: (after.written - before.written) / polls,
        wakeUps: Double(after.wakeUps - before.wakeUps) / Double(polls), systemCalls: systemCalls,
        start: median(starts), pss: memory.pss, anonymous: memory.anonymous)
}

/// The counters of the kernel since the start of the process.
private struct ProcessCounters {
    var cpu: Duration
    var written: Int
    var wakeUps: Int

    init(of pid: pid_t) {
        // The daemon has one thread.
        cpu = .nanoseconds(field("", of: "/proc/\(pid)/schedstat"))
        written = field("wchar:", of: "/proc/\(pid)/io")
        wakeUps = switches(of: pid)
    }
}

/// Waits until the exchanges have answered `more` further requests, then another 300 ms for the daemon to process the
/// responses.
///
/// - Returns: the number of requests answered.
@LoopActor
@discardableResult
private func waitForAnswers(_ more: Int, of exchanges: [Exchange]) async throws -> Int {
    let count = { exchanges.reduce(0) { $0 + $1.answerCount } }
    let begin = count()
    while count() < begin + more { try await sleep(for: .milliseconds(20)) }
    try await sleep(for: .milliseconds(300))
    return count() - begin
}

/// Returns the system calls per poll, counted by strace, or nil if it is not installed.
@LoopActor
private func countedSystemCalls(_ pid: pid_t, _ exchanges: [Exchange], folder: String) async throws -> Double? {
    let strace = "/usr/bin/strace"
    guard unsafe access(strace, X_OK) == 0 else { return nil }
    let table = "\(folder)/strace"
    let tracer = try spawn([strace, "-f", "-c", "-o", table, "-p", "\(pid)"], environment: [], silent: true)
    try await sleep(for: .milliseconds(500))
    let polls = try await waitForAnswers(5, of: exchanges)
    kill(tracer, SIGINT)
    var status: Int32 = 0
    unsafe waitpid(tracer, &status, 0)
    // "100.00    0.000516           5        98         3 total"
    let total = try lines(of: table).last { $0.hasSuffix("total") }?.split(separator: " ") ?? []
    return total.count < 5 ? nil : Int(total[3]).map { Double($0) / Double(polls) }
}

private func settingsText(ports: [UInt16], _ size: ProcessSize) -> String {
    let sources = ports.enumerated().map { index, port in
        """
        [[source]]
        name = "s\(index)"
        type = "wazirx"
        url = "http://127.0.0.1:\(port)/sapi/v1"
        interval = "1s"

        """ + rulesText(of: "s\(index)", size)
    }
    return sources.joined() + """
        [rates]
        enabled = false

        [sinks]
        journal = false
        stdout = false
        """
}

private func rulesText(of source: String, _ size: ProcessSize) -> String {
    (0..<size.rules).map { number in
        let kind = ["last", "bid", "ask"][number / size.symbols % 3]
        let limit = number % 2 == 0 ? "max = \"1000000\"" : "min = \"0.5\""
        return """
            [[rule]]
            name = "\(source) r\(number)"
            source = "\(source)"
            symbol = "coin\(number % size.symbols)inr"
            price = "\(kind)"
            \(limit)

            """
    }.joined()
}

/// Makes four responses to send in turn. Every tenth price differs from the previous response, about as often as real
/// prices change.
private func slowlyChangingBodies(symbols: Int) throws -> [[UInt8]] {
    (0..<4).map { poll in madeUpResponse(symbols: symbols) { ($0 + poll) % 10 == 0 ? poll : 0 } }
}
