import Foundation
import Testing

@Suite("Rules changed by alertctl, end to end", .timeLimit(.minutes(10)))
struct RuleTests {
    private func rules(_ stage: Stage) -> String {
        (try? String(contentsOfFile: stage.folder.path + "/rules.d/alertctl.toml", encoding: .utf8)) ?? ""
    }

    private func names(_ stage: Stage) async throws -> Set<String> {
        let listed = try #require(try await stage.json("rules")["rules"] as? [[String: Any]])
        return Set(listed.compactMap { $0["name"] as? String })
    }

    @Test func aRuleIsAddedFiresAndIsRemoved() async throws {
        let stage = try await Stage(rules: "")
        try await stage.polls()
        let added = try await stage.ctl("rule", "add", "btcinr", "--max", "110", "--yes")
        #expect(added.code == 0 && added.output.contains("it would not have fired"), "\(added)")
        #expect(try await names(stage) == ["btcinr max"])
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        let trial = try await stage.ctl("rule", "add", "btcinr", "--max", "115", "--dry-run")
        #expect(trial.output.contains("it would have fired once and notified once"), "\(trial)")
        let removed = try await stage.ctl("rule", "remove", "btcinr max", "--yes")
        #expect(removed.code == 0, "\(removed)")
        _ = try await reader.event("resolved") { $0["reason"] as? String == "rule_removed" }
        #expect(try await names(stage) == [])
        stage.daemon.signal(SIGTERM)
        _ = try await stage.daemon.exitCode()
        let later = try await stage.ctl("rule", "add", "btcinr", "--min", "5", "--yes", "--config", stage.settings)
        #expect(later.code == 0 && later.output.contains("this takes effect when it starts"), "\(later)")
        try await stage.restart()
        #expect(try await names(stage) == ["btcinr min"])
    }

    /// None of several changes at once is lost.
    @Test func changesAtOnceAreAllMade() async throws {
        let stage = try await Stage(rules: "")
        try await stage.polls()
        let limits = (1...6).map { "\($0)00" }
        try await withThrowingTaskGroup(of: Finished.self) { group in
            let (program, socket) = (try builtProgram("alertctl"), stage.controlSocket)
            for limit in limits {
                let words = ["rule", "add", "btcinr", "--max", limit, "--name", "at \(limit)", "--yes"]
                group.addTask { try await run(program, ["--socket", socket] + words) }
            }
            for try await finished in group { #expect(finished.code == 0, "\(finished)") }
        }
        #expect(try await names(stage) == Set(limits.map { "at \($0)" }))
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path + "/rules.d")
        #expect(left == ["alertctl.toml"])
    }

    @Test func whoMayNotWriteLearnsWhatToDo() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        // Root may write everywhere, so it becomes nobody.
        let drop = geteuid() == 0 ? "exec setpriv --reuid 65534 --regid 65534 --clear-groups" : "chmod a-w .; exec"
        let command = "cd \"$1\"; \(drop) \"$0\" rule add btcinr --max 110 --yes --config \"$2\""
        let program = try programForEveryone("alertctl", in: stage.folder)
        let denied = try await run("/bin/bash", ["-c", command, program, stage.folder.path, stage.settings])
        #expect(denied.code == 77, "\(denied)")
        #expect(denied.errors.contains("not allowed to change "), "\(denied)")
        #expect(denied.errors.contains("run the command as root, for example with sudo"), "\(denied)")
        #expect(rules(stage).isEmpty)
    }

    @Test func theEditorOfTheUserIsOpened() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let rule = "[[rule]]\nname = \"x\"\nsymbol = \"btcinr\"\nmax = 500\n"
        _ = try stage.folder.write(rule, to: "rules.d/alertctl.toml")
        #expect(try await stage.ctl("reload").code == 0)
        let edited = try await run(
            try builtProgram("alertctl"), ["--socket", stage.controlSocket, "rule", "edit", "x"],
            environment: ["EDITOR": "sed -i s/500/600/"])
        #expect(edited.code == 0 && edited.output.contains("Changed:\n  x\n"), "\(edited)")
        #expect(rules(stage).contains("max = 600"))
        let broken = try await run(
            try builtProgram("alertctl"), ["--socket", stage.controlSocket, "rule", "edit"],
            environment: ["VISUAL": "sed -i s/600/six/"])
        #expect(broken.code == 1 && broken.errors.contains("rules.d/alertctl.toml:4:7: error"), "\(broken)")
        #expect(rules(stage).contains("max = 600"))
        let kept = broken.errors.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
        #expect(kept.hasSuffix("/alertctl.toml"))
        try? FileManager.default.removeItem(at: URL(filePath: kept).deletingLastPathComponent())
    }
}
