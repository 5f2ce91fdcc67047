import EventLoop
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Time

/// Servers that keep a client busy without ever sending a response. Each has a process of its own: the loop would have
/// too little time for other tests.
@Suite(.timeLimit(.minutes(10)))
struct EndlessServerTests {
    /// What follows the header, repeatedly: pieces of one byte, and the parameter of a piece.
    @Test(arguments: ["1\r\n \r\n", "1;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
    func clientsOfTheDaemonStillHaveTheirTurn(piece: String) async throws {
        await #expect(processExitsWith: .success) { [piece = piece as String] in
            let server = try EndlessServer(piece: piece)
            try await onLoop {
                let client = makeClient {
                    $0.bodyLimitBytes = .max / 2
                    $0.totalLimit = .seconds(300)
                }
                let isOver = Flag()
                let request = Task { @LoopActor in
                    _ = try? await client.get("http://127.0.0.1:\(server.port)/")
                    isOver.isSet = true
                }
                // To wait for the value of the task would raise its priority.
                let hasHadTurns = OneShot<Void, Never>()
                Loop.shared.start(.client) {
                    var turns = 0
                    while turns < 5 {
                        await Task.yield()
                        if server.hasKeptBusy { turns += 1 }
                    }
                    hasHadTurns.finish(.success(()))
                }
                await hasHadTurns.wait()
                #expect(!isOver.isSet, "turns came only when the request was over")
                request.cancel()
                await request.value
            }
        }
    }

    /// A connection of another protocol: there is always something to read.
    @Test func aConnectionHasALimit() async throws {
        await #expect(processExitsWith: .success) {
            let server = try EndlessServer(piece: "PING\r\n")
            try await onLoop {
                let client = makeClient { $0.totalLimit = .seconds(300) }
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
}

@LoopActor
private final class Flag {
    var isSet = false
}

/// Answers one request with a header and pieces without end, from a thread.
private final class EndlessServer: Sendable {
    let port: UInt16
    private let sentCount = Atomic(0)

    /// Whether the client has read for a while: what it has not read yet is a few megabytes.
    var hasKeptBusy: Bool { sentCount.load(ordering: .relaxed) > 8 << 20 }

    init(piece: String) throws {
        let (listener, port) = try listenOnLoopback()
        self.port = port
        startThread { [self] in send(String(repeating: piece, count: 1_000), to: listener) }
    }

    private func send(_ pieces: String, to listener: Int32) {
        let connection = accept(listener, nil, nil)
        var request = [UInt8](repeating: 0, count: 4_096)
        _ = unsafe recv(connection, &request, request.count, 0)
        let header = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let bytes = Array(pieces.utf8)
        var count = unsafe Glibc.send(connection, header, header.count, Int32(MSG_NOSIGNAL))
        while count > 0 {
            count = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            sentCount.add(max(0, count), ordering: .relaxed)
        }
        close(connection)
    }
}
