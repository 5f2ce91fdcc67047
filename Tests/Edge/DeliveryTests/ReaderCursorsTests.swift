import Control
import EventLoop
import Events
import Foundation
import Glibc
import ServiceManager
import TestSupport
import Testing

@testable import Delivery

/// Readers whose connections outlive the process: the service manager is played by copies of the descriptors.
@Suite(.timeLimit(.minutes(10)))
struct ReaderCursorsTests {
    /// What a service manager keeps.
    @LoopActor
    private final class Kept {
        let path = NSTemporaryDirectory() + "alertd-\(UUID().uuidString.prefix(8)).sock"
        let listener: Int32
        let table: Int32
        var readers: [Int32] = []

        init() throws {
            let first = try UnixListener(path: path, mode: 0o600)
            first.keepsFile = true
            listener = dup(first.descriptor)
            first.stop()
            table = try #require(ConnectionTable()).descriptor
        }

        deinit {
            for descriptor in readers + [listener, table] { close(descriptor) }
            unsafe unlink(path)
        }

        /// The event socket of the next process.
        func socket() throws -> EventSocket {
            let table = try #require(ConnectionTable(adopting: dup(table)))
            let cursors = ReaderCursors(table) { [self] in readers.append(dup($0)) }
            let socket = EventSocket(
                UnixListener(adopting: dup(listener), path: path), limit: 10, cursors: cursors, youth: .zero)
            socket.adopt(readers.map { dup($0) })
            return socket
        }
    }

    @LoopActor
    private static func connect(_ kept: Kept, _ socket: EventSocket) async throws -> TestReader {
        let before = socket.readerCount
        let reader = try TestReader(connectedTo: kept.path)
        try await turns { socket.readerCount == before + 1 }
        return reader
    }

    @Test func readersGoOnWithTheNextProcessWithoutHolesOrRepeats() async throws {
        let (first, second, late) = try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 0) {}
            let first = try await Self.connect(kept, old)
            old.deliver(bareEvent(.fired, number: 1))
            old.flush()
            let second = try await Self.connect(kept, old)
            old.deliver(bareEvent(.fired, number: 2))
            old.stop()
            // Between two processes, clients that connect wait.
            let late = try TestReader(connectedTo: kept.path)
            let new = try kept.socket()
            #expect(new.inheritedCursor == 2)
            #expect(new.readerCount == 2)
            // Committed by the old process, and notified to nobody.
            new.deliver(bareEvent(.fired, number: 3))
            new.start(after: 3) {}
            #expect(new.inheritedCursor == nil)
            try await turns { new.readerCount == 3 }
            new.deliver(bareEvent(.fired, number: 4))
            new.flush()
            try await first.read { $0.lineCount == 4 }
            try await second.read { $0.lineCount == 3 }
            try await late.read { $0.lineCount == 1 }
            new.stop()
            return (first.bytes, second.bytes, late.bytes)
        }
        let lines = (1...4).map { EventRecord(bareEvent(.fired, number: $0)).line }
        #expect(first == Array(lines.joined()))
        #expect(second == Array(lines.dropFirst().joined()))
        #expect(late == lines[3])
    }

    @Test func readersAtDifferentPlacesEachGetWhatTheyLack() async throws {
        let (ahead, behind) = try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 10) {}
            let ahead = try await Self.connect(kept, old)
            let behind = try await Self.connect(kept, old)
            old.stop()
            // As if the process had been killed after it had served the one, and before it served the other.
            let table = try #require(ConnectionTable(adopting: dup(kept.table)))
            let place = try #require(ConnectionTable.identity(of: kept.readers[0]).flatMap(table.slot))
            table.set(12, at: place)
            let new = try kept.socket()
            #expect(new.inheritedCursor == 10)
            for number in 11...13 { new.deliver(bareEvent(.fired, number: Int64(number))) }
            new.start(after: 13) {}
            new.flush()
            try await ahead.read { $0.lineCount == 1 }
            try await behind.read { $0.lineCount == 3 }
            new.stop()
            return (ahead.bytes, behind.bytes)
        }
        let lines = (11...13).map { EventRecord(bareEvent(.fired, number: $0)).line }
        #expect(ahead == lines[2])
        #expect(behind == Array(lines.joined()))
    }

    @Test func aReaderOfWhichItIsNotKnownWhatItHasIsClosed() async throws {
        try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 0) {}
            let reader = try await Self.connect(kept, old)
            old.stop()
            let table = try #require(ConnectionTable(adopting: dup(kept.table)))
            let place = try #require(ConnectionTable.identity(of: kept.readers[0]).flatMap(table.slot))
            table.set(ReaderCursors.unknown, at: place)
            let new = try kept.socket()
            new.start(after: 0) {}
            #expect(new.readerCount == 0)
            try await reader.read { $0.isAtEnd }
            #expect(reader.isAtEnd && reader.bytes.isEmpty)
            new.stop()
        }
    }

    /// The table is damaged or forged, or the state file was replaced by an empty one: the reader would miss every
    /// event up to that number, or get all of them again.
    @Test(arguments: [Int64.max, 4, -2, .min])
    func aPositionThatMakesNoSenseEndsTheConnection(number: Int64) async throws {
        try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 0) {}
            let reader = try await Self.connect(kept, old)
            old.stop()
            let table = try #require(ConnectionTable(adopting: dup(kept.table)))
            let place = try #require(ConnectionTable.identity(of: kept.readers[0]).flatMap(table.slot))
            table.set(number, at: place)
            let new = try kept.socket()
            new.deliver(bareEvent(.fired, number: 3))
            new.start(after: 3) {}
            #expect(new.readerCount == 0)
            try await reader.read { $0.isAtEnd }
            #expect(reader.bytes.isEmpty)
            // Its place is free again.
            _ = try await Self.connect(kept, new)
            new.stop()
        }
    }

    /// A slow reader has half a line when the process ends; one that could take all continues.
    @Test func aReaderInTheMiddleOfALineIsClosed() async throws {
        try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 0) {}
            let slow = try await Self.connect(kept, old)
            let filler = String(repeating: "x", count: 50_000)
            for number in 1...20 { old.deliver(bareEvent(.fired, number: Int64(number), text: filler)) }
            old.stop()
            let new = try kept.socket()
            #expect(new.readerCount == 0)
            try await slow.read { $0.isAtEnd }
            #expect(slow.isAtEnd && slow.bytes.last != 0x0A)
            new.stop()
        }
    }

    @Test func theEndOfAReaderIsItsEndForTheNextProcess() async throws {
        try await onLoop {
            let kept = try Kept()
            let old = try kept.socket()
            old.start(after: 0) {}
            var reader: TestReader? = try await Self.connect(kept, old)
            #expect(reader != nil)
            reader = nil
            try await turns { old.readerCount == 0 }
            let table = try #require(ConnectionTable(adopting: dup(kept.table)))
            #expect(ConnectionTable.identity(of: kept.readers[0]).flatMap(table.number) == nil)
            old.stop()
        }
    }
}
