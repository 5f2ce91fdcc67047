package import Time

/// An event that a receiver is still to be sent.
package struct QueuedNotification: Equatable, Sendable {
    /// The number of the event.
    package var number: Int64
    /// Whether quiet hours do not hold it back.
    package var isUrgent: Bool
    /// The time of the event.
    package var time: WallTime

    package init(number: Int64, isUrgent: Bool, time: WallTime) {
        self.number = number
        self.isUrgent = isUrgent
        self.time = time
    }
}

/// The events that were sent, or are being sent, as one notification: those of a queue up to a number. It is saved
/// before the first attempt, so that all attempts, also those of a later process, have the same content and id.
package struct NotificationBatch: Equatable, Sendable {
    /// The number of its last event.
    package var last: Int64
    /// Whether it has urgent events only.
    package var isUrgentOnly: Bool

    package init(last: Int64, isUrgentOnly: Bool) {
        self.last = last
        self.isUrgentOnly = isUrgentOnly
    }
}

/// What happened to an event at a receiver. The raw values are those of the state file and of JSON.
package enum DeliveryState: String, CaseIterable, Sendable {
    /// It is to be sent.
    case queued
    /// The receiver accepted it.
    case delivered
    /// The receiver refused it for good.
    case refused
    /// It could not be delivered for too long.
    case expired
    /// A user dropped it, or the queue was full, or the receiver is gone, or another daemon has notified it.
    case dropped
}

/// How queued events of one receiver ended.
package struct NotificationSettlement: Equatable, Sendable {
    package var receiver: String
    /// All queued events up to this number.
    package var through: Int64
    /// Whether only urgent ones are meant.
    package var isUrgentOnly: Bool
    /// How they ended: not ``DeliveryState/queued``.
    package var state: DeliveryState
    package var time: WallTime
    /// Details as text, without secrets; nil when there are none.
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

/// What is to be stored of the queues.
package struct QueueChanges: Equatable, Sendable {
    /// Whether what is stored as queued is replaced by ``added``.
    package var replacesAll: Bool
    /// By receiver.
    package var added: [String: [QueuedNotification]]
    /// In their order, after what was added.
    package var settled: [NotificationSettlement]
    /// The batches of receivers that changed; nil for none.
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

/// The queues as they are stored.
package struct StoredQueues: Equatable, Sendable {
    /// By receiver, in the order of their numbers.
    package var queued: [String: [QueuedNotification]]
    /// By receiver: what was being sent, so that the next attempt has the same content and id.
    package var batches: [String: NotificationBatch]

    package init(queued: [String: [QueuedNotification]] = [:], batches: [String: NotificationBatch] = [:]) {
        self.queued = queued
        self.batches = batches
    }
}

/// The queue of one receiver: events by number, oldest first.
package struct NotificationQueue: Equatable, Sendable {
    /// The most events; beyond that the oldest are dropped. 10,000 of 32 bytes are 320 kB for each receiver.
    package static let limit = 10_000

    /// In the order of their numbers.
    package private(set) var entries: [QueuedNotification]
    /// What is being sent; nil before the first attempt.
    package private(set) var batch: NotificationBatch?

    package init(_ entries: [QueuedNotification] = [], batch: NotificationBatch? = nil) {
        self.entries = entries
        self.batch = batch
        dropEmptyBatch()
    }

    /// Without events, there is nothing left to send as before.
    private mutating func dropEmptyBatch() {
        if let batch, !entries.contains(where: { $0.isIn(batch) }) { self.batch = nil }
    }

    /// Appends an event.
    ///
    /// - Returns: the event that was dropped for it; nil if there was room.
    package mutating func append(_ entry: QueuedNotification) -> QueuedNotification? {
        assert(entries.last?.number ?? 0 < entry.number, "a queue is in the order of the events")
        entries.append(entry)
        return entries.count > Self.limit ? entries.removeFirst() : nil
    }

    /// The events of the current batch; a new one is made if there is none.
    ///
    /// - Parameters:
    ///   - isUrgentOnly: whether only urgent events may be sent now.
    ///   - limit: the most events of a batch.
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
    /// - Returns: how many; some may have been dropped while they were being sent.
    package mutating func remove(_ batch: NotificationBatch) -> Int {
        let count = entries.count
        entries.removeAll { $0.isIn(batch) }
        if self.batch == batch { self.batch = nil }
        return count - entries.count
    }

    /// Removes the events that are too old: the first ones.
    ///
    /// - Parameters:
    ///   - isUrgentOnly: whether only urgent events are meant.
    ///   - isOld: whether an event is too old.
    /// - Returns: how many, and the number of the last one; nil if there was none.
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

    /// Removes the events up to a number; false if there were none.
    package mutating func drop(through last: Int64) -> Bool {
        let count = entries.count
        entries.removeAll { $0.number <= last }
        dropEmptyBatch()
        return entries.count < count
    }

    /// Gives events other numbers: those that turned out to be taken.
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
