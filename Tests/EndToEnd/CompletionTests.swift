import Foundation
import TestSupport
import Testing

/// Tab in the real shells, with the real program and a running daemon.
@Suite("Completion, end to end", .timeLimit(.minutes(10)))
struct CompletionTests {
    static let rules = """
        [[rule]]
        name = "it's a band"
        symbol = "btcinr"
        max = "110"
        """

    @Test(arguments: CompletingShell.allCases.filter(\.isInstalled))
    func symbolsAndRulesAreThoseOfTheDaemon(shell: CompletingShell) async throws {
        let stage = try await Stage(rules: Self.rules)
        try await stage.polls()
        let program = try builtProgram("alertctl")
        let script = try await run(program, ["completion", shell.rawValue]).output
        let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
        func offers(_ line: String, _ variables: [String: String]) throws -> [String] {
            try shell.offers(line, of: "alertctl", script: script, folders: folder, variables: variables)
        }
        let variables = ["ALERTD_SOCKET": stage.controlSocket]
        #expect(try offers("alertctl show b", variables) == ["btcinr", "btcusdt"])
        #expect(try offers("alertctl --socket \(stage.controlSocket) show e", [:]) == ["ethinr"])
        #expect(try offers("alertctl tail --rule ", variables).count == 1)
        #expect(try offers("alertctl conv", [:]) == ["convert"])
        #expect(try offers("alertctl show b", ["ALERTD_SOCKET": "\(stage.folder.path)/none"]).isEmpty)
    }
}
