package import Receivers
package import Time

/// The tables `notification` and `receiver`: the queue of each receiver, and the outcomes of its notifications.
struct NotificationTable {
    let database: Database

    /// Stores changes of the queues. Runs inside a transaction.
    func write(_ changes: QueueChanges) throws(StorageError) {
        guard !changes.isEmpty else { return }
        if changes.replacesAll {
            // Outcomes are stored before the rest of the queue is replaced.
            for settlement in changes.settled { try store(settlement) }
            try database.run("DELETE FROM notification WHERE state = 'queued'")
        }
        for (name, entries) in changes.added.sorted(by: { $0.key < $1.key }) {
            for entry in entries { try insert(entry, for: name) }
        }
        if !changes.replacesAll { for settlement in changes.settled { try store(settlement) } }
        for (name, batch) in changes.batches.sorted(by: { $0.key < $1.key }) { try set(batch, of: name) }
    }

    private func insert(_ entry: QueuedNotification, for name: String) throws(StorageError) {
        try database.run(
            """
            INSERT INTO notification (receiver, number, urgent, event_time, state) VALUES (?, ?, ?, ?, 'queued')
            ON CONFLICT DO NOTHING
            """, .text(name), .integer(entry.number), .integer(entry.isUrgent ? 1 : 0),
            .integer(entry.time.milliseconds))
    }

    /// Stores the outcome of queued notifications. Uses the index of queued rows, because SQLite would otherwise scan
    /// everything that was ever sent to the receiver.
    private func store(_ settlement: NotificationSettlement) throws(StorageError) {
        try database.run(
            """
            UPDATE notification INDEXED BY notification_queued SET state = ?, settled = ?, detail = ?
            WHERE receiver = ? AND state = 'queued' AND number <= ? AND urgent >= ?
            """, .text(settlement.state.rawValue), .integer(settlement.time.milliseconds),
            .optional(settlement.detail), .text(settlement.receiver), .integer(settlement.through),
            .integer(settlement.isUrgentOnly ? 1 : 0))
    }

    private func set(_ batch: NotificationBatch?, of name: String) throws(StorageError) {
        guard let batch else {
            try database.run("DELETE FROM receiver WHERE name = ?", .text(name))
            return
        }
        try database.run(
            """
            INSERT INTO receiver (name, batch_last, batch_urgent) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET batch_last = excluded.batch_last, batch_urgent = excluded.batch_urgent
            """, .text(name), .integer(batch.last), .integer(batch.isUrgentOnly ? 1 : 0))
    }

    /// Returns the queues, and the batches that are being sent.
    func queues() throws(StorageError) -> StoredQueues {
        var queues = StoredQueues()
        try database.read(
            """
            SELECT receiver, number, urgent, event_time FROM notification
            WHERE state = 'queued' ORDER BY receiver, number
            """
        ) { row throws(StorageError) in
            let name = try row.text()
            let entry = QueuedNotification(
                number: try row.integer(), isUrgent: try row.integer() != 0, time: try row.time())
            queues.queued[name, default: []].append(entry)
            return true
        }
        try database.read("SELECT name, batch_last, batch_urgent FROM receiver") { row throws(StorageError) in
            let name = try row.text()
            queues.batches[name] = NotificationBatch(
                last: try row.integer(), isUrgentOnly: try row.integer() != 0)
            return true
        }
        return queues
    }

    /// Returns the outcome of an event at each receiver, ordered by the names of the receivers. Leaves out states of
    /// later versions.
    func deliveries(of number: Int64) throws(StorageError) -> [StoredDelivery] {
        var deliveries: [StoredDelivery] = []
        try database.read(
            "SELECT receiver, state, settled, detail FROM notification WHERE number = ? ORDER BY receiver",
            .integer(number)
        ) { row throws(StorageError) in
            let name = try row.text()
            let state = DeliveryState(rawValue: try row.text())
            let time = try row.optionalTime()
            let detail = try row.optionalText()
            if let state {
                deliveries.append(StoredDelivery(receiver: name, state: state, time: time, detail: detail))
            }
            return true
        }
        return deliveries
    }

    /// Returns the numbers of the events in a range that a receiver accepted and whose delivery has this detail.
    func numbers(
        deliveredTo receiver: String, as detail: String, in range: ClosedRange<Int64>
    ) throws(StorageError) -> [Int64] {
        var numbers: [Int64] = []
        try database.read(
            """
            SELECT number FROM notification
            WHERE receiver = ? AND number BETWEEN ? AND ? AND state = 'delivered' AND detail = ?
            """, .text(receiver), .integer(range.lowerBound), .integer(range.upperBound), .text(detail)
        ) { row throws(StorageError) in
            numbers.append(try row.integer())
            return true
        }
        return numbers
    }

    /// Deletes the notifications of events that are no longer kept.
    func retain() throws(StorageError) {
        try database.run("DELETE FROM notification WHERE number < (SELECT min(number) FROM event)")
    }
}

/// The outcome of an event at a receiver.
package struct StoredDelivery: Equatable, Sendable {
    package var receiver: String
    /// The state, which is ``DeliveryState/queued`` until the event has been delivered or dropped.
    package var state: DeliveryState
    /// The time of the outcome, or nil while the event is queued.
    package var time: WallTime?
    /// The details of the outcome, or nil if there are none.
    package var detail: String?

    package init(receiver: String, state: DeliveryState, time: WallTime? = nil, detail: String? = nil) {
        self.receiver = receiver
        self.state = state
        self.time = time
        self.detail = detail
    }
}
