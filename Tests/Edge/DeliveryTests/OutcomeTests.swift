import EventLoop
import Events
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Delivery

/// What a drill reports about each sink.
@Suite("Outcome of an event", .timeLimit(.minutes(10)))
struct OutcomeTests {
    private static func drill(_ number: Int64, for sink: String? = nil) -> Event {
        var occurrence = bareEvent(.test, text: "TEST: a drill").occurrence
        occurrence.sink = sink
        return Event(number: number, occurrence: occurrence)
    }

    @Test func theJournalAcceptsRefusesOrIsNotThere() async throws {
        try await onLoop {
            var sent = 0
            let sink = JournalSink(socket: "/") { _ in
                sent += 1
                return sent == 2 ? -ENOBUFS : 0
            }
            sink.deliver(Self.drill(1))
            #expect(sink.outcome(of: 1) == .delivered("accepted by the journal"))
            sink.deliver(Self.drill(2))
            #expect(sink.outcome(of: 2) == .failed("event 2: No buffer space available"))
            let nowhere = JournalSink(socket: "/nowhere/journal") { _ in 0 }
            nowhere.deliver(Self.drill(1))
            #expect(nowhere.outcome(of: 1) == .failed("no journal is listening at /nowhere/journal"))
        }
    }

    @Test func standardOutputIsWrittenFullOrGone() async throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try TestPipe()
        try await onLoop {
            let sink = StdoutSink(output: LineOutput(pipe.writeEnd))
            sink.deliver(Self.drill(1))
            sink.flush()
            #expect(sink.outcome(of: 1) == .delivered("written"))
            // A pipe holds 64 KiB.
            for number in 2...2_000 as ClosedRange<Int64> { sink.deliver(Self.drill(number)) }
            sink.flush()
            #expect(sink.outcome(of: 2_000) == .waiting("nobody is reading standard output"))
            close(pipe.readEnd)
            sink.deliver(Self.drill(2_001))
            sink.flush()
            #expect(sink.outcome(of: 2_001) == .failed("Broken pipe"))
            sink.deliver(Self.drill(2_002))
            #expect(sink.outcome(of: 2_002) == .failed("Broken pipe"))
        }
        pipe.closeWriteEnd()
    }

    @Test func theSocketCountsItsReaders() async throws {
        let path = "/tmp/alertd-outcome-\(getpid()).sock"
        try await onLoop {
            let sink = try EventSocket(path: path, limit: 4)
            sink.deliver(Self.drill(1))
            #expect(sink.outcome(of: 1) == .delivered("no readers"))
            let reader = try TestReader(connectedTo: path)
            try await turns { sink.readerCount == 1 }
            sink.deliver(Self.drill(2, for: "journal"))
            sink.flush()
            #expect(sink.outcome(of: 2) == .delivered("1 reader"))
            try await reader.read { $0.lineCount == 1 }
            let line = reader.lines.first ?? ""
            #expect(line.contains("\"kind\":\"test\"") && line.contains("\"sink\":\"journal\""))
            sink.stop()
        }
    }

    /// Only the stream of all events has what is for another sink.
    @Test func whatIsForAnotherSinkIsPassedOver() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            var sent = 0
            let journal = JournalSink(socket: "/") { _ in
                sent += 1
                return 0
            }
            let output = StdoutSink(output: LineOutput(pipe.writeEnd))
            for (number, name) in ["journal", "stdout", nil].enumerated() {
                for sink in [journal, output] as [any Sink] {
                    sink.deliver(Self.drill(Int64(number + 1), for: name))
                    sink.flush()
                }
            }
            #expect(sent == 2 && output.counters.delivered == 2)
            #expect(journal.cursor == 3 && output.cursor == 3)
        }
        pipe.closeWriteEnd()
        #expect(text(pipe.readToEnd()).split(separator: "\n").count == 2)
    }
}
