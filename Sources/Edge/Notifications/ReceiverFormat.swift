package import HTTP
package import Receivers
internal import Text
package import Time

/// The protocol of one type of receiver: pure functions from a notification to requests, and from a response to a
/// decision.
package protocol ReceiverFormat: Sendable {
    /// Returns the requests that deliver a notification, usually one. If there are several, each goes to a different
    /// server, and it is enough if one server accepts its request.
    func messages(for notification: Notification) -> [OutgoingMessage]

    /// Classifies a complete response.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision

    /// Classifies the reply to a mail.
    func decision(on reply: MailReply, to recipients: [String]) -> DeliveryDecision

    /// Returns requests that end the repetition of earlier messages. They are sent once the notification was
    /// accepted, and their responses are ignored. Returns nil for a service that does not repeat messages by itself.
    func cancellations(after notification: Notification) -> [OutgoingMessage]?

    /// Returns the message with these prices, or nil for a type of receiver that gets only events.
    func message(with prices: [PriceSeries]) -> OutgoingMessage?
}

extension ReceiverFormat {
    package func message(with prices: [PriceSeries]) -> OutgoingMessage? { nil }

    package func decision(on reply: MailReply, to recipients: [String]) -> DeliveryDecision {
        .refused("it does not take mail")
    }

    package func cancellations(after notification: Notification) -> [OutgoingMessage]? { nil }
}

/// A message to send.
package enum OutgoingMessage: Equatable, Sendable {
    case request(HTTPRequest)
    case mail(OutgoingMail)
    case publication(NATSPublication)
}

/// The result of an attempt to deliver a notification. Texts are for people and contain no secret.
package enum DeliveryDecision: Equatable, Sendable {
    /// The service accepted the notification. It may have asked for a pause before the next one, and may have
    /// returned the id of the message. `shortfall` says which recipients or servers will not get the message, and
    /// why.
    case delivered(pause: Milliseconds? = nil, message: String? = nil, shortfall: String? = nil)
    /// The service may accept the notification later. With `partial`, only the remaining recipients must still accept
    /// it.
    case retry(String, after: Milliseconds? = nil, partial: PartialDelivery? = nil)
    /// The service will never accept this notification.
    case refused(String)
    /// The service will accept nothing until its settings or credential change.
    case stopped(String)
}

/// A notification that some of its recipients may still accept.
package struct PartialDelivery: Equatable, Sendable {
    /// The recipients that have neither accepted nor permanently refused it.
    package var remaining: [String]
    /// True if a recipient has accepted it.
    package var isAccepted: Bool
    /// The recipients that permanently refused it, and why, or nil for none.
    package var shortfall: String?
}

/// A service's id of a message. The state file stores it as the detail of a delivery: `message 123`.
package enum MessageReference {
    private static let prefix = "message "

    package static func detail(of message: String) -> String { prefix + message }

    /// Returns the id in a detail, or nil if it has none.
    package static func message(in detail: String) -> String? {
        detail.hasPrefix(prefix) ? String(detail.dropFirst(prefix.count)) : nil
    }
}

/// The reason why a receiver cannot be used with its settings and credentials. The text contains no secret.
package struct ReceiverFault: Error, Equatable, Sendable {
    /// The fault, without a full stop.
    package var text: String
}

/// The addresses and the credential of a receiver.
package struct ReceiverTarget: Sendable, CustomReflectable {
    package var receiver: Receiver
    /// The addresses, from the settings or from the credential that contains the address.
    package var urls: [String]
    /// The secret, or nil without a credential.
    package var credential: String?

    package init(_ receiver: Receiver, urls: [String], credential: String? = nil) {
        self.receiver = receiver
        self.urls = urls
        self.credential = credential
    }

    /// The first address, without trailing slashes.
    var url: String { String((urls.first ?? "").reversed().drop { $0 == "/" }.reversed()) }

    package var customMirror: Mirror { Mirror(self, children: ["receiver": receiver.name]) }

    /// Returns a text from a server, or a note that it is not shown because it repeats part of a secret. An address
    /// counts as a secret wherever it comes from: the addresses of Slack and Discord are secrets.
    func redacted(_ text: String) -> String {
        SecretFragments(secrets: [credential].compactMap(\.self), addresses: urls).redacted(text)
    }
}

extension ReceiverTarget {
    /// Returns the format of the receiver's type. This is the only list of formats.
    ///
    /// - Throws: ``ReceiverFault`` if the credential or address cannot be used.
    package func format() throws(ReceiverFault) -> any ReceiverFormat {
        switch receiver.kind {
        case .webhook:
            if let body = receiver.request.body {
                try TemplatedWebhook(self, body)
            } else {
                try WebhookFormat(self)
            }
        case .ntfy: try NtfyFormat(self)
        case .gotify: try GotifyFormat(self)
        case .email: try EmailFormat(self)
        case .telegram: try TelegramFormat(self)
        case .matrix: try MatrixFormat(self)
        case .slack: SlackFormat(self)
        case .discord: DiscordFormat(self)
        case .pushover: try PushoverFormat(self)
        case .alertmanager: AlertmanagerFormat(self)
        case .nats: try NATSFormat(self)
        case .remoteWrite: RemoteWriteFormat(self)
        }
    }

    /// Returns the credential.
    ///
    /// - Throws: ``ReceiverFault`` if there is none.
    func requiredCredential() throws(ReceiverFault) -> String {
        guard let credential else { throw ReceiverFault(text: "the credential is missing") }
        return credential
    }

    /// The value of the `Authorization` header: `Bearer TOKEN`, or `Basic …` for `USER:PASSWORD`. Nil without a
    /// credential.
    var authorization: String? {
        credential.map { $0.contains(":") ? "Basic \(base64($0))" : "Bearer \($0)" }
    }
}
