import EventLoop
import Events
import Glibc
import Journal
import Market
import TestSupport
import Testing

@testable import Delivery

@Suite(.timeLimit(.minutes(10)))
struct JournalSinkTests {
    @Test func notifiedEventsAreSentAndFailuresCounted() async throws {
        let (sent, counters) = try await onLoop {
            var sent: [JournalEntry] = []
            let sink = JournalSink { entry in
                sent.append(entry)
                return sent.count == 2 ? -ENOBUFS : 0
            }
            sink.deliver(bareEvent(.fired, number: 1))
            sink.deliver(bareEvent(.fired, number: 2, notified: false))
            sink.deliver(bareEvent(.resolved, number: 3))
            sink.deliver(bareEvent(.rulesChanged, number: 4))
            return (sent.map(\.fields), sink.counters)
        }
        let numbers = sent.compactMap { $0.dropLast().last.map(text) }
        #expect(numbers == ["ALERTD_NUMBER=1", "ALERTD_NUMBER=3", "ALERTD_NUMBER=4"])
        #expect(counters.delivered == 2)
        #expect(counters.failed == 1)
        #expect(counters.lastFailure == "event 3: No buffer space available")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct JournalCursorTests {
    /// Event 3 and what follows would be handed over again, until a later one was.
    @Test func staysBeforeWhatFailedUntilALaterOneWasSent() async throws {
        let cursors = try await onLoop {
            var sent = 0
            let sink = JournalSink { _ in
                sent += 1
                return sent == 2 ? -ENOBUFS : 0
            }
            sink.resume(after: 0)
            return [true, false, true, false, true, false].enumerated().map { index, notified in
                sink.deliver(bareEvent(.fired, number: Int64(index + 1), notified: notified))
                return sink.cursor
            }
        }
        #expect(cursors == [1, 2, 2, 2, 5, 6])
    }
}
