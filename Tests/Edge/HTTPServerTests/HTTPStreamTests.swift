import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing
import Time

/// Responses that come later, or piece by piece.
@Suite(.timeLimit(.minutes(10)))
struct HTTPStreamTests {
    /// What handlers did, seen from the test.
    private final class Record: Sendable {
        let opened = Atomic(0)
        let closed = Atomic(0)
    }

    private static let events = [HTTPServerResponse.Field("Content-Type", "text/event-stream")]

    /// `/stream` opens a stream; `/write` writes to all streams and `/end` ends them; `/later` waits for `/now`.
    @Sendable private static func routes(_ record: Record) -> [HTTPRoute] {
        final class Open {
            var streams: [HTTPStream] = []
            var waiting: [HTTPExchange] = []
        }
        let open = Open()
        return [
            HTTPRoute(.get, "/stream") { exchange in
                guard let stream = exchange.stream(headers: events) else { return }
                record.opened.add(1, ordering: .relaxed)
                stream.onClose = { record.closed.add(1, ordering: .relaxed) }
                stream.write("begin\n".utf8)
                open.streams.append(stream)
            },
            HTTPRoute(.get, "/write") { exchange in
                let count = exchange.request.argument("bytes").flatMap { Int($0) } ?? 0
                for stream in open.streams { stream.write([UInt8](repeating: 0x78, count: count) + [0x0A]) }
                exchange.respond(.text(200, "written"))
            },
            HTTPRoute(.get, "/end") { exchange in
                open.streams.forEach { $0.end() }
                exchange.respond(.text(200, "ended"))
            },
            HTTPRoute(.get, "/later") { open.waiting.append($0) },
            HTTPRoute(.get, "/now") { exchange in
                let waiting = open.waiting.count
                for one in open.waiting { one.respond(.text(200, "late")) }
                exchange.respond(.text(200, "\(waiting)"))
            },
        ]
    }

    private func withServer(
        _ limits: HTTPServerLimits = HTTPServerLimits(),
        _ body: (RunningServer, Record) async throws -> Void
    ) async throws {
        let record = Record()
        let server = try RunningServer(limits: limits) { Self.routes(record) }
        defer { server.stop() }
        try await body(server, record)
    }

    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\nHost: a\n" }

    private func openStream(_ server: RunningServer) throws -> RawClient {
        let client = try server.connect()
        client.send(request("/stream").replacing("\n", with: "\r\n") + "\r\n")
        let start = client.read(until: "begin\n")
        try #require(start.contains("Content-Type: text/event-stream\r\n"))
        try #require(start.contains("begin\n"))
        return client
    }

    @Test func whatIsWrittenLaterArrives() async throws {
        try await withServer { server, record in
            let client = try openStream(server)
            defer { client.close() }
            for _ in 0..<3 {
                _ = try server.answer(to: request("/write?bytes=10"))
                #expect(client.read(until: "x\n").contains("xxxxxxxxxx\n"))
            }
            _ = try server.answer(to: request("/end"))
            #expect(client.read(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
            _ = try await waitFor { record.closed.load(ordering: .relaxed) == 1 ? true : nil }
        }
    }

    @Test func aStreamHasNoTimeLimit() async throws {
        try await withServer { server, _ in
            let client = try openStream(server)
            defer { client.close() }
            server.advance(by: .seconds(100_000))
            _ = try server.answer(to: request("/write?bytes=3"))
            #expect(client.read(until: "x\n").contains("xxx\n"))
        }
    }

    @Test func aClientThatHangsUpIsNoticedByTheNextWrite() async throws {
        try await withServer { server, record in
            let client = try openStream(server)
            client.close()
            _ = try await waitFor {
                _ = try server.answer(to: request("/write?bytes=10"))
                return record.closed.load(ordering: .relaxed) == 1 ? true : nil
            }
        }
    }

    @Test func aClientThatDoesNotReadIsDisconnected() async throws {
        try await withServer { server, record in
            let client = try openStream(server)
            defer { client.close() }
            _ = try await waitFor {
                _ = try server.answer(to: request("/write?bytes=100000"))
                return record.closed.load(ordering: .relaxed) == 1 ? true : nil
            }
            #expect(client.isClosed())
        }
    }

    @Test func streamsAreLimited() async throws {
        var limits = HTTPServerLimits()
        limits.streams = 2
        try await withServer(limits) { server, record in
            let clients = [try openStream(server), try openStream(server)]
            let refused = try server.answer(to: request("/stream"))
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.contains("Retry-After: 30\r\n"))
            clients[0].close()
            _ = try await waitFor {
                _ = try server.answer(to: request("/write?bytes=10"))
                return record.closed.load(ordering: .relaxed) == 1 ? true : nil
            }
            try openStream(server).close()
            clients[1].close()
        }
    }

    @Test func aResponseMayComeLater() async throws {
        try await withServer { server, _ in
            let client = try server.connect()
            defer { client.close() }
            client.send(request("/later").replacing("\n", with: "\r\n") + "\r\n")
            _ = try await waitFor { try server.answer(to: request("/now")).hasSuffix("\n0\n") ? nil : true }
            #expect(client.read(until: "late\n").hasSuffix("late\n"))
        }
    }

    @Test func theServerStopsWithOpenStreams() async throws {
        let record = Record()
        let server = try RunningServer { Self.routes(record) }
        let client = try openStream(server)
        defer { client.close() }
        let waiting = try server.connect()
        defer { waiting.close() }
        waiting.send(request("/later").replacing("\n", with: "\r\n") + "\r\n")
        server.stop()
        #expect(client.isClosed())
        #expect(waiting.isClosed())
        _ = try await waitFor { record.closed.load(ordering: .relaxed) == 1 ? true : nil }
    }
}
