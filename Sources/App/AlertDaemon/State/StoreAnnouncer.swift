internal import Events
internal import Market
internal import Storage
internal import Time

/// The rule for events about the store: the beginning and the end of each failure are reported once each.
struct StoreAnnouncer {
    /// The number of events that were saved when the last failure ended.
    var savedCount = 0
    /// The number of events that were lost since the failure began.
    var lostCount = 0
    /// Messages about files that were set aside, not reported yet.
    var setAside: [String] = []
    /// The beginning of the reported failure; nil once its end has been reported too.
    private var notified: Instant?

    /// True if there is something to report while nothing fails.
    var isWaiting: Bool { notified != nil || !setAside.isEmpty }

    /// - Parameters:
    ///   - error: the current failure; nil if there is none.
    ///   - since: the time when it began.
    ///   - now: the current time.
    /// - Returns: the event that is due; nil if there is none.
    mutating func next(_ error: StorageError?, since: Instant?, at now: Instant) -> Occurrence? {
        switch (error, notified) {
        case (let error?, nil):
            notified = since ?? now
            return failed("state cannot be saved; alerts are still sent: \(error)", at: now)
        case (nil, nil) where !setAside.isEmpty:
            notified = now
            return failed(drainSetAside(), at: now)
        case (nil, let notified?):
            self.notified = nil
            return recovered(after: now.boot.since(notified.boot), at: now)
        default: return nil
        }
    }

    private mutating func drainSetAside() -> String {
        defer { setAside = [] }
        return setAside.joined(separator: "; ")
    }

    private func failed(_ text: String, at now: Instant) -> Occurrence {
        Occurrence(time: now.wall, kind: .storeFailed, severity: .warning, text: text)
    }

    private mutating func recovered(after length: Milliseconds, at now: Instant) -> Occurrence {
        let events = savedCount == 1 ? "1 event" : "\(savedCount) events"
        var text = "state is saved again after \(length.approximate), including \(events) from that time"
        if lostCount > 0 { text += "; \(lostCount) more were lost" }
        if !setAside.isEmpty { text += "; \(drainSetAside())" }
        (savedCount, lostCount) = (0, 0)
        return Occurrence(time: now.wall, kind: .storeRecovered, severity: .info, text: text)
    }
}
