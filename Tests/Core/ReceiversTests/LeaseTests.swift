import Testing
import Time

@testable import Receivers

struct LeaseTests {
    private func at(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1_000) }

    private func wall(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1_000) }

    private let other = LeaseRecord(holder: "b", name: "two")

    @Test func aFreeLeaseIsTakenAndRenewed() {
        var lease = Lease(holder: "a", length: .seconds(30))
        #expect(lease.step(at: at(0)) == .read && !lease.isHeld(at: at(0)))
        #expect(lease.observe(nil, at: at(0)) == 0)
        lease.wrote(7, sent: at(0))
        #expect(lease.step(at: at(10)) == .write(revision: 7))
        lease.wrote(8, sent: at(10))
        #expect(lease.step(at: at(20)) == .write(revision: 8))
        // It stops a tenth before the end, counted from when the renewal was sent.
        #expect(lease.isHeld(at: BootTime(milliseconds: 36_999)) && !lease.isHeld(at: at(37)))
        #expect(lease.step(at: at(37)) == .read)
    }

    @Test func aLeaseIsTakenWhenItIsNotRenewedForItsWholeLength() {
        var lease = Lease(holder: "a", length: .seconds(30))
        #expect(lease.observe((other, 7), at: at(0)) == nil && lease.other == other)
        #expect(lease.observe((other, 7), at: at(29)) == nil)
        // A renewal begins the time again.
        #expect(lease.observe((other, 8), at: at(30)) == nil)
        #expect(lease.observe((other, 8), at: at(59)) == nil)
        #expect(lease.observe((other, 8), at: at(60)) == 8)
        lease.wrote(nil, sent: at(60))
        #expect(!lease.isHeld(at: at(60)))
        lease.wrote(9, sent: at(60))
        #expect(lease.isHeld(at: at(60)) && lease.other == nil)
    }

    @Test func aReleasedOrOwnLeaseIsTakenAtOnce() {
        var lease = Lease(holder: "a", length: .seconds(30))
        #expect(lease.observe((LeaseRecord(holder: "b", name: "two", isReleased: true), 7), at: at(0)) == 7)
        #expect(lease.observe((LeaseRecord(holder: "a", name: "one"), 8), at: at(0)) == 8)
    }

    /// Two daemons, each with a clock of its own: whenever one is lost, the other one takes over within twice the
    /// length, and they never hold the lease at the same time. A second passes between a look and its answer.
    @Test(arguments: 0..<60) func takingOverNeverOverlaps(lost: Int64) throws {
        let length = Milliseconds.seconds(30)
        var (holder, standby) = (Lease(holder: "a", length: length), Lease(holder: "b", length: length))
        var stored: (record: LeaseRecord, revision: UInt64)?
        holder.wrote(1, sent: at(0))
        stored = (LeaseRecord(holder: "a", name: "one"), 1)
        var takenAt: Int64?
        for second in 0...(lost + 61) {
            if second < lost, second % 10 == 0, case .write(let revision) = holder.step(at: at(second)) {
                holder.wrote(revision + 1, sent: at(second))
                stored = (LeaseRecord(holder: "a", name: "one"), revision + 1)
            }
            // Its clock is elsewhere, and its looks are at other times.
            if takenAt == nil, second % 10 == 7, let revision = standby.observe(stored, at: at(second + 100_001)) {
                standby.wrote(revision + 1, sent: at(second + 100_000))
                takenAt = second
            }
            let isHeldTwice = holder.isHeld(at: at(second)) && standby.isHeld(at: at(second + 100_000))
            #expect(!isHeldTwice, "at \(second)")
        }
        #expect(try #require(takenAt) <= max(lost, 1) + 60)
    }

    @Test func whatTheHolderHasNotifiedIsCovered() {
        var record = other
        #expect(!record.covers(wall(100), of: "wazirx", at: "phone"))
        record.polled = ["wazirx": wall(105), "kraken": wall(90)]
        #expect(record.covers(wall(100), of: "wazirx", at: "phone"))
        #expect(!record.covers(wall(101), of: "wazirx", at: "phone"))
        // It has not seen the other source since then.
        #expect(!record.covers(wall(100), of: "kraken", at: "phone"))
        #expect(record.covers(wall(100), of: nil, at: "phone"))
        // It still has something of that time to send.
        record.oldest = ["phone": wall(104)]
        #expect(!record.covers(wall(100), of: "wazirx", at: "phone"))
        #expect(record.covers(wall(98), of: "wazirx", at: "phone"))
        #expect(record.covers(wall(100), of: "wazirx", at: "mail"))
    }

    @Test func aQueueLosesItsOldest() {
        let entries = (1...4).map { QueuedNotification(number: $0, isUrgent: false, time: wall($0)) }
        var queue = NotificationQueue(entries, batch: NotificationBatch(last: 2, isUrgentOnly: false))
        let hasDropped = queue.drop(through: 3)
        #expect(hasDropped && queue.entries.map(\.number) == [4] && queue.batch == nil)
        let dropsAgain = queue.drop(through: 3)
        #expect(!dropsAgain)
    }
}
