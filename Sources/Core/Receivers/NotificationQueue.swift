package import Time

/// An event in the queue of a receiver.
package struct QueuedNotification: Equatable, Sendable {
    /// The number of the event.
    package var number: Int64
    /// True if quiet hours do not delay it.
    package var isUrgent: Bool
    /// The time of the event.
    package var time: WallTime

    package init(number: Int64, isUrgent: Bool, time: WallTime) {
        self.number = number
        self.isUrgent = isUrgent
        self.time = time
    }
}

/// The events sent as one notification: all events of a queue, or all urgent ones, up to a number. The batch is saved
/// before the first attempt, so that all attempts, including those of a later process, have the same content and ID.
package struct NotificationBatch: Equatable, Sendable {
    /// Number of its last event.
    package var last: Int64
    /// True if it has only urgent events.
    package var isUrgentOnly: Bool

    package init(last: Int64, isUrgentOnly: Bool) {
        self.last = last
        self.isUrgentOnly = isUrgentOnly
    }
}

/// The delivery state of an event at a receiver. The raw values are those of the state file and of JSON.
package enum DeliveryState: String, CaseIterable, Sendable {
    /// It has yet to be delivered.
    case queued
    /// The receiver accepted it.
    case delivered
    /// The receiver rejected it permanently.
    case refused
    /// It could not be delivered within the maximum age.
    case expired
    /// It was dropped: by a user, because the queue was full, because the receiver was removed, or because another
    /// daemon has notified it.
    case dropped
}

/// The final delivery state of queued events of one receiver.
package struct NotificationSettlement: Equatable, Sendable {
    package var receiver: String
    /// Number of the last affected event.
    package var through: Int64
    /// True if only urgent events up to that number are affected.
    package var isUrgentOnly: Bool
    /// The final state, never ``DeliveryState/queued``.
    package var state: DeliveryState
    package var time: WallTime
    /// Details as text, without secrets; nil if there are none.
    package var detail: String?

    package init(
        receiver: String, through: Int64, isUrgentOnly: Bool, state: DeliveryState, time: WallTime, detail: String?
    ) {
        self.receiver = receiver
        self.through = through
        self.isUrgentOnly = isUrgentOnly
        self.state = state
        self.time = time
        self.detail = detail
    }
}

/// The changes of the queues to store.
package struct QueueChanges: Equatable, Sendable {
    /// True if ``added`` replaces all stored queues.
    package var replacesAll: Bool
    /// New queued events by receiver.
    package var added: [String: [QueuedNotification]]
    /// Final delivery states, in order; they apply after ``added``.
    package var settled: [NotificationSettlement]
    /// The changed batches by receiver; a nil value means that there is no batch.
    package var batches: [String: NotificationBatch?]

    package init(
        replacesAll: Bool = false, added: [String: [QueuedNotification]] = [:],
        settled: [NotificationSettlement] = [], batches: [String: NotificationBatch?] = [:]
    ) {
        self.replacesAll = replacesAll
        self.added = added
        self.settled = settled
        self.batches = batches
    }

    package var isEmpty: Bool { !replacesAll && added.isEmpty && settled.isEmpty && batches.isEmpty }
}

/// The stored form of the queues.
package struct StoredQueues: Equatable, Sendable {
    /// Queued events by receiver, in the order of their numbers.
    package var queued: [String: [QueuedNotification]]
    /// Batches in delivery by receiver, so that the next attempt has the same content and ID.
    package var batches: [String: NotificationBatch]

    package init(queued: [String: [QueuedNotification]] = [:], batches: [String: NotificationBatch] = [:]) {
        self.queued = queued
        self.batches = batches
    }
}

/// The queue of one receiver: events by number, oldest first.
package struct NotificationQueue: Equatable, Sendable {
    /// Maximum number of events; beyond it, the oldest are dropped. 10,000 of 32 bytes are 320 kB for each receiver.
    package static let limit = 10_000

    /// In the order of their numbers.
    package private(set) var entries: [QueuedNotification]
    /// The batch in delivery; nil before the first attempt.
    package private(set) var batch: NotificationBatch?

    package init(_ entries: [QueuedNotification] = [], batch: NotificationBatch? = nil) {
        self.entries = entries
        self.batch = batch
        dropEmptyBatch()
    }

    /// Removes a batch whose events are no longer in the queue.
    private mutating func dropEmptyBatch() {
        if let batch, !entries.contains(where: { $0.isIn(batch) }) { self.batch = nil }
    }

    /// Appends an event.
    ///
    /// - Returns: the event that was dropped to make room; nil if there was room.
    package mutating func append(_ entry: QueuedNotification) -> QueuedNotification? {
        assert(entries.last?.number ?? 0 < entry.number, "a queue is in the order of the events")
        entries.append(entry)
        return entries.count > Self.limit ? entries.removeFirst() : nil
    }

    /// Returns the events of the current batch; creates one if there is none.
    ///
    /// - Parameters:
    ///   - isUrgentOnly: true if only urgent events may be sent now.
    ///   - limit: the maximum number of events in a batch.
    /// - Returns: empty if there is nothing to send now.
    package mutating func nextBatch(isUrgentOnly: Bool, limit: Int) -> [QueuedNotification] {
        if let batch {
            let members = entries.filter { $0.isIn(batch) }
            if !members.isEmpty { return members }
        }
        let members = (isUrgentOnly ? entries.filter(\.isUrgent) : entries).prefix(limit)
        batch = members.last.map { NotificationBatch(last: $0.number, isUrgentOnly: isUrgentOnly) }
        return Array(members)
    }

    /// The numbers of the events of the current batch.
    package var openEvents: [Int64] { batch.map { batch in entries.filter { $0.isIn(batch) }.map(\.number) } ?? [] }

    /// Removes the events of a batch.
    ///
    /// - Returns: how many events were removed; some may have been dropped during the attempt.
    package mutating func remove(_ batch: NotificationBatch) -> Int {
        let count = entries.count
        entries.removeAll { $0.isIn(batch) }
        if self.batch == batch { self.batch = nil }
        return count - entries.count
    }

    /// Removes events that are too old, from the start of the queue.
    ///
    /// - Parameters:
    ///   - isUrgentOnly: true to remove only urgent events.
    ///   - isOld: returns true if an event is too old.
    /// - Returns: the number of removed events, and the number of the last one; nil if there were none.
    package mutating func expire(
        isUrgentOnly: Bool, where isOld: (QueuedNotification) -> Bool
    ) -> (count: Int, last: Int64)? {
        var last: Int64?
        for entry in entries where entry.isUrgent || !isUrgentOnly {
            guard isOld(entry) else { break }
            last = entry.number
        }
        guard let last else { return nil }
        let count = entries.count
        entries.removeAll { $0.number <= last && ($0.isUrgent || !isUrgentOnly) }
        dropEmptyBatch()
        return (count - entries.count, last)
    }

    /// Removes the events up to a number. Returns false if there were none.
    package mutating func drop(through last: Int64) -> Bool {
        let count = entries.count
        entries.removeAll { $0.number <= last }
        dropEmptyBatch()
        return entries.count < count
    }

    /// Changes the numbers of events whose numbers turned out to be in use.
    package mutating func renumber(_ number: (Int64) -> Int64) {
        for index in entries.indices { entries[index].number = number(entries[index].number) }
        if let old = batch { batch = NotificationBatch(last: number(old.last), isUrgentOnly: old.isUrgentOnly) }
    }
}

extension QueuedNotification {
    fileprivate func isIn(_ batch: NotificationBatch) -> Bool {
        number <= batch.last && (isUrgent || !batch.isUrgentOnly)
    }
}
