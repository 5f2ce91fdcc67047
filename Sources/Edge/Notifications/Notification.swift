package import Events
package import Market
package import Time

/// A notification for a receiver: one event or a group of events, with its texts.
package struct Notification: Equatable, Sendable {
    /// The id that all attempts to deliver the notification share: `INSTANCE-NUMBER`, with the number of its last
    /// event. The events of a reminder have no number, so its id is `INSTANCE-0`, or empty without events.
    package var id: String
    /// The instance of alertd: 32 hexadecimal digits, generated once for a state file.
    package var instance: String
    /// The events, ordered by number. Only a reminder may have none.
    package var events: [Event]
    /// The title, on one line.
    package var title: String
    /// The title of each event alone, in the order of ``events``.
    package var eventTitles: [String]
    /// The text: lines separated by newlines.
    package var body: String
    /// The time at which the notification is sent.
    package var now: WallTime
    /// The source of the prices of events that name no source: `wazirx`.
    package var source: SourceName
    /// The service's id of the message that this one replies to or replaces, or nil for none.
    package var repliesTo: String?
    /// The service's ids of earlier messages whose alerts have all ended or been notified again by now.
    package var endedMessages: [String] = []
    /// The recipients that have not received the notification yet, or nil for all recipients.
    package var remainingRecipients: [String]?
    /// Severities that an alert was reported with and no longer has, by the index of its event. They are for a
    /// receiver that distinguishes alerts by severity.
    package var formerSeverities: [Int: [Severity]] = [:]
    /// True for a reminder: it repeats firing alerts to a receiver that may have forgotten them.
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

    /// The highest severity of the alerts and reports that are open after the last event, or info if none are.
    package var severity: Severity {
        events.map(\.occurrence).open.map(\.severity).max { $0.isBelow($1) } ?? .info
    }

    /// The source of the prices of all events, or nil if there are several sources.
    package var commonSource: SourceName? {
        let sources = Set(events.compactMap(\.occurrence.source))
        return sources.count > 1 ? nil : sources.first ?? source
    }

    /// True if everything that the events report has ended.
    package var isEnd: Bool { events.map(\.occurrence).open.isEmpty }

    /// The time of the newest event.
    package var time: WallTime { events.map(\.occurrence.time).max() ?? now }
}

extension EventKind {
    /// True if an event of this kind ends the alert or report of an earlier event.
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
