import Foundation
import TestSupport
import Testing

/// The terminal is as it was before, however `alertctl` ends: `Tests/Terminal/kills.py`.
struct TerminalTests {
    private let rounds = ProcessInfo.processInfo.environment["ALERTD_TERMINAL_ROUNDS"] ?? "28"

    @Test(arguments: ["watch", "chart btcinr --since 1h"])
    func everyEndRestoresTheTerminal(command: String) async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        let script = packageFolder.appending(path: "Tests/Terminal/kills.py").path
        let finished = try await run(
            "/usr/bin/env",
            ["python3", script, try builtProgram("alertctl"), rounds, "1"]
                + command.split(separator: " ").map(String.init),
            environment: [
                "ALERTD_SOCKET": stage.controlSocket, "TERM": "xterm-256color", "LANG": "C.UTF-8",
                "XDG_CONFIG_HOME": "\(stage.folder.path)/home", "SWIFT_BACKTRACE": "enable=no",
            ], limit: .seconds(600))
        #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
    }
}
