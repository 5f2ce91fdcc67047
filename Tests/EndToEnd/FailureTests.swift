import Foundation
import Testing

@Suite("Failures of the exchange, end to end", .timeLimit(.minutes(10)))
struct FailureTests {
    /// How the exchange behaves, and the word that `alertctl status` shows for it.
    static let failures: [(behaviour: [String: any Sendable], state: String)] = [
        (["as": "rate_limited"], "rate_limited"), (["as": "code_2136"], "rate_limited"), (["as": "banned"], "banned"),
        (["as": "forbidden"], "forbidden"), (["as": "server_error"], "server_error"), (["as": "html"], "not_json"),
        (["as": "empty"], "empty"), (["as": "cut"], "unusable"), (["as": "truncated"], "truncated"),
        (["as": "close"], "truncated"), (["as": "oversized"], "too_large"), (["as": "bomb"], "too_large"),
        (["status": 404, "body": "{}"], "rejected"), (["body": "[null]"], "unusable"),
        (["status": 302, "headers": ["Location": "https://elsewhere.example/"], "body": ""], "redirect"),
    ]

    @Test(arguments: failures.indices)
    func isAStateOfItsOwn(_ index: Int) async throws {
        let (behaviour, state) = Self.failures[index]
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        try await stage.exchange.command((behaviour as [String: Any]).merging(["do": "behave"]) { old, _ in old })
        let line = try await stage.daemon.errors.line("message about \(state)") { $0.contains("feed: ") }
        #expect(line.contains("; "), "no advice: \(line)")
        let status = try await stage.json("status")
        let feed = try #require(status["feed"] as? [String: Any])
        #expect(feed["state"] as? String == state, "\(feed)")
        #expect((feed["message"] as? String)?.isEmpty == false)
        // The same failure is not reported again. After a ban and a refusal there is no request for two minutes.
        if !["banned", "forbidden"].contains(state) { try await stage.polls(1) }
        #expect(stage.daemon.errors.lines.count { $0.contains("feed: ") } == 1)
    }

    @Test func whenNobodyListensItIsRefused() async throws {
        let stage = try await Stage(rules: AlertTests.band, feed: "")
        let text = Stage.settings(url: "http://127.0.0.1:1/sapi/v1", feed: "", rules: AlertTests.band)
        _ = try stage.folder.write(text, to: "alertd.toml")
        stage.daemon.signal(SIGHUP)
        _ = try await stage.daemon.errors.line("message") { $0.contains("feed: ") && $0.contains("refused") }
        let feed = try await stage.json("status")["feed"] as? [String: Any]
        #expect(feed?["state"] as? String == "refused")
    }

    @Test func aNameThatDoesNotExistIsSaid() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let text = Stage.settings(url: "https://nowhere.invalid/sapi/v1", feed: "", rules: AlertTests.band)
            .replacingOccurrences(of: "interval = \"100ms\"", with: "interval = \"1s\"")
        _ = try stage.folder.write(text, to: "alertd.toml")
        stage.daemon.signal(SIGHUP)
        _ = try await stage.daemon.errors.line("message") { $0.contains("feed: ") && $0.contains("nowhere.invalid") }
        let feed = try await stage.json("status")["feed"] as? [String: Any]
        #expect(feed?["state"] as? String == "resolution")
    }

    @Test func theExchangeIsAskedOneRequestAtATime() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.exchange.command(["do": "behave", "delay_ms": 150, "times": 5])
        try await stage.polls(5)
        let report = try await stage.exchange.report()
        #expect(report["most_at_once"] as? Int == 1)
        #expect(report["connections"] as? Int == 1, "the connection is kept")
        let headers = (report["last"] as? [String: Any])?["headers"] as? [String: String]
        #expect(headers?["user-agent"]?.hasPrefix("alertd/") == true)
        #expect(headers?["accept-encoding"]?.contains("gzip") == true)
    }

    @Test func patienceThatTheServerAsksForIsGiven() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        try await stage.exchange.command(["do": "behave", "as": "rate_limited", "times": 1])
        _ = try await stage.daemon.errors.line("message") { $0.contains("feed: ") }
        try await stage.polls(1)
        let times = try #require(try await stage.exchange.report()["times_ms"] as? [Int])
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.contains { $0 >= 1_000 }, "\(waits)")
    }

    /// However long the server asks for, a limit of requests ends after an hour and a ban after three days, and a user
    /// who insists can poll at once.
    @Test(arguments: [("rate_limited", 429, 3_600), ("rate_limited", 503, 3_600), ("banned", 418, 259_200)])
    func aHugeWaitHasALimitAndCanBeOverridden(preset: String, status: Int, seconds: Int) async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        try await stage.exchange.command([
            "do": "behave", "as": preset, "status": status, "times": 1,
            "headers": ["Retry-After": "999999999999"],
        ])
        _ = try await stage.daemon.errors.line("message") { $0.contains("feed: ") }
        let refused = try await stage.poll()
        #expect(refused.code != 0 && refused.errors.contains("--force"), "\(refused.errors)")
        let feed = try #require(try await stage.json("status")["feed"] as? [String: Any])
        let until = try #require(ISO8601DateFormatter.milliseconds.date(from: feed["not_before"] as? String ?? ""))
        #expect(until.timeIntervalSinceNow <= Double(seconds) && until.timeIntervalSinceNow > Double(seconds) - 600)
        let forced = try await stage.poll("--force")
        #expect(forced.code == 0 && forced.output.contains("Polled: 3 symbols"), "\(forced)")
        let after = try #require(try await stage.json("status")["feed"] as? [String: Any])
        #expect(after["not_before"] as? String == nil && after["state"] as? String == "ok", "\(after)")
    }
}

