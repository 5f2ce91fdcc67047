import EventLoop
import Market
import TestSupport
import Testing
import Time

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct HTTPProxyTests {
    @Test func requestsGoThroughTheProxyWithItsUser() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: "through")])
            let proxy = try #require(ProxyAddress("http://anna:hunter2@127.0.0.1:\(server.port)"))
            let client = makeClient {
                $0.proxy = proxy
                $0.allowsPlainHTTP = true
            }
            let response = try await client.get("http://exchange.invalid/tickers")
            #expect(response.text == "through")
            let request = try #require(server.requests.first)
            #expect(request.line == "GET http://exchange.invalid/tickers HTTP/1.1")
            // anna:hunter2 in base 64.
            #expect(request.headers["proxy-authorization"] == "Basic YW5uYTpodW50ZXIy")
        }
    }

    @Test func whatIsOnThisMachineIsAskedDirectly() async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(text: "direct")])
            let client = makeClient { $0.proxy = ProxyAddress("http://127.0.0.1:1") }
            #expect(try await client.get(server.url).text == "direct")
        }
    }

    /// Whatever goes wrong on the way to it or with it: nothing of the user and the password is in the words.
    @Test(arguments: [
        "http://anna:hunter2@127.0.0.1:1", "http://anna:hunter2@proxy.invalid:3128",
        "socks5h://anna:hunter2@127.0.0.1:1",
        "https://anna:hunter2@127.0.0.1:1",
    ])
    func aFailureDoesNotShowThePassword(address: String) async throws {
        let words = try await onLoop {
            let proxy = ProxyAddress(address)
            #expect(proxy != nil)
            let client = makeClient {
                $0.proxy = proxy
                $0.connectLimit = .seconds(5)
            }
            do {
                _ = try await client.get("https://exchange.invalid/")
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(!words.isEmpty && !words.contains("hunter2") && !words.contains("anna"), "\(words)")
    }

    /// A proxy may answer with what it was sent, as a request over plain http shows.
    @Test(arguments: [
        "bad user anna:hunter2", "no such password: hunter2%21x", "no such password: hunter2!x",
        "Proxy-Authorization: Basic YW5uYTpodW50ZXIyIXg=",
    ])
    func aResponseThatRepeatsThePasswordIsNotUsed(text: String) async throws {
        try await onLoop {
            let server = try ScriptedServer([.status(407, text: text), .status(400, text: "{}")])
            let client = makeClient {
                $0.proxy = ProxyAddress("http://anna:hunter2%21x@127.0.0.1:\(server.port)")
                $0.allowsPlainHTTP = true
            }
            let isRepeated = !text.hasSuffix("hunter2")
            let reason = "the response (status 407) contains the password of the proxy, so it is not shown"
            if isRepeated {
                await #expect(throws: HTTPError.other(reason)) { try await client.get("http://exchange.invalid/") }
            } else {
                #expect(try await client.get("http://exchange.invalid/").status == 407)
            }
            #expect(try await client.get("http://exchange.invalid/").text == "{}")
        }
    }

    /// libcurl takes addresses from the environment in more forms.
    @Test(arguments: [
        ("anna:hunter2@proxy:3128", "Unsupported proxy syntax in 'anna:hunter2@proxy:3128'", true),
        ("http://anna:hunter2@a b", "Unsupported proxy syntax in 'http://anna:hunter2@a b'", true),
        ("http://anna:hunter2@proxy", "cannot resolve proxy anna", false), ("http://proxy:3128", "proxy:3128", false),
        ("http://anna@proxy", "the user anna", false), ("http://0123456789abcdef@proxy", "0123456789abcdef!", true),
        ("", "", false), ("http://a:b@proxy", "about", false),
        ("http://:pass@word@proxy", "pass@word", true),
    ])
    func secretsOfTheEnvironmentAreKnown(address: String, text: String, isSecret: Bool) {
        let secrets = ProxySecrets([address])
        #expect(secrets.occur(in: text) == isSecret)
        #expect(secrets.occur(in: Array(text.utf8)) == isSecret)
    }

    @Test func aProxyThatRefusesIsAFailureWithoutThePassword() async throws {
        let words = try await onLoop {
            let server = try ScriptedServer([.status(407)])
            let client = makeClient { $0.proxy = ProxyAddress("http://anna:hunter2@127.0.0.1:\(server.port)") }
            do {
                _ = try await client.get("https://exchange.invalid/")
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(!words.isEmpty && !words.contains("hunter2"), "\(words)")
    }

    @Test(arguments: [
        "", "proxy", "proxy:3128", "http://proxy", "ftp://proxy:1", "http://:1", "http://proxy:3128/path",
        "http://proxy:3128?a=b", "http://pro xy:3128", "http://proxy:99999", "http://proxy:3128\n", "http://prøxy:1",
    ])
    func whatIsNoProxyIsNone(text: String) {
        #expect(ProxyAddress(text) == nil)
    }

    @Test func aProxyShowsNothingOfItsUser() throws {
        let proxy = try #require(ProxyAddress("http://anna:hunter2@Proxy.example:3128/"))
        #expect("\(proxy)" == "http://proxy.example:3128")
        var configuration = HTTPConfiguration(userAgent: "x")
        configuration.proxy = proxy
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in [String(reflecting: proxy), "\(configuration)", dumped] {
            #expect(!text.contains("hunter2") && !text.contains("anna"), "\(text)")
        }
    }
}
