import Foundation
import TestSupport
import Testing

@Suite("Events and backup, end to end", .timeLimit(.minutes(10)))
struct StoreCommandTests {
    @Test func pastEventsAreListedAlsoAfterARestart() async throws {
        let stage = try await Stage(rules: AlertTests.band, interval: "1s")
        let reader = try await stage.reader()
        for (price, kind) in [("120", "fired"), ("100", "resolved"), ("80", "fired")] {
            let seen = reader.events.count
            try await stage.exchange.price("btcinr", price)
            _ = try await reader.event("\(kind) at \(price)") { $0["price"] as? String == price }
            #expect(reader.events.count > seen)
        }
        let all = reader.all
        for isRestarted in [false, true] {
            if isRestarted {
                stage.daemon.signal(SIGKILL)
                _ = try await stage.daemon.exitCode()
                try await stage.restart()
            }
            let listed = try #require(try await stage.json("events")["events"] as? [[String: Any]])
            #expect(listed.prefix(all.count).map { $0["text"] as? String } == all.map { $0["text"] as? String })
            #expect(listed.prefix(all.count).map { $0["number"] as? Int } == all.map { $0["number"] as? Int })
            let fired = try await stage.json("events", "--kind", "fired", "--symbol", "btc*", "--limit", "1")
            #expect((fired["events"] as? [[String: Any]])?.compactMap { $0["price"] as? String } == ["80"])
            #expect(fired["more"] as? Bool == true)
            let resolved = try await stage.json("events", "--after", "1", "--kind", "resolved")
            #expect((resolved["events"] as? [[String: Any]])?.compactMap { $0["price"] as? String } == ["100"])
        }
        let exported = try await stage.ctl("export", "events", "--format", "csv")
        #expect(exported.output.hasPrefix("# alertctl export: {\"alertctl_export\":\"events\""))
        #expect(exported.output.contains(",fired,wazirx,btc band,btcinr,min,critical,80,90,INR,100,"))
    }

    @Test func aBackupIsWholeWhilePollsGoOn() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.exchange.price("btcinr", "120")
        _ = try await stage.daemon.output.line("fired") { $0.contains("120") }
        let file = stage.folder.path + "/copy.db"
        let made = try await stage.ctl("backup", file)
        #expect(made.code == 0, "\(made.errors)")
        let check = try await run(
            "/usr/bin/env", ["sqlite3", "-readonly", file, "PRAGMA integrity_check; SELECT kind FROM events;"])
        #expect(check.output.hasPrefix("ok\n"), "\(check.output) \(check.errors)")
        #expect(check.output.contains("fired"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await stage.ctl("backup", file)
        #expect(again.code == 1)
        #expect(again.errors.contains("already exists; --force overwrites it"))
        #expect(try await stage.ctl("backup", "--force", file).code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.runtime).filter { $0.contains("backup") }
        #expect(left == [])
    }

    @Test func aBackupIsRestoredWhileTheDaemonIsStopped() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["price"] as? String == "120" }
        let file = stage.folder.path + "/copy.db"
        #expect(try await stage.ctl("backup", file).code == 0)
        let own = try await stage.ctl("backup", "--force", stage.runtime + "/alertd.db")
        #expect(own.code == 1 && own.errors.contains("is the daemon's own state file; name another file"), "\(own)")
        let seen = reader.events.count
        try await stage.exchange.price("btcinr", "100")
        let resolved = try await reader.event(from: seen, "resolved") { $0["kind"] as? String == "resolved" }
        let last = try #require(resolved["number"] as? Int)
        let options = ["restore", file, "--state-dir", stage.runtime, "--config", stage.settings]
        let program = try builtProgram("alertctl")
        let running = try await run(program, options)
        #expect(running.code == 1 && running.errors.contains("systemctl stop alertd.socket"), "\(running)")
        stage.daemon.signal(SIGTERM)
        _ = try await stage.daemon.exitCode()
        let restored = try await run(program, options)
        #expect(restored.code == 0, "\(restored)")
        #expect(restored.output.contains("the next one gets the number \(last + 1).\nThe previous state is in "))
        let again = try await run(program, options + ["--json"])
        #expect(SchemaCheck.faults(inOutput: again.output, of: ["restore"]) == [], "\(again)")
        try await stage.restart()
        let events = try #require(try await stage.json("events", "--kind", "resolved")["events"] as? [[String: Any]])
        // The price is back, so the firing that the backup has resolves again, under a number of its own.
        #expect(!events.contains { $0["number"] as? Int == last }, "\(events)")
    }

    /// Without standard output and error their numbers are free, and nothing may get them that text is written to.
    @Test func closedStandardDescriptorsAreNotFiles() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let file = stage.folder.path + "/prices.jsonl"
        let command = "exec \"$0\" --socket \"$1\" export history --output \"$2\" >&- 2>&-"
        let exported = try await run(
            "/bin/bash", ["-c", command, try builtProgram("alertctl"), stage.controlSocket, file])
        #expect(exported.code == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 3 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(lines)")
        let daemon = try await Stage(rules: AlertTests.band, shell: "exec <&-")
        let input = "/proc/\(daemon.daemon.pid)/fd/0"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: input) == "/dev/null")
    }
}