extension Stage {
    /// What `alertctl poll` says once the shortest interval since the last poll is over.
    fileprivate func poll(_ options: String...) async throws -> Finished {
        while true {
            let finished = try await run(
                try builtProgram("alertctl"), ["--socket", controlSocket, "poll"] + options)
            if !finished.errors.contains("a moment ago") { return finished }
        }
    }
}

extension ISO8601DateFormatter {
    /// Times as the daemon writes them.
    fileprivate static var milliseconds: ISO8601DateFormatter {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter
    }
}

@Suite("HTTPS, end to end", .timeLimit(.minutes(10)))
struct SecureTests {
    @Test func aServerOfATrustedAuthorityIsPolled() async throws {
        let folder = TestFolder()
        let tls = try await Certificates.make(in: folder, name: "server")
        let stage = try await Stage(rules: AlertTests.band, feed: "ca_file = \"\(tls.authority)\"", tls: tls)
        let reader = try await stage.reader()
        try await stage.polls()
        try await stage.exchange.price("btcinr", "111")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        let last = try await stage.exchange.report()["last"] as? [String: Any]
        #expect(last?["tls"] as? Bool == true)
    }

    @Test(arguments: ["untrusted", "other"])
    func aServerThatIsNotTrustedIsNot(_ name: String) async throws {
        let folder = TestFolder()
        let tls = try await Certificates.make(in: folder, name: name)
        let stage = try await Stage(rules: AlertTests.band, feed: "ca_file = \"\(tls.authority)\"", tls: tls)
        let line = try await stage.daemon.errors.line("message") { $0.contains("feed: ") }
        #expect(line.contains("certificate"), "\(line)")
        let feed = try await stage.json("status")["feed"] as? [String: Any]
        #expect(feed?["state"] as? String == "tls")
        #expect(try await stage.exchange.report()["requests"] as? Int == 0)
    }

    /// Whatever the machine's OpenSSL allows, which here is anything: TLS 1.1 is refused before any request is sent.
    @Test(.enabled("OpenSSL here cannot serve TLS 1.1") { try await canServeOldTLS() })
    func aServerWithoutTLS12IsRefused() async throws {
        let folder = TestFolder()
        let tls = try await Certificates.make(in: folder, name: "server")
        let lenient = try folder.write(
            """
            openssl_conf = defaults
            [defaults]
            ssl_conf = ssl
            [ssl]
            system_default = lenient
            [lenient]
            MinProtocol = TLSv1
            CipherString = ALL:@SECLEVEL=0

            """, to: "openssl.cnf")
        let stage = try await Stage(
            rules: AlertTests.band, feed: "ca_file = \"\(tls.authority)\"", tls: tls, speaksOldTLS: true,
            environment: ["OPENSSL_CONF": lenient])
        let line = try await stage.daemon.errors.line("message") { $0.contains("feed: ") }
        #expect(line.contains("protocol version"), "\(line)")
        let feed = try await stage.json("status")["feed"] as? [String: Any]
        #expect(feed?["state"] as? String == "tls")
        #expect(try await stage.exchange.report()["requests"] as? Int == 0)
    }
}

private func canServeOldTLS() async throws -> Bool {
    try await run("/usr/bin/env", ["python3", "-c", "import ssl; exit(not ssl.HAS_TLSv1_1)"]).code == 0
}
