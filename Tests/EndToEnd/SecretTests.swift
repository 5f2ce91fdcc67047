import Foundation
import Testing

/// Secrets come from credentials, and appear nowhere.
@Suite("Secrets, end to end", .timeLimit(.minutes(10)))
struct SecretTests {
    private let folder = TestFolder()

    /// A folder of credentials with a proxy that is not listening.
    private func credentials(_ proxy: String) throws -> [String: String] {
        try folder.credentials(["proxy": proxy])
    }

    private func settings(_ feed: String) throws -> String {
        try folder.write(
            "[feed]\n\(feed)\n[rates]\nenabled = false\n[sinks]\njournal = false\n\(AlertTests.band)", to: "alertd.toml"
        )
    }

    @Test func whatFailsWithAProxyDoesNotShowItsPassword() async throws {
        let file = try settings("url = \"http://exchange.invalid/sapi/v1\"\nallow_http = true\ninterval = \"1s\"")
        let manager = try ServiceManagerSocket()
        let environment = try credentials("http://anna:hunter2@127.0.0.1:1\n")
            .merging(["NOTIFY_SOCKET": manager.address]) { first, _ in first }
        let daemon = try Program(
            try builtProgram("alertd"), ["--config", file, "--runtime-dir", folder.path, "--state-dir", folder.path],
            environment: environment)
        _ = try await daemon.errors.line("the proxy") { $0.hasSuffix("using the proxy http://127.0.0.1:1") }
        _ = try await daemon.errors.line("a failure") { $0.contains("feed: ") }
        var seen = ""
        for words in [["status"], ["status", "--json"], ["poll"], ["rules"], ["events", "--json"]] {
            let finished = try await run(
                try builtProgram("alertctl"), ["--socket", "\(folder.path)/org.alertd.Control"] + words)
            seen += finished.output + finished.errors
        }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exitCode() == 0)
        seen += daemon.errors.text + daemon.output.text + manager.messages.joined()
        #expect(seen.contains("refused"), "\(seen)")
        #expect(!seen.contains("hunter2") && !seen.contains("anna"), "\(seen)")
    }

    @Test(arguments: ["hunter2", "http://anna:hunter2@proxy", "http://anna:hunter2@proxy:1/x", "a\nhunter2"])
    func aCredentialThatIsWrongIsSaidWithoutIt(text: String) async throws {
        let ended = try await run(
            try builtProgram("alertd"),
            ["--config", try settings("source = \"simulator\""), "--runtime-dir", folder.path],
            environment: try credentials(text))
        #expect(ended.code == 6)
        #expect(ended.errors.contains("credential 'proxy'") && ended.errors.contains("credential set proxy"))
        #expect(!ended.errors.contains("hunter2"), "\(ended.errors)")
    }

    /// By the daemon's start and check, and by alertctl's check.
    @Test(arguments: [
        "proxy = \"http://anna:hunter2@proxy:1\"", "api_key = \"hunter2\"", "token = hunter2",
        "url = \"https://anna:hunter2@exchange.invalid/\"", "password = \"hunter2",
    ])
    func aSecretInTheSettingsIsAnErrorWithoutIt(line: String) async throws {
        let file = try settings(line)
        let runs = [
            try await run(try builtProgram("alertd"), ["--config", file, "--runtime-dir", folder.path]),
            try await run(try builtProgram("alertd"), ["--config", file, "--check"]),
            try await run(try builtProgram("alertctl"), ["config", "check", file]),
            try await run(try builtProgram("alertctl"), ["config", "check", file, "--json"]),
        ]
        for ended in runs {
            #expect(ended.code == 6, "\(ended)")
            #expect((ended.output + ended.errors).contains("alertd.toml"))
            #expect(!(ended.output + ended.errors).contains("hunter2"), "\(ended)")
        }
    }
}
