import EventLoop
import Events
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Delivery

struct ReadableLineTests {
    @Test func theFactsOfAnAlertStandInOneLine() throws {
        #expect(
            text(ReadableLine.encoded(try fullEvent()))
                == "2026-11-21 06:22:44Z  FIRED      CRITICAL  btc band  "
                + "BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00\n")
    }

    @Test(
        arguments: zip(
            EventKind.allCases,
            [
                "FIRED      ", "RESOLVED   ", "REPEATED   ", "TOUCHED    ", "STALE      ", "RECOVERED  ",
                "FROZEN     ",
                "MISSING    ", "RETURNED   ", "RULES      ", "UNSAVED    ", "SAVED      ", "UNSENT     ",
                "SENDING    ", "DIVERGED   ", "CONVERGED  ", "TEST       ",
            ]))
    func theWordsAreAligned(kind: EventKind, word: String) {
        #expect(
            text(ReadableLine.encoded(bareEvent(kind)))
                == "2026-11-21 06:22:44Z  \(word)what it is\n")
    }

    @Test func nothingInItMakesASecondLine() {
        #expect(
            text(ReadableLine.encoded(bareEvent(.fired, text: "a\nb\u{1B}[2J\"\\")))
                == "2026-11-21 06:22:44Z  FIRED      a\\nb\\u001b[2J\"\\\n")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct StdoutSinkTests {
    @Test func notifiedEventsAreWrittenWithOneFlush() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            let sink = StdoutSink(output: LineOutput(pipe.writeEnd))
            sink.deliver(bareEvent(.fired))
            sink.deliver(bareEvent(.fired, notified: false, text: "suppressed"))
            sink.deliver(bareEvent(.resolved))
            sink.flush()
            #expect(sink.counters.delivered == 2)
        }
        pipe.closeWriteEnd()
        #expect(
            text(pipe.readToEnd())
                == "2026-11-21 06:22:44Z  FIRED      what it is\n2026-11-21 06:22:44Z  RESOLVED   what it is\n")
    }

    /// A file always has room: nothing of thousands of events in one turn is dropped.
    @Test func aFileGetsABurstAsAWhole() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "alertd-stdout-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let counters = try await onLoop {
            let sink = StdoutSink(descriptor: descriptor)
            for number in 1...12_000 { sink.deliver(bareEvent(.fired, number: Int64(number))) }
            sink.flush()
            return sink.counters
        }
        #expect(counters.delivered == 12_000)
        #expect(counters.dropped == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 12_000)
    }

    /// A pipe of our own is reopened so that it does not block; for one of another user, room is checked before
    /// writing.
    @Test(arguments: [true, false])
    func aPipeThatNobodyReadsHoldsNothingUp(mayReopen: Bool) async throws {
        let pipe = try TestPipe()
        let total = 12_000
        let (before, written) = try await onLoop { () -> (SinkCounters, Task<SinkCounters, any Error>) in
            let output = LineOutput(OutputDescriptor(pipe.writeEnd, mayReopen: mayReopen))
            let sink = StdoutSink(output: output)
            for number in 1...total {
                sink.deliver(bareEvent(.fired, number: Int64(number), text: "event \(number)"))
                if number % 100 == 0 { sink.flush() }
            }
            let before = sink.counters
            // From here on somebody reads.
            let task = Task { @LoopActor in
                while sink.counters.delivered + sink.counters.dropped < total { try await sleep(for: .milliseconds(1)) }
                return sink.counters
            }
            return (before, task)
        }
        #expect(before.dropped > 0)
        #expect(before.delivered > 0)
        pipe.closeWriteEnd()
        let bytes = await onThread { [descriptor = pipe.readEnd] in readBytes(from: descriptor) }
        let after = try await written.value
        #expect(after.delivered + after.dropped == total)
        #expect(bytes.last == 0x0A)
        expectHole(in: text(bytes), total: total, dropped: after.dropped)
    }

    /// All lines are whole and in order, and the one hole is named with its length.
    private func expectHole(in text: String, total: Int, dropped: Int) {
        var next = 1
        var missed = 0
        for line in text.split(separator: "\n") {
            if line.hasPrefix("… ") {
                let count = Int(line.split(separator: " ")[1]) ?? -1
                missed += count
                next += count
            } else {
                #expect(line == "2026-11-21 06:22:44Z  FIRED      event \(next)")
                next += 1
            }
        }
        #expect(next == total + 1)
        #expect(missed == dropped)
    }

    /// What a full pipe did not take is handed over again after a restart, also half a line.
    @Test func theCursorStaysBeforeWhatWaits() async throws {
        let pipe = try TestPipe()
        let (waiting, first, late, last) = try await onLoop {
            let sink = StdoutSink(output: LineOutput(OutputDescriptor(pipe.writeEnd), capacity: 1 << 20))
            sink.resume(after: 100)
            #expect(sink.cursor == 100)
            var number: Int64 = 100
            while sink.cursor == number {
                number += 1
                sink.deliver(bareEvent(.fired, number: number, notified: number % 2 == 0))
                sink.flush()
            }
            sink.deliver(bareEvent(.fired, number: number + 1, notified: false))
            let waiting = sink.cursor
            let isMoved = OneShot<Void, Never>()
            sink.start(after: number + 1) { isMoved.finish(.success(())) }
            _ = await onThread { [descriptor = pipe.readEnd] in readSome(from: descriptor) }
            await isMoved.wait()
            return (waiting, number, sink.cursor, number + 1)
        }
        #expect(waiting == first - 2, "the last notified one before it")
        #expect(late == last)
    }

    @Test func theCursorStaysBeforeWhatFailed() async throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let cursor = try await onLoop {
            let sink = StdoutSink(descriptor: full)
            sink.resume(after: 4)
            sink.deliver(bareEvent(.fired, number: 5, notified: false))
            sink.deliver(bareEvent(.fired, number: 6))
            sink.flush()
            sink.deliver(bareEvent(.fired, number: 7, notified: false))
            return sink.cursor
        }
        #expect(cursor == 4)
    }

    @Test func aReaderThatIsGoneEndsTheSink() async throws {
        ignoreWriteSignals()
        let pipe = try TestPipe()
        close(pipe.readEnd)
        defer { pipe.closeWriteEnd() }
        let counters = try await onLoop {
            let sink = StdoutSink(output: LineOutput(pipe.writeEnd))
            sink.deliver(bareEvent(.fired))
            sink.flush()
            sink.deliver(bareEvent(.fired))
            sink.flush()
            return sink.counters
        }
        #expect(counters.delivered == 0)
        #expect(counters.failed == 2)
        #expect(counters.lastFailure == "Broken pipe")
    }

    @Test func aFileAndADeviceTakeLinesDirectly() async throws {
        let path = NSTemporaryDirectory() + "alertd-stdout-\(UUID().uuidString)"
        defer { unsafe unlink(path) }
        let file = unsafe open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
        let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { [file, null, full].forEach { close($0) } }
        let results = try await onLoop {
            [file, null, full].map { descriptor in
                let sink = StdoutSink(descriptor: descriptor)
                sink.deliver(bareEvent(.fired))
                sink.flush()
                return sink.counters
            }
        }
        #expect(results.map(\.delivered) == [1, 1, 0])
        #expect(results[2].failed == 1)
        #expect(results[2].lastFailure == "No space left on device")
        #expect(
            try String(contentsOfFile: path, encoding: .utf8) == "2026-11-21 06:22:44Z  FIRED      what it is\n")
    }

    @Test func aSocketIsWrittenToWithoutWaiting() async throws {
        let (ours, theirs) = try socketPair()
        let counters = try await onLoop {
            let sink = StdoutSink(descriptor: ours)
            for number in 1...10_000 { sink.deliver(bareEvent(.fired, number: Int64(number))) }
            sink.flush()
            return sink.counters
        }
        #expect(counters.delivered > 0)
        #expect(counters.delivered + counters.dropped < 10_000)
        close(theirs)
        close(ours)
    }

    @Test func aDescriptorThatIsNotOpenIsAFailure() async throws {
        let counters = try await onLoop {
            let sink = StdoutSink(descriptor: -1)
            sink.deliver(bareEvent(.fired))
            return sink.counters
        }
        #expect(counters.failed == 1)
        #expect(counters.lastFailure == "Bad file descriptor")
    }
}
