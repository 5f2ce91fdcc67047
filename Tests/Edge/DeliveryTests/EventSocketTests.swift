import Control
import EventLoop
import Events
import Foundation
import Glibc
import ServiceManager
import TestSupport
import Testing
import UnixSockets

@testable import Delivery

@Suite(.timeLimit(.minutes(10)))
struct EventSocketTests {
    /// A path that nothing is at.
    private static func newPath() -> String {
        NSTemporaryDirectory() + "alertd-\(UUID().uuidString.prefix(8)).sock"
    }

    @LoopActor
    private static func connect(_ socket: EventSocket, _ path: String) async throws -> TestReader {
        let before = socket.readerCount
        let reader = try TestReader(connectedTo: path)
        try await turns { socket.readerCount == before + 1 }
        return reader
    }

    @Test func eachReaderGetsAllEventsOfItsTimeAlsoSuppressedOnes() async throws {
        let (early, late, counters) = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 10)
            defer { socket.stop() }
            socket.deliver(bareEvent(.rulesChanged, number: 1))
            let early = try await Self.connect(socket, path)
            socket.deliver(bareEvent(.fired, number: 2, notified: false))
            // In the same turn as an event that it is too late for.
            let late = try TestReader(connectedTo: path)
            try await turns { socket.readerCount == 2 }
            socket.deliver(bareEvent(.resolved, number: 3))
            socket.flush()
            try await early.read { $0.lineCount == 2 }
            try await late.read { $0.lineCount == 1 }
            return (early.bytes, late.bytes, socket.counters)
        }
        let second = EventRecord(bareEvent(.fired, number: 2, notified: false)).line
        let third = EventRecord(bareEvent(.resolved, number: 3)).line
        #expect(early == second + third)
        #expect(late == third)
        #expect(counters.delivered == 3)
        #expect(counters.dropped == 0)
    }

    @Test func aReaderThatNeverReadsCostsTheOtherNothing() async throws {
        // More than the ring holds.
        let total = 5_000
        let filler = String(repeating: "x", count: 800)
        let (good, slow, counters) = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 2)
            defer { socket.stop() }
            let good = try await Self.connect(socket, path)
            let slow = try await Self.connect(socket, path)
            for number in 1...total {
                socket.deliver(bareEvent(.fired, number: Int64(number), text: filler))
                guard number % 50 == 0 else { continue }
                socket.flush()
                try await good.read { $0.lineCount == number }
            }
            try await slow.read {
                text($0.bytes.suffix(2_000)).contains(#"{"number":\#(total),"#) && $0.bytes.last == 0x0A
            }
            return (good.lines, slow.lines, socket.counters)
        }
        #expect(good.count == total)
        #expect(Self.numbers(good) == Array(1...total))
        let notices = slow.filter { $0.hasPrefix(#"{"missed":"#) }
        let numbers = Self.numbers(slow.filter { !$0.hasPrefix(#"{"missed":"#) })
        #expect(numbers.first == 1)
        #expect(numbers.last == total)
        #expect(numbers == numbers.sorted())
        #expect(notices.count == 1)
        #expect(numbers.count + counters.dropped == total)
        let next = 1 + (numbers.indices.first { numbers[$0] != $0 + 1 } ?? 0) + counters.dropped
        #expect(notices == [#"{"missed":\#(counters.dropped),"next":\#(next)}"#])
        #expect(counters.delivered == total)
    }

    /// The event numbers of lines, all of which have to be whole.
    private static func numbers(_ lines: [String]) -> [Int] {
        lines.compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["number"] as? Int
        }
    }

    /// Half of the places is the most for one user; some are kept for those who may change something.
    @Test func oneUserCannotTakeThePlacesOfOthers() async throws {
        try await onLoop {
            let path = Self.newPath()
            let stored = Stored()
            stored.user = 1
            let socket = EventSocket(
                try UnixListener(path: path, mode: 0o600), limit: 32, rank: { $0.user == 0 ? .owner : .reader },
                credentials: { _ in PeerCredentials(pid: 1, user: stored.user, group: 1) })
            socket.start(after: 0) {}
            defer { socket.stop() }
            let many = try (0..<40).map { _ in try TestReader(connectedTo: path) }
            try await turns { socket.readerCount + (socket.readers?.refused ?? 0) == 40 }
            #expect(socket.readerCount == 14)
            stored.user = 0
            let owner = try await Self.connect(socket, path)
            #expect(socket.readers == SinkReaders(count: 15, limit: 32, refused: 26))
            withExtendedLifetime((many, owner)) {}
        }
    }

    /// The service manager must not get a message for each client that comes and goes.
    @Test(arguments: [Duration.milliseconds(1), .seconds(3_600)])
    func connectionsAreStoredWhenTheyHaveLivedAWhile(youth: Duration) async throws {
        try await onLoop {
            let path = Self.newPath()
            let stored = Stored()
            let table = try #require(ConnectionTable())
            let socket = EventSocket(
                try UnixListener(path: path, mode: 0o600), limit: 32,
                cursors: ReaderCursors(table) { _ in stored.count += 1 }, youth: youth)
            socket.start(after: 0) {}
            let staying = try await Self.connect(socket, path)
            if youth < .seconds(1) {
                try await turns { stored.count == 1 }
            } else {
                var leaving = try (0..<10).map { _ in try TestReader(connectedTo: path) }
                try await turns { socket.readerCount == 11 }
                leaving = []
                try await turns { socket.readerCount == 1 && leaving.isEmpty }
                #expect(stored.count == 0)
            }
            socket.stop()
            #expect(stored.count == 1)
            withExtendedLifetime(staying) {}
        }
    }

    @LoopActor
    private final class Stored {
        var count = 0
        var user: UInt32 = 0
    }

    @Test func oneOverTheLimitIsRefusedAndClosed() async throws {
        let (refused, kept) = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 1)
            defer { socket.stop() }
            let first = try await Self.connect(socket, path)
            let second = try TestReader(connectedTo: path)
            try await second.read { _ in false }
            socket.deliver(bareEvent(.fired, number: 5))
            socket.flush()
            try await first.read { $0.lineCount == 1 }
            return (second.lines, first.lineCount)
        }
        #expect(refused == [#"{"error":"too many readers","limit":1}"#])
        #expect(kept == 1)
    }

    @Test func aReaderThatLeavesMakesRoomForAnother() async throws {
        let lines = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 1)
            defer { socket.stop() }
            var leaving: TestReader? = try await Self.connect(socket, path)
            #expect(leaving?.isAtEnd == false)
            leaving = nil
            try await turns { socket.readerCount == 0 }
            let reader = try await Self.connect(socket, path)
            socket.deliver(bareEvent(.fired, number: 5))
            socket.flush()
            try await reader.read { $0.lineCount == 1 }
            return reader.lineCount
        }
        #expect(lines == 1)
    }

    @Test func aBurstIsOneReadForTheReader() async throws {
        let count = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 1)
            defer { socket.stop() }
            let reader = try await Self.connect(socket, path)
            for number in 1...16 { socket.deliver(bareEvent(.fired, number: Int64(number))) }
            #expect(!reader.readOnce())
            socket.flush()
            #expect(reader.readOnce())
            return reader.lineCount
        }
        #expect(count == 16)
    }

    @Test func theSocketOfADeadDaemonIsReplacedAndThatOfALivingOneIsNot() async throws {
        try await onLoop {
            let path = Self.newPath()
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            let bound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
            close(dead)
            let living = try EventSocket(path: path, limit: 4)
            #expect(throws: UnixSocketError.inUse(path)) { try EventSocket(path: path, limit: 4) }
            let reader = try TestReader(connectedTo: path)
            try await turns { living.readerCount > 0 }
            living.stop()
            try await reader.read { _ in false }
            #expect(reader.isAtEnd)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func itsOwnerAndGroupMayRead() async throws {
        let mode = try await onLoop {
            let path = Self.newPath()
            let socket = try EventSocket(path: path, limit: 1)
            defer { socket.stop() }
            var status = stat()
            unsafe lstat(path, &status)
            return status.st_mode & 0o777
        }
        #expect(mode == 0o660)
    }
}
