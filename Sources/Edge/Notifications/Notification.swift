package import Events
package import Market
package import Time

/// What a receiver is sent: one event or a group of them, with its texts.
package struct Notification: Equatable, Sendable {
    /// The identity that all attempts to deliver it share: `INSTANCE-NUMBER`, with the number of its last event.
    package var id: String
    /// The instance of alertd: 32 hexadecimal digits, made once for a state file.
    package var instance: String
    /// At least one, in the order of their numbers.
    package var events: [Event]
    /// One line.
    package var title: String
    /// The title of each event alone, in the order of ``events``.
    package var eventTitles: [String]
    /// Lines separated by newlines.
    package var body: String
    /// When it is sent.
    package var now: WallTime
    /// Where the prices of events come from that do not say so: `wazirx`.
    package var source: SourceName
    /// The service's name of the message that it replies to or changes; nil for none.
    package var repliesTo: String?
    /// The service's names of the earlier messages of which all alerts have ended, or were notified again, by now.
    package var endedMessages: [String] = []
    /// The recipients that do not have it yet; nil for all of them.
    package var remainingRecipients: [String]?
    /// By the places of the events: the severities that an alert was reported with and no longer has, for a receiver
    /// that tells alerts apart by them.
    package var formerSeverities: [Int: [Severity]] = [:]
    /// Whether it repeats what fires, for a receiver that may have forgotten it.
    package var isReminder = false

    package init(
        id: String, instance: String, events: [Event], title: String, eventTitles: [String] = [], body: String,
        now: WallTime, source: SourceName
    ) {
        self.id = id
        self.instance = instance
        self.events = events
        self.title = title
        self.eventTitles = eventTitles
        self.body = body
        self.now = now
        self.source = source
    }

    /// The highest severity of what has not ended by the last event; info when all of it has.
    package var severity: Severity {
        events.map(\.occurrence).open.map(\.severity).max { $0.isBelow($1) } ?? .info
    }

    /// Where the prices of all its events come from; nil if there are several sources.
    package var commonSource: SourceName? {
        let sources = Set(events.compactMap(\.occurrence.source))
        return sources.count > 1 ? nil : sources.first ?? source
    }

    /// Whether everything that its events report has ended.
    package var isEnd: Bool { events.map(\.occurrence).open.isEmpty }

    /// The time of the newest event.
    package var time: WallTime { events.map(\.occurrence.time).max() ?? now }
}

extension EventKind {
    /// Whether it ends what an earlier event reported.
    package var isEnd: Bool {
        switch self {
        case .resolved, .feedRecovered, .symbolReturned, .storeRecovered, .receiverRecovered, .converged: true
        case .fired, .repeated, .touched, .feedStale, .symbolFrozen, .symbolMissing, .rulesChanged, .storeFailed,
            .receiverFailed, .diverged, .test:
            false
        }
    }
}

extension Severity {
    fileprivate func isBelow(_ other: Severity) -> Bool {
        (Self.allCases.firstIndex(of: self) ?? 0) < (Self.allCases.firstIndex(of: other) ?? 0)
    }
}
