import Control
import Delivery
import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing
import Time
import UnixSockets
import Varlink

@testable import AlertDaemon
@testable import Storage

/// A store that is copied.
@LoopActor
private final class OpenStore: BackupSource {
    let store: Store

    init(_ folder: StateFolderForTest) throws {
        store = Store(folder: folder.path)
        _ = try store.open(at: SmallDaemon.start.wall)
    }
}

@Suite("Backups", .timeLimit(.minutes(10)))
struct BackupTests {
    private let folder = StateFolderForTest()
    private let path = NSTemporaryDirectory() + "backup-\(UUID().uuidString.prefix(8))"

    @LoopActor
    private static func serve(_ folder: StateFolderForTest, _ path: String) throws -> VarlinkServer {
        try SmallDaemon(folder).pipeline.stop()
        // More than may wait for a client.
        try TamperingTests.run("CREATE TABLE ballast AS SELECT randomblob(3000000) AS bytes", folder.file)
        let access = ControlAccess(
            permission: Permission(ownUser: geteuid(), group: nil), log: Log(isJournal: false, least: .error))
        let backup = BackupHandlers(try OpenStore(folder), access).handlers
        let server = try VarlinkServer(
            path: path, information: ServiceInformation(vendor: "v", product: "p", version: "1", url: "u"),
            interfaces: [
                VarlinkInterface(
                    name: "org.test", description: "interface org.test",
                    methods: Dictionary(uniqueKeysWithValues: backup.map { ($0.0.rawValue, $0.1) }))
            ])
        server.start()
        return server
    }

    /// What the client has not read yet waits in the file, not in the daemon.
    @Test func aClientThatReadsLateGetsTheWholeCopy() async throws {
        let server = try await onLoop { [folder, path] in try Self.serve(folder, path) }
        let client = try connectToUnixSocket(at: path, timeLimit: .seconds(600))
        defer { close(client) }
        let call = Array(#"{"method":"org.test.Backup","more":true}"#.utf8) + [0]
        #expect(unsafe write(client, call, call.count) == call.count)
        await onThread {
            var readable = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&readable, 1, 60_000)
        }
        // Whatever the daemon sends without waiting for the client, it has sent after this turn.
        try await onLoop {}
        let answer = await onThread {
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while !all.suffix(200).contains(sequence: "crc32c\":\"") {
                let count = unsafe read(client, &piece, piece.count)
                guard count > 0 else { break }
                all += piece[..<count]
            }
            return all
        }
        #expect(answer.suffix(200).contains(sequence: "crc32c\":\""), "only \(answer.count) bytes arrived")
        #expect(answer.count > 4_000_000)
        #expect(try await onLoop { server.counters.overflowed } == 0)
        await server.stop()
        unsafe unlink(path)
    }
}

extension Collection where Element == UInt8 {
    fileprivate func contains(sequence text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}
