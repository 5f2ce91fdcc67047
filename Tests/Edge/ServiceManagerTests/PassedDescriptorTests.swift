import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing
import UnixSockets

@testable import ServiceManager

@Suite(.timeLimit(.minutes(10)))
struct PassedDescriptorTests {
    @Test func listeningSocketIsKnownByItsPath() async throws {
        try await onLoop {
            let path = FileManager.default.temporaryDirectory.appending(path: "passed-\(UUID().uuidString)").path
            let listener = try UnixListener(path: path, mode: 0o600)
            defer { listener.stop() }
            #expect(kind(listener.descriptor) == .listener(path: path))
            let client = try connectToUnixSocket(at: path)
            defer { close(client) }
            #expect(kind(client) == .connection)
        }
    }

    @Test func socketsOfOtherKindsAreOther() {
        let sockets = [
            socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0), socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0),
            abstractListener(),
        ]
        defer { for descriptor in sockets { close(descriptor) } }
        for descriptor in sockets {
            #expect(descriptor >= 0)
            #expect(kind(descriptor) == .other)
        }
    }

    @Test func filesAndPipesAreNoSockets() throws {
        let file = unsafe open("/proc/self/exe", O_RDONLY)
        let folder = unsafe open("/", O_RDONLY)
        defer {
            close(file)
            close(folder)
        }
        #expect(kind(file) == .file)
        #expect(kind(folder) == .other)
        #expect(kind(-1) == .other)
    }

    private func kind(_ descriptor: Int32) -> PassedDescriptor.Kind {
        PassedDescriptor(descriptor, name: "x").kind
    }

    /// A socket that listens at an abstract name.
    private func abstractListener() -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0alertd-\(UUID().uuidString)".utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(2 + name.count))
            }
        }
        return bound == 0 && listen(descriptor, 1) == 0 ? descriptor : -1
    }
}

@Suite
struct ConnectionTableTests {
    @Test func whatWasWrittenIsThereForWhoAdoptsIt() throws {
        let table = try #require(ConnectionTable())
        let place = try #require(table.slot(of: 7))
        table.set(42, at: place)
        let gone = try #require(table.slot(of: 8))
        table.remove(gone)
        let next = try #require(ConnectionTable(adopting: dup(table.descriptor)))
        #expect(next.number(of: 7) == 42)
        #expect(next.number(of: 8) == nil)
        #expect(next.slot(of: 7) == place)
        // At once, and in both directions.
        table.set(43, at: place)
        #expect(next.number(of: 7) == 43)
    }

    @Test func aFullTableTakesNoMore() throws {
        let table = try #require(ConnectionTable())
        for connection in 1...UInt64(ConnectionTable.capacity) { #expect(table.slot(of: connection) != nil) }
        #expect(table.slot(of: 99_999) == nil)
        let next = try #require(ConnectionTable(adopting: table.descriptor))
        #expect(next.slot(of: 99_999) == nil)
        next.keepOnly([1, 2])
        #expect(next.slot(of: 99_999) != nil)
        #expect(next.number(of: 2) == 0)
        #expect(next.number(of: 3) == nil)
    }

    @Test func otherFilesAreNoTables() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "table-\(UUID().uuidString)").path
        defer { unsafe unlink(file) }
        for size in [0, 17_615, 17_616, 17_617] {
            try Data(count: size).write(to: URL(fileURLWithPath: file))
            let descriptor = unsafe open(file, O_RDWR)
            defer { close(descriptor) }
            #expect(ConnectionTable(adopting: descriptor) == nil)
        }
        #expect(ConnectionTable(adopting: -1) == nil)
    }

    /// Contents that no process of alertd writes.
    @Test func aForgedTableIsTakenAsItIs() throws {
        let table = try #require(ConnectionTable())
        let size = 16
        // One connection twice, and all slots taken.
        var rows: [UInt64] = []
        for place in 1...ConnectionTable.capacity { rows += [place < 3 ? 7 : UInt64(place), UInt64(bitPattern: -5)] }
        let bytes = unsafe rows.withUnsafeBytes { unsafe Array($0) }
        #expect(unsafe pwrite(table.descriptor, bytes, bytes.count, off_t(size)) == bytes.count)
        let next = try #require(ConnectionTable(adopting: dup(table.descriptor)))
        #expect(next.number(of: 7) == -5 && next.slot(of: 7) == 1 && next.slot(of: 99_999) == nil)
        next.keepOnly([7])
        #expect(next.number(of: 7) == -5 && next.number(of: 5) == nil && next.slot(of: 99_999) != nil)
    }

    /// It could not be written, which would end the process.
    @Test func memoryThatCanOnlyBeReadIsNoTable() throws {
        let table = try #require(ConnectionTable())
        let readable = unsafe open("/proc/self/fd/\(table.descriptor)", O_RDONLY | O_CLOEXEC)
        try #require(readable >= 0)
        defer { close(readable) }
        #expect(ConnectionTable(adopting: readable) == nil)
        #expect(ConnectionTable(adopting: table.descriptor) != nil)
    }

    @Test func aTableWithAnotherMarkIsNone() throws {
        let table = try #require(ConnectionTable())
        var byte: UInt8 = 0xFF
        #expect(unsafe pwrite(table.descriptor, &byte, 1, 0) == 1)
        #expect(ConnectionTable(adopting: table.descriptor) == nil)
    }

    @Test func aConnectionKeepsItsIdentityInAnotherDescriptor() throws {
        var pair: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let copy = dup(pair[0])
        defer { for descriptor in pair + [copy] { close(descriptor) } }
        let identity = try #require(ConnectionTable.identity(of: pair[0]))
        #expect(ConnectionTable.identity(of: copy) == identity)
        #expect(ConnectionTable.identity(of: pair[1]) != identity)
        #expect(ConnectionTable.identity(of: -1) == nil)
    }
}
