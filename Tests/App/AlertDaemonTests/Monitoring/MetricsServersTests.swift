import Delivery
import EventLoop
import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite("The servers of metrics", .timeLimit(.minutes(10)))
struct MetricsServersTests {
    /// The service manager keeps its socket open, so that clients would wait for an answer that never comes.
    @Test func clientsOfASocketThatCannotBeServedAreHungUpOn() async throws {
        try await onLoop {
            let listener = try ListenAddress("127.0.0.1:0").listen()
            let port = ListenAddress.port(of: listener) ?? 0
            let kept = dup(listener)
            defer { close(kept) }
            let servers = MetricsServers(
                passed: [listener], log: Log(isJournal: false, least: .error),
                serve: { socket, _, _ throws(HTTPServerError) in
                    close(socket)
                    throw .libraryMissing("it is not installed")
                }, text: { _ in [] })
            let client = HTTPClient(HTTPConfiguration(userAgent: "test"))
            for _ in 0..<2 {
                await #expect(throws: HTTPError.self) { try await client.get("http://127.0.0.1:\(port)/metrics") }
            }
            servers.stop()
        }
    }

    @Test func socketsOfTheServiceManagerAreServed() async throws {
        try await onLoop {
            let listener = try ListenAddress("127.0.0.1:0").listen()
            let port = ListenAddress.port(of: listener) ?? 0
            let servers = MetricsServers(passed: [listener], log: Log(isJournal: false, least: .error)) { _ in
                Array("a_metric 1\n".utf8)
            }
            let response = try await HTTPClient(HTTPConfiguration(userAgent: "test"))
                .get("http://127.0.0.1:\(port)/metrics")
            #expect(String(decoding: response.body, as: UTF8.self) == "a_metric 1\n")
            servers.stop()
        }
    }
}
