import EventLoop
import HTTP
import Market
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPRedirectTests {
    @Test(arguments: [
        "http://127.0.0.1/", "/relative", "https://example.com/", "https://localhost/", "//example.com/",
        "ftp://127.0.0.1/",
        "https://127.0.0.1@example.com/", "https://user@127.0.0.1/", "https://127.0.0.1:99999/", "https://",
    ])
    func redirectElsewhereIsRefused(location: String) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(302, headers: ["Location": location])])
            await #expect(throws: HTTPError.redirectRefused(location)) { try await makeClient().get(server.url) }
            #expect(server.requests.count == 1)
        }
    }

    @Test func refusedTargetIsNamedInPrintableText() async throws {
        try await onLoop {
            let location = "https://example.com/\u{1B}[31m" + String(repeating: "x", count: 500)
            let server = try ScriptedServer([.status(302, headers: ["Location": location])])
            let shown = "https://example.com/?[31m" + String(repeating: "x", count: 175)
            await #expect(throws: HTTPError.redirectRefused(shown)) { try await makeClient().get(server.url) }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectToHTTPSOnTheSameHostIsFollowed(status: Int) async throws {
        try await onLoop {
            let secure = try ScriptedServer(greeting: "no TLS here")
            let location = "https://127.0.0.1:\(secure.port)/"
            let server = try ScriptedServer([.status(status, headers: ["Location": location])])
            let error = await #expect(throws: HTTPError.self) { try await makeClient().get(server.url) }
            guard case .tls = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(secure.connectionCount == 1)
        }
    }

    @Test func noRedirectIsFollowedWhenNoneIsAllowed() async throws {
        try await onLoop {
            let secure = try ScriptedServer(greeting: "no TLS here")
            let location = "https://127.0.0.1:\(secure.port)/"
            let server = try ScriptedServer([.status(302, headers: ["Location": location])])
            let client = makeClient { $0.redirectLimit = 0 }
            await #expect(throws: HTTPError.redirectRefused(location)) { try await client.get(server.url) }
            #expect(secure.connectionCount == 0)
        }
    }

    @Test(arguments: [300, 302, 304])
    func statusWithoutATargetIsTheAnswer(status: Int) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(status)])
            let response = try await makeClient().get(server.url)
            #expect(response.status == status)
        }
    }
}
