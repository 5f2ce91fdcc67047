import Foundation
import Testing

/// `alertctl log` on a real journald.
@Suite(
    "alertctl log, end to end", .timeLimit(.minutes(10)),
    .enabled("needs root and private namespaces; with CI=true it runs and fails without them") {
        try await Journald.isPossible()
    })
struct LogTests {
    private func objects(_ lines: [String]) throws -> [[String: Any]] {
        try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)") }
    }

    @Test func theEntriesAreThoseOfTheDaemon() async throws {
        let stage = try await JournalStage(rules: JournalTests.rules, ownStreams: true)
        let reader = try stage.reader()
        try await stage.polls()
        try await stage.exchange.price("btcinr", "110")
        _ = try await reader.event("fired") { $0["rule"] as? String == "btc band" }
        let log = try stage.command("alertctl", "log --json")
        let all = try objects(try await stage.run(log))
        #expect(all.prefix(2).compactMap { $0["kind"] as? String } == ["store_opened", "started"])
        let text = "BTC/INR ₹110.00 is at or above its maximum ₹110.00 (rule 'btc band')"
        #expect(all.contains { $0["message"] as? String == text })
        let fired = try objects(try await stage.run("\(log) --kind fired --symbol 'btc*' --since 1h"))
        #expect(fired.count == 1)
        #expect(fired.first?["rule"] as? String == "btc band")
        #expect(fired.first?["level"] as? String == "critical")
        #expect((fired.first?["cursor"] as? String)?.hasPrefix("s=") == true)
        #expect(try await stage.run("\(log) --priority critical").count == 1)
        #expect(try await stage.run("\(log) --since 1h -n 2").count == 2)
        #expect(try await stage.run("\(log) --until 1h").isEmpty)
        #expect(try await stage.run("\(log) --user --kind started").count == 1)
        #expect(try await stage.run("\(log) --system").isEmpty, "there is no service here")
    }

    @Test func newEntriesAreFollowed() async throws {
        let stage = try await JournalStage(rules: JournalTests.rules, ownStreams: true)
        try await stage.polls()
        let log = try stage.command("alertctl", "log --follow -n 0 --json --kind fired --rule 'btc band'")
        let file = "\(stage.folder.path)/followed"
        try await stage.run("touch \(file); \(log) >>\(file) & follower=$!")
        let lines = { try String(contentsOfFile: file, encoding: .utf8) }
        // A follower that is not connected yet would miss the alert, so it is caused until it is seen.
        for price in ["110", "100"] + Array(repeating: ["110", "100"], count: 20).joined() where try lines().isEmpty {
            try await stage.exchange.price("btcinr", price)
            try await stage.polls()
        }
        // The test runner blocks other signals, and child processes inherit that.
        try await stage.run("kill -KILL $follower; wait $follower || true")
        let followed = try objects(try lines().split(separator: "\n").map(String.init))
        #expect(followed.first?["symbol"] as? String == "btcinr")
    }

    @Test func withoutAJournalItSaysSo() async throws {
        let stage = try await JournalStage(rules: JournalTests.rules, ownStreams: true)
        let log = try stage.command("alertctl", "log")
        let hidden = "mount -t tmpfs none /run/log && mount -t tmpfs none /var/log"
        let lines = try await stage.run("{ unshare --mount bash -c '\(hidden) && \(log)' 2>&1; echo code $?; }")
        #expect(lines.last == "code 1" && lines.contains { $0.contains("this machine has no journal") }, "\(lines)")
    }

    /// A user in none of the groups sees no entries of others, and a message says why.
    @Test func withoutRightsItSaysWhatToDo() async throws {
        let stage = try await JournalStage(rules: JournalTests.rules, ownStreams: true)
        try await stage.polls()
        let log = "\(try programForEveryone("alertctl", in: stage.folder)) log"
        let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
        let lines = try await stage.run("{ \(nobody) \(log) 2>&1; echo code $?; }")
        #expect(lines.last == "code 77")
        #expect(lines.contains { $0.contains("--groups systemd-journal") }, "\(lines)")
    }
}

extension JournalStage {
    /// A command line of one of the programs.
    fileprivate func command(_ program: String, _ arguments: String) throws -> String {
        "\(try builtProgram(program)) \(arguments)"
    }
}
