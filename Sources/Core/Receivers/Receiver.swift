package import Events
package import Market
package import Rules
package import Time

/// A receiver as declared in the settings: the destination of notifications, and the choice of notifications that it
/// gets.
package struct Receiver: Equatable, Sendable {
    /// Unique among the receivers, and different from the names of sinks.
    package var name: String
    package var kind: ReceiverKind
    /// The addresses of the service: several only if the type allows it, none if the address is a credential.
    package var urls: [String]
    /// The name of the credential with the address; nil if the address is in the settings.
    package var urlCredential: String?
    /// The name of the credential with the token, password or signing secret; nil for none.
    package var credential: String?
    /// The values of the keys that only some types have.
    package var values: [ReceiverProfile.Key: [String]]
    package var filter: ReceiverFilter
    /// Duration for which events are collected to be sent as one notification.
    package var group: Milliseconds
    /// Nil for no quiet hours.
    package var quiet: QuietHours?
    /// Maximum number of notifications per minute; nil for no limit.
    package var perMinute: Int?
    /// The age at which undelivered notifications are dropped.
    package var maximumAge: Milliseconds
    /// The user's title; nil to generate the title from the evidence.
    package var title: MessageTemplate?
    /// The text of its notifications; nil for the text of the events.
    package var message: MessageTemplate?
    /// The text of `repeated` events; nil for ``message``.
    package var messageRepeated: MessageTemplate?
    /// The text of `resolved` events; nil for ``message``.
    package var messageResolved: MessageTemplate?
    /// The name of the credential with the address of a proxy; nil for the daemon's proxy.
    package var proxyCredential: String?
    /// A file with certificate authorities that replace the system's.
    package var authorityFile: String?
    /// True if plain HTTP to another machine is allowed.
    package var allowsPlainHTTP: Bool
    /// The request of a webhook; the default request for other types.
    package var request = WebhookRequest()

    /// Creates a receiver with defaults for all other settings.
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
    /// Maximum number of receivers. Each may have a queue of ``NotificationQueue/limit`` events of 32 bytes, so 20
    /// take 6.4 MB.
    package static let limit = 20

    /// Returns the value of a key that this type has at most once; nil if it is not set.
    package func value(_ key: ReceiverProfile.Key) -> String? { values[key]?.first }

    /// Returns the user's text for an event; nil if it is generated.
    package func ownText(for event: Occurrence) -> String? {
        MessageTemplate.text(for: event, usual: message, repeated: messageRepeated, resolved: messageResolved)
    }
}

/// The filter for the notifications of a receiver. A nil criterion matches everything.
package struct ReceiverFilter: Equatable, Sendable {
    /// The minimum severity.
    package var severity: Severity?
    /// The names of rules; events without a rule do not match.
    package var rules: Set<String>?
    /// The markets. Events without a market always match, because they concern all markets.
    package var symbols: [SymbolPattern]?
    /// Nil for ``usualKinds``.
    package var kinds: Set<EventKind>?

    /// All events about prices and health. Users make changes of the settings themselves and need no notification.
    package static let usualKinds = Set(EventKind.allCases).subtracting([.rulesChanged])

    /// Creates a filter that matches everything except changes of the settings.
    package init() {}

    /// True if the event matches the filter. The filter does not apply if the event's rule names its receivers.
    package func matches(_ event: Occurrence) -> Bool {
        if let severity, event.severity.rank < severity.rank { return false }
        if let rules, !(event.rule.map(rules.contains) ?? false) { return false }
        guard accepts(event.kind) else { return false }
        guard let symbols, let symbol = event.symbol else { return true }
        return symbols.contains { $0.matches(symbol) }
    }

    func accepts(_ kind: EventKind) -> Bool { (kinds ?? Self.usualKinds).contains(kind) }
}

extension Severity {
    /// A number that increases with the severity.
    package var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
