package import Events
package import Time

/// State of a check that compares two prices. It has no clock.
///
/// Prices have diverged if they differ by more than allowed for some time, and have converged if they differ by less
/// for the same time. While they cannot be compared, nothing changes; after a gap the time starts over.
package struct DivergenceState: Equatable, Sendable {
    /// The event that a comparison causes.
    package struct Change: Equatable, Sendable {
        /// `diverged` or `converged`.
        package var kind: EventKind
        /// True if it is notified; otherwise it is only recorded.
        package var notified: Bool
        /// The reason why the event is suppressed or notified late; nil otherwise.
        package var reason: Reason?
        /// Number of the silence that suppresses it; nil if none does.
        package var silence: Int64?
    }

    /// A difference from the last reported state: when it began, and when it was last seen.
    private struct Drift: Equatable {
        var since: Instant
        var last: Instant
    }

    /// The last reported state.
    package private(set) var isDiverged = false
    private var drift: Drift?
    /// True if the current divergence was notified, and not only recorded.
    private var isNotified = false
    /// True if a notified divergence ended during a silence, so that its end is notified after the silence.
    private var isConvergencePending = false

    package init() {}

    /// The instant at which the prices began to contradict the last reported state; nil if they agree with it.
    package var changing: Instant? { drift?.since }

    /// Processes a comparison.
    ///
    /// - Parameters:
    ///   - isApart: true if the prices differ by more than allowed.
    ///   - now: the instant of receipt of the newer price.
    ///   - hold: how long a difference must persist to be reported.
    ///   - maximumGap: two comparisons further apart have a gap between them.
    ///   - silence: the number of a matching silence; nil if there is none.
    /// - Returns: the resulting event, if any.
    package mutating func observe(
        isApart: Bool, at now: Instant, hold: Milliseconds, maximumGap: Milliseconds, silence: Int64?
    ) -> Change? {
        if isApart == isDiverged {
            drift = nil
            return emitDeferred(silence)
        }
        let isGap = drift.map { now.boot.since($0.last.boot) > maximumGap } ?? true
        let since = isGap ? now : drift?.since ?? now
        drift = Drift(since: since, last: now)
        guard now.boot.since(since.boot) >= hold else { return emitDeferred(silence) }
        drift = nil
        isDiverged = isApart
        return isApart ? diverge(silence) : converge(silence)
    }

    private mutating func diverge(_ silence: Int64?) -> Change {
        isNotified = silence == nil
        if isNotified { isConvergencePending = false }
        return Change(
            kind: .diverged, notified: isNotified, reason: isNotified ? nil : .silenced, silence: silence)
    }

    private mutating func converge(_ silence: Int64?) -> Change {
        let isDue = isNotified || isConvergencePending
        isNotified = false
        isConvergencePending = isDue && silence != nil
        let notified = isDue && silence == nil
        let reason: Reason? = notified ? nil : isDue ? .silenced : .firedSuppressed
        return Change(kind: .converged, notified: notified, reason: reason, silence: isDue ? silence : nil)
    }

    /// Emits the event that a silence suppressed, once no silence matches.
    private mutating func emitDeferred(_ silence: Int64?) -> Change? {
        guard silence == nil else { return nil }
        if isDiverged, !isNotified {
            (isNotified, isConvergencePending) = (true, false)
            return Change(kind: .diverged, notified: true, reason: .silenced)
        }
        guard !isDiverged, isConvergencePending else { return nil }
        isConvergencePending = false
        return Change(kind: .converged, notified: true, reason: .silenced)
    }
}

// MARK: For the store

extension DivergenceState {
    /// The stored form, such as `diverged notified since=8000@1795271999000 last=9000@1795272000000`.
    package var encoded: String {
        var writer = StateTextWriter()
        writer.word(isDiverged ? "diverged" : "together")
        if isNotified { writer.word("notified") }
        if isConvergencePending { writer.word("owes_end") }
        writer.field("since", drift?.since)
        writer.field("last", drift?.last)
        return writer.text
    }

    /// Reads a stored state; nil if the text is not one that ``encoded`` can have written.
    ///
    /// - Parameters:
    ///   - text: the text written by ``encoded``.
    ///   - now: the current time.
    ///   - isSameBoot: true if the machine has not rebooted since.
    package init?(encoded text: String, now: Instant, isSameBoot: Bool) {
        guard var reader = StateTextReader(text, isKnown: ["since", "last"].contains),
            let name = reader.words.first, name == "diverged" || name == "together",
            Set(reader.words.dropFirst()).isSubset(of: ["notified", "owes_end"])
        else { return nil }
        isDiverged = name == "diverged"
        isNotified = reader.words.contains("notified")
        isConvergencePending = reader.words.contains("owes_end")
        let (since, last) = (reader.instant("since"), reader.instant("last"))
        if reader.isFaulty { return nil }
        switch (since, last) {
        case (nil, nil): return
        case (let since?, let last?) where since.boot <= last.boot:
            let clock = ClockTranslation(now: now, isSameBoot: isSameBoot, anchor: last)
            drift = Drift(since: clock.translated(since), last: clock.translated(last))
        default: return nil
        }
    }
}
