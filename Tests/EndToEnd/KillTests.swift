import Engine
import Events
import Foundation
import History
import Market
import Replay
import Storage
import TestSupport
import Testing
import Time

/// What a replay has left in its folder, read with the daemon's own code.
struct ReplayResult {
    let events: [Event]
    let engine: EngineSnapshot?
    let history: History
    /// What was notified, one line per event.
    let notified: [String]

    init(_ folder: String, notified file: String) throws {
        let store = Store(folder: folder)
        _ = try store.open(at: WallTime(milliseconds: 0))
        defer { store.close() }
        let state = try store.restore(events: 0)
        let source = try #require(state.sources.first)
        var engine = source.engine
        // A start writes them in the order of the rules, a poll in the order of the response.
        engine?.alerts.sort { "\($0.rule) \($0.symbol) \($0.bound)" < "\($1.rule) \($1.symbol) \($1.bound)" }
        self.engine = engine
        var history = History(
            HistoryCapacity(keep: .seconds(30 * 86_400), interval: ReplaySeries.interval, bytes: 64 << 20))
        history.restore(
            sealed: try source.blocks.map { try HistoryBlock(bytes: $0.bytes) },
            parts: try source.parts.map { try OpenRows(bytes: $0.bytes) })
        self.history = history
        var events: [Event] = []
        var query: EventQuery? = EventQuery(limit: 1_000)
        while let asked = query {
            let page = try store.events(asked)
            events += page.events
            query = page.next
        }
        self.events = events
        notified = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The numbers of the polls of which prices are kept.
    var polls: Set<Int> {
        let start = WallTime(milliseconds: 0)
        return Set(history.pollTimes(since: start, count: .max / 2).map(ReplaySeries.poll))
    }

    /// What is kept of a poll.
    func prices(of polls: Set<Int>) -> [String] {
        let start = WallTime(milliseconds: 0)
        return history.symbols(since: start).flatMap { symbol in
            var lines: [String] = []
            history.forEachSample(of: symbol, since: start) { sample in
                if polls.contains(ReplaySeries.poll(at: sample.time)) {
                    lines.append("\(symbol) \(sample.time) \(sample.price)")
                }
            }
            return lines
        }
    }
}

@Suite("A replay that is killed, end to end", .timeLimit(.minutes(10)))
struct KillTests {
    private static let kills = LongRun.count(150, otherwise: 40)

    /// Prices are saved with each poll, whether a rule looks back at them or not.
    @Test(arguments: [0, 1]) func nothingIsForgottenOrRepeatedByKills(odd: UInt64) async throws {
        let seed = UInt64.random(in: 1...499_999) * 2 + odd
        var random = SplitMix(seed: seed)
        let folder = TestFolder(inMemory: true)
        _ = try folder.write("", to: "notified")
        var begins: [Int] = []
        for _ in 0..<Self.kills { try await killedRun(folder, seed, &random, &begins) }
        let last = try #require(begins.last, "no run began; seed \(seed)")
        // The last kill may have come late: only the run after it knows how far the one before it came.
        let end = try await wholeRun(folder, "state", "notified", seed, until: "+100")
        _ = try await wholeRun(folder, "reference", "reference.notified", seed, until: "\(end)")
        let killed = try ReplayResult("\(folder.path)/state", notified: "\(folder.path)/notified")
        let whole = try ReplayResult("\(folder.path)/reference", notified: "\(folder.path)/reference.notified")

        // Compared as Booleans: the texts of thousands of events would hide the one that differs.
        let areNumbered = whole.events.map(\.number) == Array(1...Int64(whole.events.count))
        #expect(areNumbered)
        let difference = zip(killed.events, whole.events).first { $0 != $1 }
        #expect(difference == nil && killed.events.count == whole.events.count, "seed \(seed)")
        // A kill moves the polls at which a checkpoint is written; what it says with the log is the same.
        let haveSameState = killed.engine?.merged == whole.engine?.merged
        #expect(haveSameState, "seed \(seed)")
        let unlike = whole.polls.symmetricDifference(killed.polls)
        #expect(unlike.isEmpty, "prices of \(unlike.count) polls; seed \(seed)")
        let haveSamePrices = killed.prices(of: killed.polls) == whole.prices(of: killed.polls)
        #expect(haveSamePrices, "seed \(seed)")
        let repeats = try Self.repeats(in: killed.notified, of: whole.notified)
        print(
            "\(Self.kills) kills, seed \(seed): \(whole.events.count) events in \(end) polls, "
                + "\(repeats) lines notified twice")
        // Repeats only what was notified just before a kill and not yet recorded: the lines of one poll, after few
        // kills.
        #expect(repeats <= Self.kills, "seed \(seed)")
        #expect(last > 2 * Self.kills, "the runs came too short to show anything")
    }

