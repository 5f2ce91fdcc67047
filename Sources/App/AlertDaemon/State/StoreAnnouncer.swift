internal import Events
internal import Market
internal import Storage
internal import Time

/// Finds the words for what happens to the store: each trouble is notified once, and its end once.
struct StoreAnnouncer {
    /// How many events were saved when the last trouble ended.
    var savedCount = 0
    /// How many events had to be given up since the trouble began.
    var lostCount = 0
    /// What was said of files that were set aside, and is not notified yet.
    var setAside: [String] = []
    /// Since when there is the trouble that was notified; nil when its end was notified as well.
    private var notified: Instant?

    /// - Parameters:
    ///   - error: what is wrong now; nil when nothing is.
    ///   - since: since when.
    ///   - now: the present.
    /// - Returns: what is to be notified now; nil when there is nothing more.
    mutating func next(_ error: StorageError?, since: Instant?, at now: Instant) -> Occurrence? {
        switch (error, notified) {
        case (let error?, nil):
            notified = since ?? now
            return failed("state cannot be saved, alerts are notified all the same: \(error)", at: now)
        case (nil, nil) where !setAside.isEmpty:
            notified = now
            return failed(takeSetAside(), at: now)
        case (nil, let notified?):
            self.notified = nil
            return recovered(after: now.boot.since(notified.boot), at: now)
        default: return nil
        }
    }

    private mutating func takeSetAside() -> String {
        defer { setAside = [] }
        return setAside.joined(separator: "; ")
    }

    private func failed(_ text: String, at now: Instant) -> Occurrence {
        Occurrence(time: now.wall, kind: .storeFailed, severity: .warning, text: text)
    }

    private mutating func recovered(after length: Milliseconds, at now: Instant) -> Occurrence {
        let events = savedCount == 1 ? "1 event" : "\(savedCount) events"
        var text = "state is saved again after \(length.approximate), with \(events) of that time"
        if lostCount > 0 { text += "; \(lostCount) were too many to be kept" }
        if !setAside.isEmpty { text += "; \(takeSetAside())" }
        (savedCount, lostCount) = (0, 0)
        return Occurrence(time: now.wall, kind: .storeRecovered, severity: .info, text: text)
    }
}
