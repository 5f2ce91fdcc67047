import EventLoop
import Foundation
import HTTP
import Market
import TestSupport
import Testing

/// Against a TLS server of another make, with a certificate made for the test.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SecureServer.isAvailable, "needs openssl and python3"))
struct HTTPSecureTests {
    @Test func trustedServerAnswersOverOneConnection() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.authorityFile = server.authorityFile }
            for _ in 0..<2 {
                let response = try await client.get(server.url + "/ok")
                #expect(response.status == 200)
            }
            let response = try await client.get(server.url + "/connections")
            #expect(response.text == "1")
        }
    }

    @Test func authorityThatIsNotTrustedIsRefused() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        await expectTLSFailure(server.url + "/ok", authorityFile: nil)
    }

    @Test func certificateOfAnotherHostIsRefused() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        let address = server.url.replacingOccurrences(of: "localhost", with: "127.0.0.1") + "/ok"
        await expectTLSFailure(address, authorityFile: server.authorityFile)
    }

    @Test func authorityFileThatIsMissingIsSaid() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.authorityFile = "/nonexistent/authority.pem" }
            let error = await #expect(throws: HTTPError.self) { try await client.get(server.url + "/ok") }
            guard case .authorityFile(let words) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(words.contains("/nonexistent/authority.pem"))
        }
    }

    @Test(arguments: ["/relative", "/absolute"])
    func redirectOnTheSameHostIsFollowed(path: String) async throws {
        let server = try SecureServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.authorityFile = server.authorityFile }
            let response = try await client.get(server.url + path)
            #expect(response.text == "ok")
        }
    }

    @Test func redirectWithoutEndIsGivenUp() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.authorityFile = server.authorityFile }
            await #expect(throws: HTTPError.redirectRefused(server.url)) {
                try await client.get(server.url + "/loop")
            }
        }
    }

    @Test func redirectToPlainHTTPIsRefused() async throws {
        let server = try SecureServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.authorityFile = server.authorityFile }
            await #expect(throws: HTTPError.redirectRefused("http://localhost")) {
                try await client.get(server.url + "/plain")
            }
        }
    }

    private func expectTLSFailure(_ address: String, authorityFile: String?) async {
        // Before the first step to the loop, which may not run yet.
        startLoop()
        await expectTLSFailureOnLoop(address, authorityFile: authorityFile)
    }

    @LoopActor
    private func expectTLSFailureOnLoop(_ address: String, authorityFile: String?) async {
        let client = makeClient { $0.authorityFile = authorityFile }
        let error = await #expect(throws: HTTPError.self) { try await client.get(address) }
        guard case .tls(let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.contains("certificate"))
    }
}
