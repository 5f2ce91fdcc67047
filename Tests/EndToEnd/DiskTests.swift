import Foundation
import Testing

/// A daemon whose state is on a small file system of its own: on-tmpfs.sh.
final class SmallDisk {
    let folder = TestFolder()
    let exchange: Exchange
    let program: Program
    private var answers = 0

    var socket: String { "\(folder.path)/run/org.alertd.Control" }

    init() async throws {
        exchange = try await Exchange(tls: nil)
        try await exchange.serve(Stage.tickers)
        let text = Stage.settings(url: exchange.url(), feed: "", rules: StateTests.manyRules)
        let settings = try folder.write(text, to: "alertd.toml")
        let state = "\(folder.path)/state"
        program = try Program(
            "/bin/bash",
            [
                sourceFile("on-tmpfs.sh"), state, "2m", try builtProgram("alertd"), "--config", settings,
                "--runtime-dir", "\(folder.path)/run", "--state-dir", state,
            ])
    }

    /// Starts the daemon, and a reader of its events.
    func start() async throws -> EventReader {
        let before = program.errors.lines.count
        try await order("start")
        _ = try await program.errors.line(from: before, "start message") { $0.contains("version") }
        let reader = try EventReader("\(folder.path)/run/events.sock")
        while try await status()["event_readers"] as? Int != 1 {}
        return reader
    }

    static func isPossible() async throws -> Bool {
        // Where it is possible it is required; elsewhere the tests report that they cannot run.
        if getuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        return try await run("/usr/bin/env", ["unshare", "--mount", "true"]).code == 0
    }

    func order(_ order: String) async throws {
        try program.send(line: order)
        let before = answers
        answers += 1
        _ = try await eventually("answer to \(order): \(program.errors.text)") {
            program.output.lines.count { $0 == "obeyed" } > before ? true : nil
        }
    }

    func status() async throws -> [String: Any] {
        let answer = try await run(try builtProgram("alertctl"), ["--socket", socket, "status", "--json"])
        let status = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        return try #require(status, "\(answer.output) \(answer.errors)")
    }

    func store() async throws -> [String: Any] {
        try #require(try await status()["store"] as? [String: Any])
    }
}

@Suite(
    "A full and a read-only disk, end to end", .timeLimit(.minutes(10)),
    .enabled("needs root for a file system of its own") { try await SmallDisk.isPossible() })
struct DiskTests {
    @Test func aFullDiskSilencesNothing() async throws {
        let disk = try await SmallDisk()
        let reader = try await disk.start()
        try await flip(disk, reader, "1000", count: 40)
        try await disk.order("fill")
        var isHigh = true
        // There may still be room for some polls in space that the log already occupies.
        for _ in 0..<200 where !has(reader, "store_failed") {
            isHigh.toggle()
            try await flip(disk, reader, isHigh ? "1000" : "1", count: 40)
        }
        try await expectTrouble(disk, reader, "full", isHigh ? "1" : "1000")
        try await disk.order("free")
        try await expectRecovery(disk, reader)
        let fired = reader.events.count { $0["kind"] as? String == "fired" }
        #expect(disk.program.output.lines.count { $0.contains("FIRED") } == fired, "each is notified once")
    }

    /// What is stored can be read: numbers continue, and nothing is notified again.
    @Test func aReadOnlyDiskSilencesNothing() async throws {
        let disk = try await SmallDisk()
        let first = try await disk.start()
        try await flip(disk, first, "1000", count: 40)
        let last = try #require(first.all.last?["number"] as? Int)
        try await disk.order("stop")
        try await disk.order("readonly")
        let reader = try await disk.start()
        try await expectTrouble(disk, reader, "writ", "1")
        #expect(reader.events.allSatisfy { $0["kind"] as? String != "fired" })
        #expect(reader.all.first?["number"] as? Int ?? 0 > last)
        try await disk.order("writable")
        try await expectRecovery(disk, reader)
        #expect(disk.program.output.lines.count { $0.contains("FIRED") } == 40, "each is notified once")
    }

    /// It is reported in status and log, once as an event, and alerts are still notified.
    private func expectTrouble(
        _ disk: SmallDisk, _ reader: EventReader, _ word: String, _ price: String
    ) async throws {
        try await flip(disk, reader, price, count: 40)
        let store = try await disk.store()
        #expect(store["state"] as? String == "degraded", "\(store)")
        #expect(store["unsaved"] as? Int ?? 0 >= 40, "\(store)")
        #expect((store["message"] as? String)?.contains(word) == true, "\(store)")
        #expect(disk.program.errors.lines.contains { $0.contains("alertd: state: ") && $0.contains(word) })
        #expect(disk.program.output.lines.count { $0.contains("UNSAVED") } == 1, "said once")
    }

    private func expectRecovery(_ disk: SmallDisk, _ reader: EventReader) async throws {
        _ = try await reader.event("store_recovered") { $0["kind"] as? String == "store_recovered" }
        let store = try await disk.store()
        #expect(store["state"] as? String == "ok" && store["unsaved"] as? Int == 0, "\(store)")
        #expect(reader.isWithoutHoles)
        #expect(store["events"] as? Int == reader.all.last?["number"] as? Int, "\(store)")
    }

    /// Moves the price and waits for the result.
    private func flip(_ disk: SmallDisk, _ reader: EventReader, _ price: String, count: Int) async throws {
        let before = alerts(reader)
        try await disk.exchange.price("btcinr", price)
        _ = try await eventually("\(count) alerts more than \(before)") {
            alerts(reader) >= before + count ? true : nil
        }
    }

    private func alerts(_ reader: EventReader) -> Int {
        reader.events.count { ["fired", "resolved"].contains($0["kind"] as? String) }
    }

    private func has(_ reader: EventReader, _ event: String) -> Bool {
        reader.events.contains { $0["kind"] as? String == event }
    }
}
