import EventLoop
import Market
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct HTTPRedirectTests {
    @Test(arguments: [
        ("http://127.0.0.1/", "http://127.0.0.1"), ("/relative", "http://127.0.0.1:PORT"),
        ("https://example.com/", "https://example.com"), ("https://localhost/", "https://localhost"),
        ("//example.com/", "http://example.com"), ("ftp://127.0.0.1/", "ftp://127.0.0.1"),
        ("https://127.0.0.1@example.com/", "https://example.com"), ("https://user@127.0.0.1/", "https://127.0.0.1"),
        ("https://127.0.0.1:99999/", "an address that cannot be read"), ("https://", "an address that cannot be read"),
        // Where it leads is shown, and not what it may repeat of the request.
        ("https://example.com/services/SEKRETpath?token=SEKRET#SEKRET", "https://example.com"),
        ("https://SEKRET:SEKRET@example.com:8443/", "https://example.com:8443"),
    ])
    func redirectElsewhereIsRefused(location: String, shown: String) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(302, headers: ["Location": location])])
            let shown = shown.replacing("PORT", with: "\(server.port)")
            await #expect(throws: HTTPError.redirectRefused(shown)) { try await makeClient().get(server.url) }
            #expect(server.requests.count == 1)
        }
    }

    @Test func refusedTargetIsNamedInPrintableText() async throws {
        try await onLoop {
            let location = "https://" + String(repeating: "x", count: 500) + "/"
            let server = try ScriptedServer([.status(302, headers: ["Location": location])])
            let shown = "https://" + String(repeating: "x", count: 192)
            await #expect(throws: HTTPError.redirectRefused(shown)) { try await makeClient().get(server.url) }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectToAnotherPortIsRefused(status: Int) async throws {
        try await onLoop {
            let secure = try ScriptedServer(greeting: "no TLS here")
            let location = "https://127.0.0.1:\(secure.port)"
            let server = try ScriptedServer([.status(status, headers: ["Location": location])])
            await #expect(throws: HTTPError.redirectRefused(location)) { try await makeClient().get(server.url) }
            #expect(secure.connectionCount == 0)
        }
    }

    @Test(arguments: [
        ("https://a.org/x", "/y", true), ("https://a.org/x", "https://A.org:443/y", true),
        ("https://a.org:8443/x", "https://a.org:8443/", true), ("https://a.org:8443/x", "//a.org:8443/y", true),
        ("https://a.org:8443/x", "https://a.org/", false), ("https://a.org/x", "https://a.org:8443/", false),
        ("https://a.org/x", "//a.org:22/", false), ("http://a.org/x", "https://a.org/", true),
        ("http://a.org:8080/x", "https://a.org:8080/", true), ("http://a.org:8080/x", "https://a.org/", false),
        ("http://a.org/x", "https://a.org:8443/", false), ("https://a.org/x", "http://a.org/", false),
        ("https://a.org/x", "http://a.org:443/", false), ("https://[::1]/x", "https://[::1]:443/", true),
        ("https://[fe80::1%25eth0]/x", "https://[fe80::1%25eth0]:443/", true),
        ("https://[fe80::1%25eth0]/x", "https://[fe80::1%25eth1]/", false),
    ])
    func onlyTheSameHostAndPortAreFollowed(from: String, to: String, isFollowed: Bool) throws {
        let address = try WebAddress(from)
        let target = try? address.redirected(to: to)
        #expect((target != nil) == isFollowed)
    }

    @Test func noRedirectIsFollowedWhenNoneIsAllowed() async throws {
        try await onLoop {
            let secure = try ScriptedServer(greeting: "no TLS here")
            let location = "https://127.0.0.1:\(secure.port)"
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
