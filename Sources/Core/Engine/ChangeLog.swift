internal import Market
internal import Time

/// What has changed since it was last asked for.
///
/// Each alert is listed once, and what polls change is written as a record at once, so that the log stays small when
/// nobody asks.
struct ChangeLog: Sendable {
    /// Whether everything counts as changed, as after a reload.
    var isWhole = true
    /// Whether the state of the symbols is to be given as a whole, since too many records were given.
    private(set) var needsCheckpoint = true
    /// The numbers of symbol states, and the places of their alerts.
    private(set) var alerts: [(symbolState: Int, alert: Int)] = []
    /// What changed in the state of symbols and the feed. Nothing is written while it is to be given as a whole.
    var record = StateRecordWriter()
    private var pollCount = 0
    private var byteCount = 0
    private var checkpointByteCount = 0

    /// A start replays the polls since the last checkpoint: 512 take about a millisecond.
    private static let pollLimit = 512
    /// Records take at most this many times the bytes of a checkpoint, or 64 KiB: 450 symbols with a window each have
    /// checkpoints of some 30 kB, and records of 200 bytes to 2 kB.
    private static let byteFactor = 4
    private static let leastByteLimit = 65_536

    /// Whether changes are written as records.
    var isRecording: Bool { !isWhole && !needsCheckpoint }

    mutating func note(_ alert: inout Alert, _ index: Int, of number: Int) {
        guard !isWhole, !alert.isChanged else { return }
        alert.isChanged = true
        alerts.append((number, index))
    }

    /// Notes what an input took from a response, unless it is what it took from the last one.
    ///
    /// - Parameters:
    ///   - price: what it took; nil for none.
    ///   - last: the last price that it took before.
    ///   - lastPoll: when the response before was received.
    ///   - place: the place of the input among those of its symbol.
    ///   - slot: the slot of the symbol.
    mutating func note(_ price: Price?, after last: PriceSample?, _ lastPoll: Instant?, input place: Int, slot: Int) {
        let tookLast = if let last, let lastPoll { last.time == lastPoll } else { false }
        guard let price else {
            if tookLast { record.noteNoPrice(input: place, slot: slot) }
            return
        }
        if tookLast, let last, last.price.mantissa == price.mantissa, last.price.scale == price.scale { return }
        record.notePrice(price, near: last?.price, input: place, slot: slot)
    }

    /// Notes that a poll is complete.
    mutating func endPoll() {
        guard isRecording else { return }
        record.endPoll()
        pollCount += 1
        let limit = max(Self.leastByteLimit, checkpointByteCount * Self.byteFactor)
        if pollCount >= Self.pollLimit || byteCount + record.count > limit { requireCheckpoint() }
    }

    /// Gives the state of the symbols as a whole next time.
    mutating func requireCheckpoint() {
        needsCheckpoint = true
        record.removeAll()
    }

    /// Hands over the alerts that were noted, and forgets them.
    mutating func takeAlerts(unmarking states: inout SymbolStates) -> [(symbolState: Int, alert: Int)] {
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

    /// Hands over the record of the polls since the last call; nil when there was none.
    mutating func takeRecord() -> EngineRecord? {
        let taken = record.take()
        byteCount += taken?.bytes.count ?? 0
        return taken
    }

    /// Begins a new log after a checkpoint.
    mutating func didCheckpoint(byteCount: Int) {
        isWhole = false
        needsCheckpoint = false
        record.removeAll()
        (pollCount, self.byteCount, checkpointByteCount) = (0, 0, byteCount)
    }
}
