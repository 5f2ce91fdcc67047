import Foundation
import TestSupport
import Testing

/// `alertctl web` over a real socket.
struct WebServerTests {
    /// `alertctl web` with a session: its address, the cookie and the key.
    private struct Page {
        let program: Program
        let address: String
        let cookie: String
        let key: String

        init(_ stage: Stage) async throws {
            // Longer than the test takes.
            program = try Program(
                try builtProgram("alertctl"), ["web", "--timeout", "300s", "--socket", stage.controlSocket])
            let line = try await program.output.line("address") { $0.hasPrefix("http://") }
            address = String(line.prefix { $0 != "?" })
            let opened = try await run("/usr/bin/curl", ["-sD", "-", line])
            let cookie = opened.output.firstMatch(of: /Set-Cookie: ([^;]*)/)?.output.1
            let key = opened.output.firstMatch(of: /Location: .*#key=([0-9a-f]+)/)?.output.1
            self.cookie = String(try #require(cookie, "\(opened.output)\(opened.errors)"))
            self.key = String(try #require(key, "\(opened.output)"))
        }

        func request(_ path: String) -> [String] {
            ["-s", "-b", cookie, "-H", "X-Alertctl: \(key)", "-w", "\n%{http_code}", address + path]
        }
    }

    @Test func aDaemonThatDoesNotAnswerHoldsUpNothingElse() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let page = try await Page(stage)
        stage.daemon.signal(SIGSTOP)
        let market = try Program("/usr/bin/curl", page.request("api/market"))
        let second = try Program("/usr/bin/curl", page.request("api/market"))
        // The server has both: each has a connection, besides the one that listens.
        try await eventually("two connections") {
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(page.program.pid)/fd")
            let sockets = links.filter { link in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(page.program.pid)/fd/\(link)")
                return target?.hasPrefix("socket:") == true
            }
            return sockets.count >= 4 ? true : nil
        }
        for file in ["page.css", "page.js", ""] {
            let finished = try await run("/usr/bin/curl", page.request(file))
            #expect(finished.output.hasSuffix("\n200"))
        }
        #expect(market.isRunning && second.isRunning, "they still wait for the daemon")
        stage.daemon.signal(SIGCONT)
        for request in [market, second] {
            #expect(try await request.exitCode() == 0)
            try await request.output.end()
            #expect(request.output.text.hasSuffix("\n200") && request.output.text.contains("btcinr"))
        }
    }

    @Test func aRestartOfTheDaemonIsSaidAndSurvived() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        let page = try await Page(stage)
        let changes = try Program(
            "/usr/bin/curl", ["-sN", "-b", page.cookie, page.address + "api/changes?key=" + page.key])
        let sign = try await changes.output.line("a sign of life") {
            $0.hasPrefix("data:") && $0.contains("\"status\"")
        }
        #expect(sign.hasPrefix("data: {\"version\":"), "\(sign)")
        stage.daemon.signal(SIGTERM)
        _ = try await stage.daemon.exitCode()
        let fault = try await changes.output.line("the fault") { $0.contains("\"fault\":\"alertd is not running\"") }
        let refused = try await run("/usr/bin/curl", page.request("api/market"))
        #expect(refused.output == "{\"text\":\"alertd is not running\"}\n503")
        let before = changes.output.lines.count
        #expect(!fault.contains("\"status\""))
        try await stage.restart()
        _ = try await changes.output.line(from: before, "the daemon again") { $0.contains("\"status\"") }
        let market = try await run("/usr/bin/curl", page.request("api/market"))
        #expect(market.output.hasSuffix("\n200") && market.output.contains("btcinr"))
    }
}
