import Foundation
import Testing

@Suite("Start, reload and end, end to end", .timeLimit(.minutes(10)))
struct LifeTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func itEndsInOrderInTheMiddleOfAResponse(_ signal: Int32) async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let asked = try #require(try await stage.exchange.report()["requests"] as? Int)
        try await stage.exchange.command(["do": "behave", "as": "half"])
        try await stage.exchange.command(["do": "wait", "requests": asked + 1])
        stage.daemon.signal(signal)
        #expect(try await stage.daemon.exitCode() == 0)
        #expect(!FileManager.default.fileExists(atPath: stage.eventSocket))
        #expect(!FileManager.default.fileExists(atPath: stage.controlSocket))
        #expect(!stage.daemon.errors.text.contains("feed: "), "\(stage.daemon.errors.text)")
    }

    @Test func theSocketsOfADeadDaemonAreReplaced() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        stage.daemon.signal(SIGKILL)
        #expect(try await stage.daemon.exitCode() == 128 + SIGKILL)
        #expect(FileManager.default.fileExists(atPath: stage.eventSocket))
        try await stage.restart()
        #expect(try await stage.ctl("status").code == 0)
    }

    @Test func theSocketsOfALivingDaemonAreNot() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let second = try await run(
            try builtProgram("alertd"), ["--config", stage.settings, "--runtime-dir", stage.runtime])
        #expect(second.code == 1)
        #expect(second.errors.contains("another alertd is listening there"), "\(second.errors)")
        #expect(try await stage.ctl("status").code == 0)
    }

    /// Its clients could take the descriptors that it polls with.
    @Test func tooFewOpenFilesAreAnErrorAtOnce() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let second = try await run(
            "/bin/sh",
            [
                "-c", "ulimit -n 191 && exec \"$0\" \"$@\"", try builtProgram("alertd"), "--config", stage.settings,
                "--runtime-dir", stage.folder.path + "/other", "--state-dir", stage.folder.path + "/other",
            ])
        #expect(second.code == 1)
        #expect(second.errors.contains("the limit on open files is 191, but at least 192"), "\(second.errors)")
        #expect(!FileManager.default.fileExists(atPath: stage.folder.path + "/other/alertd.db"))
    }

    /// Readers of events get only those descriptors that the control socket and the daemon itself do not need.
    @Test func readersLeaveTheDescriptorsOfTheControlSocket() async throws {
        let stage = try await Stage(rules: AlertTests.band, shell: "ulimit -n 193")
        let reader = try await stage.reader()
        let status = try await stage.json("status")
        #expect(status["event_readers"] as? Int == 1 && status["event_readers_limit"] as? Int == 1, "\(status)")
        let log = stage.daemon.errors.text
        #expect(log.contains("event_readers is 1024, but the limit on open files allows only 1"), "\(log)")
        withExtendedLifetime(reader) {}
    }

    @Test func aReloadTakesTheNewRulesAndKeepsTheOthersState() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        let more = AlertTests.band + "\n[[rule]]\nname = \"eth\"\nsymbol = \"ethinr\"\nmax = \"40\"\n"
        _ = try stage.folder.write(
            Stage.settings(url: stage.exchange.url(), feed: "", rules: more), to: "alertd.toml")
        let reload = try await stage.ctl("reload")
        #expect(reload.code == 0, "\(reload.errors)")
        #expect(reload.output.contains("eth"))
        let fired = try await reader.event("eth") { $0["rule"] as? String == "eth" }
        #expect(fired["reason"] as? String == "already_breached")
        let kinds = reader.events.compactMap { $0["kind"] as? String }
        #expect(kinds == ["fired", "rules_changed", "fired"])
    }

    @Test func whatOnlyAReloadRunsIsNotResidentAfterTheNextPoll() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let asked = try #require(try await stage.exchange.report()["requests"] as? Int)
        try await stage.exchange.command(["do": "behave", "as": "half"])
        try await stage.exchange.command(["do": "wait", "requests": asked + 1])
        #expect(try await stage.ctl("reload").code == 0)
        let afterReload = try stage.daemon.residentFileKilobytes()
        try await stage.exchange.command(["do": "normal"])
        try await stage.polls()
        #expect(try stage.daemon.residentFileKilobytes() < afterReload)
    }

    @Test func aBadFileChangesNothingAndSaysWhere() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        _ = try stage.folder.write(
            "[feed]\nintervall = \"1s\"\n[[rule]]\nmin = \"5\"\nmax = \"4\"\n", to: "alertd.toml")
        let reload = try await stage.ctl("reload")
        #expect(reload.code == 6)
        #expect(reload.errors.contains("alertd.toml:2:1"), "\(reload.errors)")
        #expect(reload.errors.contains("interval"))
        stage.daemon.signal(SIGHUP)
        _ = try await stage.daemon.errors.line("failed reload") { $0.contains("reload failed") }
        let status = try await stage.ctl("status")
        #expect(status.output.contains("reload"), "\(status.output)")
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
    }

    @Test func theCheckPrintsTheSameAsTheTool() async throws {
        let folder = TestFolder()
        let bad = try folder.write("[[rule]]\nsymbol = \"btcinr\"\nmax = \"-4\"\nsevrity = \"info\"\n", to: "bad.toml")
        let checked = try await run(try builtProgram("alertd"), ["--config", bad, "--check"])
        #expect(checked.code == 6)
        #expect(checked.output.contains("bad.toml:3:"))
        #expect(checked.output.contains("severity"))
        #expect(checked.output.contains("^"))
        let other = try await run(try builtProgram("alertctl"), ["config", "check", bad])
        #expect(other.code == 6)
        #expect(other.output == checked.output)
        let good = try folder.write(AlertTests.band, to: "good.toml")
        let fine = try await run(try builtProgram("alertd"), ["--config", good, "--check"])
        #expect(fine.code == 0)
        let same = try await run(try builtProgram("alertctl"), ["config", "check", good])
        #expect(same.code == 0)
        #expect(same.output == fine.output)
        let started = try await run(try builtProgram("alertd"), ["--config", bad, "--runtime-dir", folder.path])
        #expect(started.code == 6)
    }

    @Test func withoutADaemonTheToolSaysHowToStartIt() async throws {
        let folder = TestFolder()
        for command in ["status", "list", "alerts", "rules", "reload", "poll"] {
            let answer = try await run(try builtProgram("alertctl"), ["--socket", "\(folder.path)/none", command])
            #expect(answer.code == 3, "\(command)")
            #expect(answer.errors.contains("systemctl start alertd"), "\(answer.errors)")
        }
    }

    @Test func usageErrorsSuggestTheNearest() async throws {
        let daemon = try await run(try builtProgram("alertd"), ["--confg", "x"])
        #expect(daemon.code == 2)
        #expect(daemon.errors.contains("--config"))
        let tool = try await run(try builtProgram("alertctl"), ["statsu"])
        #expect(tool.code == 2)
        #expect(tool.errors.contains("status"))
    }

    @Test func anUnknownSymbolSuggestsTheNearest() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let answer = try await stage.ctl("show", "btcirn")
        #expect(answer.code == 4)
        #expect(answer.errors.contains("btcinr"))
    }

    @Test func betweenPollsTheProcessSleeps() async throws {
        let stage = try await Stage(rules: AlertTests.band, feed: "")
        let slow = Stage.settings(url: stage.exchange.url(), feed: "", rules: AlertTests.band)
            .replacingOccurrences(of: "interval = \"100ms\"", with: "interval = \"1h\"")
            .replacingOccurrences(of: "max_gap = \"1h\"", with: "max_gap = \"2h\"")
        _ = try stage.folder.write(slow, to: "alertd.toml")
        #expect(try await stage.ctl("reload").code == 0)
        let status = "/proc/\(stage.daemon.pid)/status"
        let switches = { () throws -> String? in
            try String(contentsOfFile: status, encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("voluntary_ctxt_switches") }.map(String.init)
        }
        // Settled: the same count twice in a row, five seconds apart, is only possible without wake-ups.
        var before = try switches()
        _ = try await eventually("five quiet seconds") { () -> Bool? in
            usleep(5_000_000)
            let now = try switches()
            defer { before = now }
            return now == before ? true : nil
        }
    }

    /// Without the file, nobody can connect; the next poll makes it again.
    @Test func aRemovedSocketIsMadeAgain() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        for path in [stage.controlSocket, stage.eventSocket] {
            stage.daemon.signal(SIGSTOP)
            try FileManager.default.removeItem(atPath: path)
            if path == stage.controlSocket {
                let status = try await stage.ctl("status")
                #expect(status.code == 3)
                #expect(status.errors.contains("was removed"), "\(status.errors)")
            }
            stage.daemon.signal(SIGCONT)
            _ = try await stage.daemon.errors.line("the log") { $0.contains("\(path) was removed; recreated it") }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o660)
        }
        #expect(try await stage.ctl("status").code == 0)
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        #expect(!FileManager.default.fileExists(atPath: stage.controlSocket))
    }
}