    /// Starts a run and kills it at a random moment: mostly while it polls, sometimes while it starts.
    private func killedRun(
        _ folder: TestFolder, _ seed: UInt64, _ random: inout SplitMix, _ begins: inout [Int]
    ) async throws {
        let program = try replay(folder, "state", "notified", seed, until: "0")
        let isEarly = Int.random(in: 0..<6, using: &random) == 0
        if !isEarly { _ = try await program.output.line("begin; seed \(seed)") { $0.hasPrefix("from") } }
        // Some four polls a run; longer where the machine does less meanwhile.
        let isSlow = begins.last.map { $0 < 4 * begins.count } ?? false
        usleep(UInt32.random(in: 0..<(isSlow ? 400_000 : 40_000), using: &random))
        program.signal(SIGKILL)
        _ = try await program.exitCode()
        try await program.output.end()
        if let line = program.output.lines.first, let begin = Int(line.dropFirst(5)) { begins.append(begin) }
    }

    /// Lets a run finish; returns the poll that it ended with.
    private func wholeRun(
        _ folder: TestFolder, _ state: String, _ notified: String, _ seed: UInt64, until end: String
    ) async throws -> Int {
        let program = try replay(folder, state, notified, seed, until: end)
        #expect(try await program.exitCode() == 0, "\(program.output.text)")
        try await program.output.end()
        return try #require(program.output.lines.last { $0.hasPrefix("to ") }.flatMap { Int($0.dropFirst(3)) })
    }

    private func replay(
        _ folder: TestFolder, _ state: String, _ notified: String, _ seed: UInt64, until end: String
    ) throws -> Program {
        let arguments = ["\(folder.path)/\(state)", "\(folder.path)/\(notified)", "\(seed)", end]
        return try Program(try builtProgram("alertreplay"), arguments)
    }

    /// The line after so many that were right is another, or missing.
    private struct WrongLine: Error {
        let position: Int
        let line: String?
    }

    /// The number of repeated lines.
    ///
    /// - Throws: ``WrongLine``.
    private static func repeats(in lines: [String], of expected: [String]) throws -> Int {
        var (position, repeats) = (0, 0)
        for var line in lines {
            if position < expected.count, line == expected[position] {
                position += 1
                continue
            }
            let recent = expected[max(0, position - 100)..<min(position + 1, expected.count)]
            if !recent.contains(line) { line = whatFollowsATornPart(line, recent) ?? line }
            // The last lines notified before the kill are repeated.
            guard let again = recent.lastIndex(of: line) else { throw WrongLine(position: position, line: line) }
            repeats += position - again
            position = again + 1
        }
        guard position == expected.count else { throw WrongLine(position: position, line: nil) }
        return repeats
    }

    /// The whole line after the beginning of another: Linux ends a write to a file between two pages when the writer is
    /// killed.
    private static func whatFollowsATornPart(_ line: String, _ expected: ArraySlice<String>) -> String? {
        line.indices.dropFirst().lazy
            .filter { start in expected.contains { $0.hasPrefix(line[..<start]) } }
            .map { String(line[$0...]) }
            .first { expected.contains($0) }
    }

    @Test func aLineThatAKillCutOffIsNotTakenForAnother() throws {
        let expected = ["10:00 FIRED a", "10:00 FIRED b", "10:01 ENDED a"]
        #expect(try Self.repeats(in: expected, of: expected) == 0)
        #expect(try Self.repeats(in: [expected[0], "10:00 F\(expected[1])", expected[2]], of: expected) == 0)
        // The whole poll again, from the line before.
        #expect(try Self.repeats(in: [expected[0], "10:00 F\(expected[0])"] + expected[1...], of: expected) == 1)
        #expect(throws: WrongLine.self) {
            try Self.repeats(in: [expected[0], "10:07 F\(expected[1])", expected[2]], of: expected)
        }
        #expect(throws: WrongLine.self) { try Self.repeats(in: [expected[0], expected[2]], of: expected) }
        #expect(throws: WrongLine.self) { try Self.repeats(in: Array(expected[..<2]), of: expected) }
    }
}
