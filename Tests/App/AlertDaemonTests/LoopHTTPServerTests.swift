import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite(.timeLimit(.minutes(10)))
struct LoopHTTPServerTests {
    /// Client and server take turns on the same loop.
    @Test func requestsAreServedOnTheLoop() async throws {
        try await onLoop {
            let listener = try ListenAddress("127.0.0.1:0").listen()
            let port = ListenAddress.port(of: listener) ?? 0
            var asked = 0
            let server = try LoopHTTPServer(
                listening: listener,
                routes: [
                    HTTPRoute(.get, "/") { exchange in
                        asked += 1
                        exchange.respond(.text(200, "request \(asked)"))
                    },
                    HTTPRoute(.get, "/late") { exchange in
                        Task { @LoopActor in exchange.respond(.text(200, "late")) }
                    },
                ])
            let client = HTTPClient(.patient)
            for number in 1...3 {
                let response = try await client.get("http://127.0.0.1:\(port)/")
                #expect(response.status == 200)
                #expect(String(decoding: response.body, as: UTF8.self) == "request \(number)\n")
            }
            let late = try await client.get("http://127.0.0.1:\(port)/late")
            #expect(String(decoding: late.body, as: UTF8.self) == "late\n")
            server.stop()
            await #expect(throws: HTTPError.self) { try await client.get("http://127.0.0.1:\(port)/") }
        }
    }
}
