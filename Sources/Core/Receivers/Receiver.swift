package import Events
package import Market
package import Rules
package import Time

/// The hours in which a receiver gets critical events only.
package typealias QuietHours = DailyHours

/// A receiver as declared in the settings: where notifications go, which of them, and when.
package struct Receiver: Equatable, Sendable {
    /// Unique among the receivers, and different from the names of sinks.
    package var name: String
    package var kind: ReceiverKind
    /// Where notifications go; several only where the type allows it, none if the address is a credential.
    package var urls: [String]
    /// The name of the credential with the address; nil if it is in the settings.
    package var urlCredential: String?
    /// The name of the credential with the token, password or signing secret; nil without one.
    package var credential: String?
    /// The values of keys that only this type has.
    package var values: [ReceiverProfile.Key: [String]]
    package var filter: ReceiverFilter
    /// How long events are collected before they are sent as one notification.
    package var group: Milliseconds
    /// Nil for none.
    package var quiet: QuietHours?
    /// The most notifications in a minute; nil for no limit.
    package var perMinute: Int?
    /// Notifications that could not be delivered for this long are dropped.
    package var maximumAge: Milliseconds
    /// The user's own title and text; made from the evidence when nil.
    package var title: MessageTemplate?
    /// The text of its notifications; nil for that of the events.
    package var message: MessageTemplate?
    /// The text of a `resolved`; ``message`` when nil.
    package var messageResolved: MessageTemplate?
    /// The name of the credential with the address of a proxy; nil for the daemon's own.
    package var proxyCredential: String?
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?
    /// Whether plain http to another machine is allowed.
    package var allowsPlainHTTP: Bool

    /// A receiver with the defaults of everything that is not given.
    package init(name: String, kind: ReceiverKind, urls: [String] = []) {
        self.name = name
        self.kind = kind
        self.urls = urls
        values = [:]
        filter = ReceiverFilter()
        group = .zero
        perMinute = kind.profile.perMinute
        maximumAge = Self.standardAge
        allowsPlainHTTP = false
    }

    /// The default of `max_age`.
    package static let standardAge = Milliseconds.seconds(6 * 3_600)
    /// The default of `subject`.
    package static let standardSubject = "alertd.events"
    /// The default of `instance`.
    package static let standardInstance = "alertd"
    /// The most receivers: each may have a queue of ``NotificationQueue/limit`` numbers, so that 20 take 1.6 MB.
    package static let limit = 20

    /// The value of a key that this type has once; nil if it was not given.
    package func value(_ key: ReceiverProfile.Key) -> String? { values[key]?.first }

    /// The user's text for an event; nil if it is generated.
    package func ownText(for event: Occurrence) -> String? {
        MessageTemplate.text(for: event, usual: message, resolved: messageResolved)
    }
}

/// Which notifications a receiver gets. What is nil matches everything.
package struct ReceiverFilter: Equatable, Sendable {
    /// The least severity.
    package var severity: Severity?
    /// The names of rules; events without a rule then do not match.
    package var rules: Set<String>?
    /// The markets; events without a market always match, as they concern every market.
    package var symbols: [SymbolPattern]?
    /// Nil for ``usualKinds``.
    package var kinds: Set<EventKind>?

    /// What concerns prices and health. Changes of the settings are made by the user, who need not be notified.
    package static let usualKinds = Set(EventKind.allCases).subtracting([.rulesChanged])

    /// Matches everything but changes of the settings.
    package init() {}

    /// Whether the event is for a receiver with this filter, if its rule does not name its receivers.
    package func matches(_ event: Occurrence) -> Bool {
        if let severity, event.severity.rank < severity.rank { return false }
        if let rules, !(event.rule.map(rules.contains) ?? false) { return false }
        guard takes(event.kind) else { return false }
        guard let symbols, let symbol = event.symbol else { return true }
        return symbols.contains { $0.matches(symbol) }
    }

    func takes(_ kind: EventKind) -> Bool { (kinds ?? Self.usualKinds).contains(kind) }
}

extension Severity {
    /// Greater for what is more severe.
    package var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
