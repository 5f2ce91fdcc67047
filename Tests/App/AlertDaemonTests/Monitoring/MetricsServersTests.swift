import Delivery
import EventLoop
import Glibc
import HTTP
import HTTPServer
import Metrics
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
            let client = HTTPClient(.patient)
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
            let response = try await HTTPClient(.patient)
                .get("http://127.0.0.1:\(port)/metrics")
            #expect(String(decoding: response.body, as: UTF8.self) == "a_metric 1\n")
            servers.stop()
        }
    }

    /// The text takes several turns of the loop. Requests that come in the meantime get the same one, and a client that
    /// leaves does no harm.
    @Test func requestsThatComeTogetherShareATextPerFormat() async throws {
        try await onLoop {
            let listener = try ListenAddress("127.0.0.1:0").listen()
            let address = "http://127.0.0.1:\(ListenAddress.port(of: listener) ?? 0)/metrics"
            let releases = [MetricsFormat.text: OneShot<Void, Never>(), .openMetrics: OneShot<Void, Never>()]
            var formats: [MetricsFormat] = []
            let servers = MetricsServers(passed: [listener], log: Log(isJournal: false, least: .error)) { format in
                formats.append(format)
                await releases[format]?.wait()
                return Array("a_metric \(formats.count)\n".utf8)
            }
            let client = HTTPClient(.patient)
            let hasty = Loop.shared.start { try? await client.get(address) }
            let patient = (0..<3).map { _ in
                Loop.shared.start { (try? await client.get(address)).map { String(decoding: $0.body, as: UTF8.self) } }
            }
            let other = Loop.shared.start {
                let accept = ["Accept": "application/openmetrics-text"]
                return (try? await client.get(address, headers: accept))?.status
            }
            try await until { servers.waitingCount == 5 && formats.count == 2 }
            hasty.cancel()
            _ = await hasty.value
            for release in releases.values { release.finish(.success(())) }
            for task in patient { #expect(await task.value == "a_metric 2\n") }
            #expect(await other.value == 200 && Set(formats) == [.text, .openMetrics] && formats.count == 2)
            #expect(servers.waitingCount == 0)
            // The next one gets a text of its own.
            #expect(String(decoding: try await client.get(address).body, as: UTF8.self) == "a_metric 3\n")
            servers.stop()
        }
    }
}
