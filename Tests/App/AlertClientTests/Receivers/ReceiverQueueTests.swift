import Control
import JSON
import Testing

@testable import AlertClient

/// What waits for a receiver.
struct ReceiverQueueTests {
    private func run(waiting count: Int, kept: Set<Int>) -> Run {
        let run = Run(width: 120)
        let entries = (1...3).map { QueueEntry(number: $0 * 10, time: "2026-11-21T06:19:48.000Z") }
        run.daemon.replies[.listQueue] = ListQueueReply(count: count, entries: entries)
        // One event a page, although a range was asked for.
        run.daemon.answers[.listEvents] = { parameters in
            let asked = parameters as? ListEventsParameters
            let next = kept.filter { $0 > asked?.after ?? 0 && $0 < asked?.before ?? .max }.min()
            let events = next.map { number in
                var event = Sample.event
                (event.number, event.text) = (number, "text \(number)")
                return [event]
            }
            return ListEventsReply(simulated: false, source: "wazirx", events: events ?? [], more: next != nil)
        }
        return run
    }

    @Test func eachEventHasItsTextAlsoFromLaterPages() {
        let output = run(waiting: 3, kept: [10, 15, 20, 30]).output("receivers queue phone")
        for number in [10, 20, 30] { #expect(output.contains("text \(number)"), "\(output)") }
        #expect(!output.contains("text 15") && !output.contains("more."))
    }

    @Test func eventsThatAreNoLongerKeptHaveNone() {
        let output = run(waiting: 3, kept: [30]).output("receivers queue phone")
        #expect(output.contains("10") && output.contains("text 30") && !output.contains("text 10"), "\(output)")
        #expect(!run(waiting: 3, kept: []).output("receivers queue phone").contains("text"))
    }

    @Test func whatHasNoRoomInTheReplyIsCounted() {
        #expect(run(waiting: 5, kept: []).output("receivers queue phone").contains("… and 2 more."))
        #expect(run(waiting: 5, kept: []).output("receivers queue phone --json").contains("\"count\":5"))
    }
}
