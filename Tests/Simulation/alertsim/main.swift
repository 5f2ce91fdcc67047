internal import EventLoop
internal import Glibc
internal import Simulation

/// A new folder in memory; one with a number of its own could be there, from a process that was killed.
private func makeFolder() -> String {
    var template = Array("/dev/shm/alertsim-\(String(repeating: "X", count: 6))".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
        print("/dev/shm: \(unsafe String(cString: strerror(errno)))")
        exit(1)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

// Simulates the whole daemon: alertsim [--first SEED] [--seeds N] [--minutes N] [--verbose]
private func value(_ name: String, _ standard: UInt64) -> UInt64 {
    guard let place = CommandLine.arguments.firstIndex(of: name), place + 1 < CommandLine.arguments.count else {
        return standard
    }
    return UInt64(CommandLine.arguments[place + 1]) ?? standard
}

private let first = value("--first", 1)
private let seeds = value("--seeds", 100)
private let minutes = value("--minutes", 10_000)
private let stride = value("--stride", 1)
private let shrinks = value("--shrink", 3)
/// Whether to end with the first seed that fails.
private let isOneEnough = CommandLine.arguments.contains("--first-failure")
private let isVerbose = CommandLine.arguments.contains("--verbose")

ignoreWriteSignals()
// Quiet hours are those of the local time zone.
unsafe setenv("TZ", "UTC", 1)
exit(
    Loop.shared.run {
        let begin = ContinuousClock.now
        let folder = makeFolder()
        defer { unsafe rmdir(folder) }
        let runner = Runner(folder: "\(folder)/daemon", isVerbose: isVerbose)
        var count = 0
        var failed: [UInt64] = []
        let report = { (what: String) in
            let seconds = Double((ContinuousClock.now - begin).components.seconds) + 0.001
            let tally = runner.tally
            let rate = Int(Double(tally.polls) / seconds)
            print(
                "\(what): \(count) seeds, \(failed.count) failed \(failed.prefix(20)); \(tally.polls) polls, "
                    + "\(tally.candles) candle requests, \(tally.restarts) starts, \(tally.kills) kills, "
                    + "\(tally.events) events, \(tally.repeats) repeats; \(rate) polls/s")
            fflush(nil)
        }
        for index in 0..<seeds {
            guard ContinuousClock.now - begin < .seconds(Int64(minutes) * 60) else { break }
            var plan = Plan(seed: first + index * stride)
            plan.hasWindows = !CommandLine.arguments.contains("--no-windows")
            count += 1
            let broken = await runner.run(plan)
            if count % 100 == 0 { report("until now") }
            guard let broken else { continue }
            if isOneEnough {
                print("found by seed \(plan.seed), number \(count): \(broken.message.prefix { $0 != "\n" })")
                return 1
            }
            failed.append(plan.seed)
            print("seed \(plan.seed), step \(broken.step): \(broken.message)")
            guard failed.count <= shrinks else { continue }
            runner.isVerbose = false
            let (small, why) = await runner.shrunk(plan, broken)
            print("shrunk to \(small.steps.count) steps: \(small.steps)\n\(why.message)")
            runner.isVerbose = isVerbose
            if isVerbose { _ = await runner.run(small) }
            print("repeat with: make simulate FIRST=\(plan.seed) SEEDS=1")
        }
        report("in all")
        let most = BlockingWatch.most
        print(
            "at most \(runner.tally.syncs) syncs of the state file for one input; in a turn of the loop "
                + "\(most.written >> 10) kB written, \(most.read >> 10) kB read, \(most.syncs) other files synced")
        return failed.isEmpty ? 0 : 1
    })
