import Testing
import Time

@testable import Receivers

struct NotificationQueueTests {
    @Test func aBatchKeepsItsEventsUntilItIsRemoved() {
        var queue = NotificationQueue([entry(1), entry(2)])
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 10).map(\.number) == [1, 2])
        _ = queue.append(entry(3))
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 10).map(\.number) == [1, 2])
        #expect(queue.remove(NotificationBatch(last: 2, isUrgentOnly: false)) == 2)
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 10).map(\.number) == [3])
    }

    @Test func quietHoursLetUrgentEventsPass() {
        var queue = NotificationQueue([entry(1), entry(2, isUrgent: true), entry(3)])
        #expect(queue.nextBatch(isUrgentOnly: true, limit: 10).map(\.number) == [2])
        #expect(queue.remove(NotificationBatch(last: 2, isUrgentOnly: true)) == 1)
        #expect(queue.nextBatch(isUrgentOnly: true, limit: 10).isEmpty)
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 10).map(\.number) == [1, 3])
    }

    @Test func aRestoredBatchIsTheSame() {
        var queue = NotificationQueue([entry(4), entry(5), entry(6)], batch: .init(last: 5, isUrgentOnly: false))
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 1).map(\.number) == [4, 5])
    }

    @Test func theOldestGoesWhenItIsFull() {
        var queue = NotificationQueue((1...Int64(NotificationQueue.limit)).map { entry($0) })
        #expect(queue.append(entry(20_000))?.number == 1)
        #expect(queue.entries.count == NotificationQueue.limit && queue.entries.last?.number == 20_000)
    }

    @Test func oldEventsExpire() {
        var queue = NotificationQueue([entry(1), entry(2), entry(3)])
        let expired = queue.expire(isUrgentOnly: false) { $0.number < 3 }
        #expect(expired?.count == 2 && expired?.last == 2)
        #expect(queue.expire(isUrgentOnly: false) { $0.number < 3 } == nil)
        #expect(queue.entries.map(\.number) == [3])
    }

    @Test func urgentEventsExpireBeforeThoseThatAreHeldBack() {
        var queue = NotificationQueue(
            [entry(1), entry(2, isUrgent: true), entry(3), entry(4, isUrgent: true), entry(5)],
            batch: .init(last: 2, isUrgentOnly: true))
        let expired = queue.expire(isUrgentOnly: true) { $0.number < 4 }
        #expect(expired?.count == 1 && expired?.last == 2)
        #expect(queue.entries.map(\.number) == [1, 3, 4, 5] && queue.batch == nil)
        // An event is never dropped before an earlier one.
        #expect(queue.expire(isUrgentOnly: false) { $0.number == 3 } == nil)
    }

    @Test func renumberingIncludesTheBatch() {
        var queue = NotificationQueue([entry(4), entry(5)], batch: .init(last: 5, isUrgentOnly: false))
        queue.renumber { $0 + 10 }
        #expect(queue.nextBatch(isUrgentOnly: false, limit: 9).map(\.number) == [14, 15])
    }

    @Test func waitsGrowAndObeyTheService() {
        var random = SystemRandomNumberGenerator()
        var schedule = DeliverySchedule()
        for expected in [1, 5, 30, 120, 300, 300] as [Int64] {
            let wait = schedule.fail(retryAfter: nil, random: &random)
            #expect(wait.count >= expected * 800 && wait.count <= expected * 1_200)
        }
        #expect(schedule.fail(retryAfter: .seconds(1_000), random: &random) == .seconds(1_000))
        #expect(schedule.fail(retryAfter: .seconds(90_000), random: &random) == DeliverySchedule.longestRetryAfter)
        schedule.succeed()
        #expect(schedule.fail(retryAfter: nil, random: &random) <= Milliseconds(1_200))
    }

    private func entry(_ number: Int64, isUrgent: Bool = false) -> QueuedNotification {
        QueuedNotification(number: number, isUrgent: isUrgent, time: WallTime(milliseconds: number))
    }
}
