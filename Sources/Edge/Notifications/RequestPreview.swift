package import Events
internal import HTTP
package import JSON
internal import NATS
package import Receivers
internal import Text
package import Time

/// A request as it would be sent, for people. It is built without the secrets, so it cannot contain any.
package struct RequestPreview: Equatable, Sendable {
    /// The HTTP method, such as `POST`; `SMTP` for a mail, and `NATS` for a message to a stream.
    package var method: String
    package var address: String
    /// The header lines. For an HTTP request, they are sorted by name.
    package var headers: [String]
    package var body: String

    /// Returns the requests that would deliver these events to a receiver, usually one.
    ///
    /// - Throws: ``ReceiverFault`` if the address in the settings cannot be used.
    package static func previews(
        of receiver: Receiver, _ events: [Event], by composer: NotificationComposer, at now: WallTime
    ) throws(ReceiverFault) -> [RequestPreview] {
        guard let notification = composer.notification(of: events, for: receiver, at: now) else { return [] }
        let stand = PreviewSecrets(receiver)
        let target = ReceiverTarget(receiver, urls: stand.urls, credential: stand.credential)
        return try target.format().messages(for: notification).flatMap { message -> [RequestPreview] in
            switch message {
            case .request(let request): [stand.preview(request)]
            case .mail(let mail): [stand.preview(mail)]
            case .publication(let publication): publication.messages.map { stand.preview($0, publication) }
            }
        }
    }
}

/// Placeholders for the secrets of a receiver. The preview shows the names of the credentials in their place.
private struct PreviewSecrets {
    let urls: [String]
    let credential: String?
    private let shownURL: String?
    private let shownCredential: String?

    private static let url = "https://address.invalid/credential"
    /// A token that every type of receiver accepts.
    private static let token = "0:alertd-preview-token"
    private static let signingSecret = "whsec_" + Base64.text(of: [UInt8](repeating: 0, count: 32))
    /// Headers whose values are made from a secret.
    private static let secretHeaders: Set = ["authorization", "webhook-signature"]

    init(_ receiver: Receiver) {
        urls = receiver.urlCredential == nil ? receiver.urls : [Self.url]
        shownURL = receiver.urlCredential.map { "[credential \($0)]" }
        shownCredential = receiver.credential.map { "[credential \($0)]" }
        let isSigned = receiver.kind == .webhook && receiver.request.body == nil
        credential = receiver.credential.map { _ in isSigned ? Self.signingSecret : Self.token }
    }

    func preview(_ request: HTTPRequest) -> RequestPreview {
        let headers = request.headers.sorted { $0.key.lowercased() < $1.key.lowercased() }.map { name, value in
            let isSecret = Self.secretHeaders.contains(name.lowercased())
            return "\(name): \(isSecret ? shownCredential.map { "from \($0)" } ?? value : shown(value))"
        }
        return RequestPreview(
            method: request.method.rawValue, address: shown(request.address), headers: headers,
            body: shown(String(decoding: request.body, as: UTF8.self)))
    }

    func preview(_ mail: OutgoingMail) -> RequestPreview {
        let lines = ["MAIL FROM: \(mail.sender)"] + mail.recipients.map { "RCPT TO: \($0)" }
        return RequestPreview(
            method: "SMTP", address: mail.server.description,
            headers: lines, body: String(decoding: mail.content, as: UTF8.self).replacingAll("\r\n", with: "\n"))
    }

    func preview(_ message: NATSRequest, _ publication: NATSPublication) -> RequestPreview {
        let servers = publication.servers.map(\.description).joined(separator: ", ")
        return RequestPreview(
            method: "NATS", address: "\(servers) \(message.subject)",
            headers: message.headers.map { "\($0.name): \($0.value)" },
            body: String(decoding: message.payload, as: UTF8.self))
    }

    private func shown(_ text: String) -> String {
        let withoutURL = shownURL.map { text.replacingAll(Self.url, with: $0) } ?? text
        return shownCredential.map { withoutURL.replacingAll(Self.token, with: $0) } ?? withoutURL
    }
}

extension RequestPreview: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("method", method)
        writer.member("address", address)
        writer.member("headers", headers)
        writer.member("body", body)
        writer.endObject()
    }
}
