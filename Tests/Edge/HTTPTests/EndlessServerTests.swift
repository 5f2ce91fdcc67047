import EventLoop
import Foundation
import HTTP
import TestSupport
import Testing
import Time

/// Servers that keep a client busy without ever sending a response.
@Suite(.timeLimit(.minutes(10)))
struct EndlessServerTests {
    /// What follows the header, repeatedly: pieces of one byte, and the parameter of a piece.
    @Test(arguments: ["1\r\n \r\n", "1;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
    func clientsOfTheDaemonStillHaveTheirTurn(piece: String) async throws {
        let server = try EndlessServer(piece: piece)
        defer { server.stop() }
        try await onLoop {
            // Other tests have the loop first, so the turns may take long; the request must not end before them.
            let client = makeClient {
                $0.bodyLimitBytes = .max / 2
                $0.totalLimit = .seconds(3_600)
            }
            let isOver = Flag()
            let request = Task { @LoopActor in
                _ = try? await client.get("http://127.0.0.1:\(server.port)/")
                isOver.isSet = true
            }
            await Loop.shared.start(.client) {
                for _ in 0..<20 { await Task.yield() }
            }.value
            #expect(!isOver.isSet, "turns came only when the request was over")
            request.cancel()
            await request.value
        }
    }

    /// A connection of another protocol: there is always something to read.
    @Test func aConnectionHasALimit() async throws {
        let server = try EndlessServer(piece: "PING\r\n")
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.totalLimit = .seconds(3_600) }
            let stream = try await client.connect(to: "127.0.0.1", port: server.port)
            defer { stream.close() }
            try await stream.write([0x0A])
            var turns = 0
            let others = Loop.shared.start { for _ in 0..<1_000 { await Task.yield(); turns += 1 } }
            var count = 0
            await #expect(throws: HTTPError.bodyTooLarge(limitBytes: ByteStream.limit)) {
                while true { count += try await stream.read().count }
            }
            #expect(count <= ByteStream.limit && turns > 10, "\(count) bytes, \(turns) turns")
            others.cancel()
            await others.value
        }
    }
}

@LoopActor
private final class Flag {
    var isSet = false
}

/// Answers one request with a header and pieces without end, from a thread.
private final class EndlessServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init(piece: String) throws {
        let (descriptor, port) = try listenOnLoopback()
        (listener, self.port) = (descriptor, port)
        startThread { send(String(repeating: piece, count: 10_000), to: descriptor) }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

private func send(_ pieces: String, to listener: Int32) {
    let connection = accept(listener, nil, nil)
    var request = [UInt8](repeating: 0, count: 4_096)
    _ = unsafe recv(connection, &request, request.count, 0)
    let header = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let bytes = Array(pieces.utf8)
    var count = unsafe send(connection, header, header.count, Int32(MSG_NOSIGNAL))
    while count > 0 { count = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    close(connection)
}
