internal import EventLoop
internal import Glibc

/// The daemon as a whole, measured from outside: a response a second over loopback, rules with limits that no price
/// reaches, and what the kernel counts for the process.
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

/// How much the daemon has to do, and what it may cost.
private struct ProcessSize {
    /// Each with this many symbols and rules, and a response a second.
    var sources = 1
    var symbols: Int
    var rules: Int
    var goals: Goals

    /// As they are printed; the figures hold for the responses of WazirX.
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

/// What one poll costs, unless it says otherwise.
private struct ProcessCost {
    var cpu: Duration
    var written: Int
    var wakeUps: Double
    /// Nil without strace.
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

/// What the kernel has counted since the process began.
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

/// Waits until they have answered more requests, and until what these cause is over.
///
/// - Returns: how many they have answered.
@LoopActor
@discardableResult
private func waitForAnswers(_ more: Int, of exchanges: [Exchange]) async throws -> Int {
    let count = { exchanges.reduce(0) { $0 + $1.answerCount } }
    let begin = count()
    while count() < begin + more { try await sleep(for: .milliseconds(20)) }
    try await sleep(for: .milliseconds(300))
    return count() - begin
}

/// The system calls of a poll, counted by strace; nil where that is not installed.
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

/// Four responses in turn; every tenth price differs from the one before, about as often as real ones do.
private func slowlyChangingBodies(symbols: Int) throws -> [[UInt8]] {
    (0..<4).map { poll in madeUpResponse(symbols: symbols) { ($0 + poll) % 10 == 0 ? poll : 0 } }
}
