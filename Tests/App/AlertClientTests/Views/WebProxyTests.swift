import Foundation
import HTTPServer
import Testing

@testable import AlertClient
@testable import Arguments

/// The page behind a reverse proxy.
struct WebProxyTests {
    typealias Field = HTTPServerRequest.Field

    @Test(arguments: ["/", "/prices/"])
    func aPageBehindAProxyIsServed(prefix: String) throws {
        let fixture = try WebFixture(base: "https://Example.org:443/prices")
        for host in ["example.org", "127.0.0.1:8000"] {
            for path in ["", "page.js", "api/market"] {
                var request = fixture.request(prefix + path).replacing("host", host)
                request.headers.append(Field("origin", "https://example.org"))
                #expect(fixture.answer(request).status == 200, "\(host) \(path)")
            }
            var change = fixture.change(prefix + "api/favourite", "{\"symbol\":\"btcinr\",\"on\":true}")
            change = change.replacing("host", host).replacing("origin", "https://example.org")
            #expect(fixture.answer(change).status == 200)
            for origin in ["http://example.org", "https://example.org:444", "https://evil.example", "null"] {
                #expect(fixture.answer(change.replacing("origin", origin)).status == 403, "\(origin)")
            }
        }
        #expect(fixture.answer(fixture.request(prefix).replacing("host", "evil.example")).status == 403)
        // The files, three questions, seven changes and the stream, each at both places.
        #expect(fixture.site.routes.count == 2 * (WebFiles.names.count + 2 + 7 + WebChange.paths.count + 1))
    }

    @Test func cookieAndRedirectFollowTheProxy() throws {
        let fixture = try WebFixture(base: "https://example.org/a/b/")
        var request = HTTPServerRequest(method: "GET", path: "/a/b/")
        request.headers = [Field("host", "example.org")]
        request.query = [Field("token", fixture.site.newToken())]
        let headers = fixture.answer(request).headers
        let cookie = try #require(headers.first { $0.name == "Set-Cookie" })
        #expect(cookie.value.hasSuffix("; Path=/a/b/; HttpOnly; SameSite=Strict; Secure"))
        #expect(headers.first { $0.name == "Location" }?.value.hasPrefix("/a/b/#key=") == true)
        let plain = try WebFixture(base: "http://example.org:8080")
        var second = HTTPServerRequest(method: "GET", path: "/")
        second.headers = [Field("host", "example.org:8080")]
        second.query = [Field("token", plain.site.newToken())]
        let other = try #require(plain.answer(second).headers.first { $0.name == "Set-Cookie" })
        #expect(other.value.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    }

    @Test func anotherHostIsRefusedWithoutAProxy() throws {
        let fixture = try WebFixture()
        #expect(fixture.text(fixture.request("/").replacing("host", "example.org")).contains("--base-url"))
    }

    @Test(arguments: [
        "example.org/prices", "ftp://example.org/", "https://", "https:///prices/", "https://a b/",
        "https://user@host/",
        "https://example.org/?x", "https://example.org/#x", "https://example.org//a/", "https://example.org/a/../b/",
        "https://example.org:99999/", "https://example.org/%2e/", "https://[::1", "https://[x;y]/", "https://a/\u{1b}",
    ])
    func aBadAddressOfAProxyIsRefused(text: String) {
        #expect(throws: ClientError.self) { try WebBase(text) }
        let run = Run()
        #expect(run(["web", "--listen", "127.0.0.1:0", "--base-url", text]) == ExitCode.usage.rawValue)
        #expect(run.errors.contains("--base-url"))
    }

    @Test func theAddressOfAProxyIsPrinted() throws {
        let base = try WebBase("https://example.org/prices")
        let place = WebPlace(.internet(host: "127.0.0.1", port: 8_000), port: 8_000, base: base)
        #expect(place.text(token: "t") == "https://example.org/prices/?token=t")
        #expect(try WebBase("http://[::1]:80").origin == "http://[::1]")
        let run = Run()
        #expect(run(["web", "--base-url", "https://example.org/"]) == ExitCode.usage.rawValue)
        #expect(run.errors.contains("--base-url needs --listen"))
    }
}
