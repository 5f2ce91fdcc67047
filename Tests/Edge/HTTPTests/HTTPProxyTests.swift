import EventLoop
import HTTP
import Market
import TestSupport
import Testing
import Time

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
