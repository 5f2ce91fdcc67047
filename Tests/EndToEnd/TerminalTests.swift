import Foundation
import TestSupport
import Testing

/// `alertctl watch`, `chart` and `web` in a terminal: `kills.py`, `mouse.py` and `web.py` of Tests/Terminal.
struct TerminalTests {
    private let rounds = "\(LongRun.count(500, otherwise: 14))"

    private func environment(_ stage: Stage) -> [String: String] {
        [
            "ALERTD_SOCKET": stage.controlSocket, "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": "\(stage.folder.path)/home", "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    @Test(arguments: ["watch", "chart btcinr --since 1h"])
    func everyEndRestoresTheTerminal(command: String) async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let script = packageFolder.appending(path: "Tests/Terminal/kills.py").path
        let finished = try await run(
            "/usr/bin/env",
            ["python3", script, try builtProgram("alertctl"), rounds, "1"]
                + command.split(separator: " ").map(String.init),
            environment: environment(stage), limit: .seconds(600))
        #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
    }

    @Test func enterPrintsAnotherAddressOfThePage() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let script = packageFolder.appending(path: "Tests/Terminal/web.py").path
        let finished = try await run(
            "/usr/bin/env", ["python3", script, try builtProgram("alertctl")], environment: environment(stage),
            limit: .seconds(600))
        #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
    }

    @Test func theMouseWorksInTmux() async throws {
        guard TerminalTools.python != nil else {
            return withKnownIssue("\(TerminalTools.missing)") { Issue.record("skipped") }
        }
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let script = packageFolder.appending(path: "Tests/Terminal/mouse.py").path
        let finished = try await run(
            "/usr/bin/env", ["python3", script, try builtProgram("alertctl")], environment: environment(stage),
            limit: .seconds(600))
        #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
    }
}
