internal import Market
internal import Time

/// Changes since the last drain.
///
/// Each alert is listed once, and the changes of a poll are encoded immediately, so that the log stays small even if
/// it is never drained.
struct ChangeLog: Sendable {
    /// True while everything counts as changed, for example after a reload.
    var isWhole = true
    /// True if the next drain must return a checkpoint of the symbols, because there are too many records since the
    /// last one.
    private(set) var needsCheckpoint = true
    /// The changed alerts, each by the number of its symbol state and its index there.
    private(set) var alerts: [(symbolState: Int, alert: Int)] = []
    /// Changes of the symbols and the feed. Nothing is recorded while a checkpoint is due.
    var record = StateRecordWriter()
    private var pollCount = 0
    private var byteCount = 0
    private var checkpointByteCount = 0

    /// A start replays the polls since the last checkpoint; 512 polls take about a millisecond.
    private static let pollLimit = 512
    /// Records may grow to this many times the size of a checkpoint, and at least to 64 KiB. A checkpoint of 450
    /// symbols with a window each is some 30 kB, and a record 200 bytes to 2 kB.
    private static let byteFactor = 4
    private static let leastByteLimit = 65_536

    /// True while changes are written as records.
    var isRecording: Bool { !isWhole && !needsCheckpoint }

    mutating func markChanged(_ alert: inout Alert, _ index: Int, of number: Int) {
        guard !isWhole, !alert.isChanged else { return }
        alert.isChanged = true
        alerts.append((number, index))
    }

    /// Records the price that an input got from a response, unless it is the same as in the previous response.
    ///
    /// - Parameters:
    ///   - price: the price; nil if there was no usable one.
    ///   - last: the last usable price before this response.
    ///   - lastPoll: when the previous response was received.
    ///   - index: the index of the input in its symbol.
    ///   - slot: the slot of the symbol.
    mutating func recordPrice(
        _ price: Price?, after last: PriceSample?, _ lastPoll: Instant?, input index: Int, slot: Int
    ) {
        let tookLast = if let last, let lastPoll { last.time == lastPoll } else { false }
        guard let price else {
            if tookLast { record.recordNoPrice(input: index, slot: slot) }
            return
        }
        if tookLast, let last, last.price.mantissa == price.mantissa, last.price.scale == price.scale { return }
        record.recordPrice(price, near: last?.price, input: index, slot: slot)
    }

    /// Ends the record of a poll.
    mutating func endPoll() {
        guard isRecording else { return }
        record.endPoll()
        pollCount += 1
        let limit = max(Self.leastByteLimit, checkpointByteCount * Self.byteFactor)
        if pollCount >= Self.pollLimit || byteCount + record.count > limit { requireCheckpoint() }
    }

    /// Makes the next drain return a checkpoint of the symbols.
    mutating func requireCheckpoint() {
        needsCheckpoint = true
        record.removeAll()
    }

    /// Drains the changed alerts.
    mutating func drainAlerts(unmarking states: inout SymbolStates) -> [(symbolState: Int, alert: Int)] {
        defer { alerts = [] }
        if isWhole {
            for symbolState in states.indices {
                for alert in states[symbolState].alerts.indices { states.unmark(alert, of: symbolState) }
            }
        } else {
            for (symbolState, alert) in alerts { states.unmark(alert, of: symbolState) }
        }
        return alerts
    }

    /// Drains the record of the polls since the last call; nil if there was none.
    mutating func drainRecord() -> EngineRecord? {
        let taken = record.drain()
        byteCount += taken?.bytes.count ?? 0
        return taken
    }

    /// Starts a new log after a checkpoint.
    mutating func didCheckpoint(byteCount: Int) {
        isWhole = false
        needsCheckpoint = false
        record.removeAll()
        (pollCount, self.byteCount, checkpointByteCount) = (0, 0, byteCount)
    }
}
