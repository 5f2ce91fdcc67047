internal import Control
internal import Events
internal import HTTP
internal import JSON
internal import Market
internal import NATS
internal import Receivers
internal import Time

/// The format of NATS JetStream (docs.nats.io, nats-concepts/jetstream/streams): each event is a message on
/// `PREFIX.SOURCE.SYMBOL`, with the same JSON as on the event socket. `Nats-Msg-Id` lets the stream drop a second
/// copy within its duplicate window.
struct NATSFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let servers: [NATSServer]

    /// The placeholder in the subject of an event that has no source or no symbol.
    private static let none = "_"

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        let servers = target.urls.compactMap { NATSServer($0) }
        guard servers.count == target.urls.count, !servers.isEmpty else {
            throw ReceiverFault(text: "the address is not one of a NATS server")
        }
        self.target = target
        self.servers = servers
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let prefix = target.receiver.value(.subject) ?? Receiver.standardSubject
        let messages = notification.events.map { event in
            let what = event.occurrence
            let (source, symbol) = (what.source?.description ?? Self.none, what.symbol?.description ?? Self.none)
            return NATSRequest(
                "\(prefix).\(source).\(symbol)",
                headers: [("Nats-Msg-Id", "\(notification.instance)-\(event.number)")],
                payload: JSONWriter.text(of: EventRecord(event)))
        }
        return [.publication(NATSPublication(servers: servers, credential: target.credential, messages: messages))]
    }

    /// Classifies a response. Faults of the stream or the login are not final, because a person can correct them
    /// while the queue is kept.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        let reason = response.reason(for: target)
        return switch response.status {
        case 200: .delivered(message: String(decoding: response.body, as: UTF8.self))
        case 401: .stopped("the login was refused" + reason)
        case 503: .retry("no stream takes the subject; is there a JetStream stream for it?")
        default: .retry("the stream did not take it" + reason)
        }
    }
}
