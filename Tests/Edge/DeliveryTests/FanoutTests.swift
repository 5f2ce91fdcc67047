import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Delivery

@Suite(.timeLimit(.minutes(10)))
struct FanoutTests {
    /// Lines of very different length in a small ring, readers that read a little now and then through small buffers:
    /// each gets whole lines in order, and a right count for every hole.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func everyReaderGetsWholeLinesAndRightCounts(seed: UInt64) async throws {
        try await onLoop { try await Self.drive(seed: seed) }
    }

    @LoopActor
    private static func drive(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let fanout = Fanout(capacity: 16_384, lineCapacity: 64)
        let readers = try (0..<5).map { _ in try addReader(to: fanout) }
        let total = 600
        for number in 1...total {
            fanout.publish(line(number), number: Int64(number))
            if Bool.random(using: &random) { fanout.flush() }
            for (index, reader) in readers.enumerated() where Int.random(in: 0...index * 8, using: &random) == 0 {
                _ = reader.readOnce(atMost: Int.random(in: 1...4_000, using: &random))
            }
            if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
        }
        fanout.flush()
        let last = line(total)
        for reader in readers {
            try await turns {
                while reader.readOnce() {}
                return reader.bytes.suffix(last.count) == last[...]
            }
        }
        let missed = readers.map { missedLines(in: $0, total: total) }
        #expect(missed.contains { $0 > 0 })
        #expect(missed.reduce(0, +) == fanout.missed)
        fanout.closeAll()
        #expect(fanout.readerCount == 0)
    }

    private static func line(_ number: Int) -> [UInt8] {
        var random = SplitMix(seed: UInt64(number))
        let length = [0, 5, 60, 300, 950].randomElement(using: &random) ?? 0
        return Array("line \(number) \(String(repeating: "x", count: length))\n".utf8)
    }

    /// Checks all that a reader got, and counts what it was notified it missed.
    @LoopActor
    private static func missedLines(in reader: TestReader, total: Int) -> Int {
        var (next, missed) = (1, 0)
        for found in reader.lines {
            if found.hasPrefix("{") {
                let numbers = found.split { !$0.isNumber }.compactMap { Int($0) }
                #expect(found == #"{"missed":\#(numbers[0]),"next":\#(numbers[1])}"#)
                #expect(next + numbers[0] == numbers[1])
                missed += numbers[0]
                next = numbers[1]
            } else {
                #expect(found + "\n" == text(line(next)))
                next += 1
            }
        }
        #expect(next == total + 1)
        return missed
    }

    @LoopActor
    private static func addReader(to fanout: Fanout) throws -> TestReader {
        let (ours, theirs) = try socketPair()
        var size: Int32 = 4_608
        _ = unsafe setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        fanout.add(ours)
        return TestReader(theirs)
    }

    /// A reader that never reads again must not hide what it misses.
    @Test func linesThatAStalledReaderMissedCountAtOnce() async throws {
        let (stalled, gone) = try await onLoop {
            let fanout = Fanout(capacity: 16_384, lineCapacity: 64)
            let reader = try Self.addReader(to: fanout)
            for number in 1...1_000 {
                fanout.publish(Self.line(number), number: Int64(number))
                fanout.flush()
            }
            let stalled = fanout.missed
            withExtendedLifetime(reader) {}
            fanout.closeAll()
            return (stalled, fanout.missed)
        }
        // The reader and the ring hold fewer lines than these.
        #expect(stalled > 800)
        #expect(gone == stalled)
    }

    /// Thousands of events of one poll are published in one turn of the loop, which can watch nothing meanwhile.
    @Test func aReaderThatReadsAllTheTimeMissesNothingOfABurst() async throws {
        try await onLoop {
            let fanout = Fanout(capacity: 65_536, lineCapacity: 1_024)
            let reader = try Self.addReader(to: fanout)
            for number in 1...2_000 {
                fanout.publish(Self.line(number), number: Int64(number))
                // It has no room for a moment; from then on it reads whatever there is.
                if number > 100 { while reader.readOnce() {} }
            }
            #expect(fanout.missed == 0)
            fanout.flush()
            let last = Self.line(2_000)
            try await turns {
                while reader.readOnce() {}
                return reader.bytes.suffix(last.count) == last[...]
            }
            #expect(Self.missedLines(in: reader, total: 2_000) == 0)
            fanout.closeAll()
        }
    }

    /// A poll in which 450 symbols reach ten limits each, and a reader that has no time before its end.
    @Test func aReaderGetsAllOfABurstThatItReadsLater() async throws {
        let total = 4_500
        let line = { (number: Int) in
            Array("\(number) \(String(repeating: "x", count: 560))\n".utf8)
        }
        try await onLoop {
            let fanout = Fanout()
            let reader = try Self.addReader(to: fanout)
            for number in 1...total { fanout.publish(line(number), number: Int64(number)) }
            fanout.flush()
            #expect(fanout.missed == 0 && fanout.longestQueue > 4_000)
            let held = fanout.ring.end - fanout.ring.first
            #expect(held == total)
            try await turns {
                while reader.readOnce() {}
                return reader.lineCount == total
            }
            #expect(reader.bytes == (1...total).flatMap(line))
            // Nothing is kept that nobody lacks.
            fanout.publish(line(total + 1), number: Int64(total + 1))
            fanout.flush()
            let kept = fanout.ring.end - fanout.ring.first
            #expect(kept == 0)
            fanout.closeAll()
        }
    }

    @Test func aLineThatIsTooLongIsNotified() async throws {
        let (lines, missed) = try await onLoop {
            let fanout = Fanout(capacity: 1_024, lineCapacity: 64)
            let reader = try Self.addReader(to: fanout)
            fanout.publish(Array("one\n".utf8), number: 1)
            fanout.publish(Array(repeating: 0x61, count: fanout.longestLine) + [0x0A], number: 2)
            fanout.publish(Array("three\n".utf8), number: 3)
            fanout.flush()
            try await reader.read { $0.lineCount == 3 }
            return (reader.lines, fanout.missed)
        }
        #expect(lines == ["one", #"{"missed":1,"next":3}"#, "three"])
        #expect(missed == 1)
    }

    @Test func aReaderThatClosesInTheMiddleHarmsNobody() async throws {
        let lines = try await onLoop {
            let fanout = Fanout()
            var leaving: [TestReader] = try (0..<3).map { _ in try Self.addReader(to: fanout) }
            let staying = try Self.addReader(to: fanout)
            leaving += try (0..<3).map { _ in try Self.addReader(to: fanout) }
            let long = Array(repeating: 0x61 as UInt8, count: 6_000) + [0x0A]
            for number in 1...20 {
                fanout.publish(long, number: Int64(number))
                fanout.flush()
                if number % 3 == 0 { _ = leaving.popLast() }
                try await staying.read { $0.lineCount == number }
            }
            leaving = []
            try await turns { fanout.readerCount == 1 }
            fanout.publish(Array("end\n".utf8), number: 21)
            fanout.flush()
            try await staying.read { $0.lineCount == 21 }
            return staying.lines
        }
        #expect(lines.count == 21)
        #expect(lines.last == "end")
    }

    @Test func aReaderThatOnlyEndsItsOwnSendingStays() async throws {
        let lines = try await onLoop {
            let fanout = Fanout()
            let reader = try Self.addReader(to: fanout)
            shutdown(reader.descriptor, Int32(SHUT_WR))
            for _ in 0..<20 { await Task.yield() }
            fanout.publish(Array("still there\n".utf8), number: 1)
            fanout.flush()
            try await reader.read { $0.lineCount == 1 }
            return reader.lines
        }
        #expect(lines == ["still there"])
    }

    /// Up to a limit: a reader that sends without end is no longer read, and still gets its lines.
    @Test func whatReadersSendIsThrownAway() async throws {
        let (sent, lines) = try await onLoop {
            let fanout = Fanout()
            let reader = try Self.addReader(to: fanout)
            let noise = [UInt8](repeating: 0, count: 65_536)
            var sent = 0
            for _ in 0..<500 {
                sent += max(0, unsafe send(reader.descriptor, noise, noise.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
                await Task.yield()
            }
            fanout.publish(Array("answer\n".utf8), number: 1)
            fanout.flush()
            try await reader.read { $0.lineCount == 1 }
            return (sent, reader.lines)
        }
        #expect(sent > 65_536 && sent < 4 << 20)
        #expect(lines == ["answer"])
    }
}
