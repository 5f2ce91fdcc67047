package import HTTP
package import Receivers
internal import Text
package import Time

/// How one type of receiver is spoken to: pure functions from a notification to requests, and from a response to a
/// decision.
package protocol ReceiverFormat: Sendable {
    /// The requests that deliver a notification; usually one. With several, each goes to another server, and one that
    /// accepts it is enough.
    func messages(for notification: Notification) -> [OutgoingMessage]

    /// What a complete response means.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision

    /// What the reply to a mail means.
    func decision(on reply: MailReply, to recipients: [String]) -> DeliveryDecision

    /// Requests that end the repetition of earlier messages, whatever the answers; sent once the notification was
    /// accepted. Nil for a service that does not repeat messages by itself.
    func cancellations(after notification: Notification) -> [OutgoingMessage]?

    /// What to send with prices; nil for a type of receiver that gets events only.
    func message(with prices: [PriceSeries]) -> OutgoingMessage?
}

extension ReceiverFormat {
    package func message(with prices: [PriceSeries]) -> OutgoingMessage? { nil }

    package func decision(on reply: MailReply, to recipients: [String]) -> DeliveryDecision {
        .refused("it does not take mail")
    }

    package func cancellations(after notification: Notification) -> [OutgoingMessage]? { nil }
}

/// What is sent.
package enum OutgoingMessage: Equatable, Sendable {
    case request(HTTPRequest)
    case mail(OutgoingMail)
    case publication(NATSPublication)
}

/// What an attempt to deliver a notification led to. Texts are for people and contain no secret.
package enum DeliveryDecision: Equatable, Sendable {
    /// It was accepted; the service wants a pause before the next one, and calls the message by a name. `shortfall`
    /// says which recipients will not get it, and why.
    case delivered(pause: Milliseconds? = nil, message: String? = nil, shortfall: String? = nil)
    /// It may be accepted later, by a part of the recipients if `partial` says so.
    case retry(String, after: Milliseconds? = nil, partial: PartialDelivery? = nil)
    /// The service will never accept this notification.
    case refused(String)
    /// The service will accept nothing until its settings or credential change.
    case stopped(String)
}

/// A notification that some of its recipients may still accept.
package struct PartialDelivery: Equatable, Sendable {
    /// The recipients that have neither accepted nor refused it for good.
    package var remaining: [String]
    /// Whether a recipient has accepted it.
    package var isAccepted: Bool
    /// Which recipients refused it for good, and why; nil for none.
    package var shortfall: String?
}

/// A service's own name of a message, as the detail of a delivery that the state file keeps: `message 123`.
package enum MessageReference {
    private static let prefix = "message "

    package static func detail(of message: String) -> String { prefix + message }

    /// The name in a detail; nil if it has none.
    package static func message(in detail: String) -> String? {
        detail.hasPrefix(prefix) ? String(detail.dropFirst(prefix.count)) : nil
    }
}

/// Why a receiver cannot be used with its settings and credentials. The text contains no secret.
package struct ReceiverFault: Error, Equatable, Sendable {
    /// What is wrong, without a full stop.
    package var text: String
}

/// Where a receiver sends, and what it proves its identity with.
package struct ReceiverTarget: Sendable, CustomReflectable {
    package var receiver: Receiver
    /// From the settings, or from the credential that has the address.
    package var urls: [String]
    /// A secret; nil without a credential.
    package var credential: String?

    package init(_ receiver: Receiver, urls: [String], credential: String? = nil) {
        self.receiver = receiver
        self.urls = urls
        self.credential = credential
    }

    /// The first address, without slashes at its end.
    var url: String { String((urls.first ?? "").reversed().drop { $0 == "/" }.reversed()) }

    package var customMirror: Mirror { Mirror(self, children: ["receiver": receiver.name]) }

    /// A text of a server, or that it is not shown because it repeats a part of a secret. An address may be one,
    /// wherever it comes from: those of Slack and Discord are.
    func redacted(_ text: String) -> String {
        let fragments = SecretFragments(secrets: [credential].compactMap(\.self), addresses: urls)
        return fragments.occur(in: text) ? "(not shown: it repeats a secret)" : text
    }
}

extension ReceiverTarget {
    /// The format of the receiver's type; the one list of formats.
    ///
    /// - Throws: ``ReceiverFault`` when the credential or address cannot be used.
    package func format() throws(ReceiverFault) -> any ReceiverFormat {
        switch receiver.kind {
        case .webhook: try WebhookFormat(self)
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

    /// The credential.
    ///
    /// - Throws: ``ReceiverFault`` if there is none.
    func requiredCredential() throws(ReceiverFault) -> String {
        guard let credential else { throw ReceiverFault(text: "the credential is missing") }
        return credential
    }

    /// `Bearer TOKEN`, or `Basic …` for `USER:PASSWORD`; nil without a credential.
    var authorization: String? {
        credential.map { $0.contains(":") ? "Basic \(base64($0))" : "Bearer \($0)" }
    }
}
