import EventLoop
import Events
import TestSupport
import Testing

@testable import AlertDaemon

@Suite(.timeLimit(.minutes(10)))
struct EventMonitorsTests {
    @Test func allClientsAreWokenUntilTheyAreRemoved() async throws {
        try await onLoop {
            let monitors = EventMonitors()
            let keys = [RecordingSink(), RecordingSink()]
            let clients = keys.enumerated().map { monitors.add(ObjectIdentifier($1), after: Int64($0)) }
            var woken = [0, 0]
            let waits = clients.indices.map { index in
                Loop.shared.start {
                    await clients[index].untilWoken()
                    woken[index] += 1
                }
            }
            await Task.yield()
            #expect(woken == [0, 0])
            monitors.remove(ObjectIdentifier(keys[1]))
            monitors.wake()
            await waits[0].value
            #expect(woken == [1, 0])
            clients[1].wake()
            await waits[1].value
            #expect(woken == [1, 1])
        }
    }

    /// A client continues with the same event, whatever its number is now.
    @Test(arguments: [(0, 0), (3, 3), (4, 14), (5, 15)] as [(Int64, Int64)])
    func positionsFollowTheNumbers(before: Int64, after: Int64) async throws {
        try await onLoop {
            let monitors = EventMonitors()
            let key = RecordingSink()
            let monitor = monitors.add(ObjectIdentifier(key), after: before)
            monitors.renumber(NumberShift(first: 5, offset: 10))
            #expect(monitor.position == after)
        }
    }
}

struct NumberShiftTests {
    @Test(arguments: [(1, 1), (4, 4), (5, 15), (6, 16)] as [(Int64, Int64)])
    func numbersFromTheFirstOnIncrease(number: Int64, shifted: Int64) {
        #expect(NumberShift(first: 5, offset: 10).applied(number) == shifted)
        #expect(NumberShift().applied(number) == number)
    }

    @Test func theSilencesOfShiftedEventsShiftToo() {
        let shift = NumberShift(first: 5, offset: 10, silenceOffset: 3)
        func shifted(_ number: Int64, silence: Int64?) -> [Int64?] {
            var occurrence = bareEvent(.fired).occurrence
            occurrence.silence = silence
            let event = shift.applied(Event(number: number, occurrence: occurrence))
            return [event.number, event.occurrence.silence]
        }
        #expect(shifted(4, silence: 2) == [4, 2])
        #expect(shifted(5, silence: 2) == [15, 5])
        #expect(shifted(6, silence: nil) == [16, nil])
    }
}
