/// The request of a webhook as the settings describe it. Without a ``body``, it is that of Standard Webhooks.
package struct WebhookRequest: Equatable, Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
        /// The body becomes the query of the address.
        case get = "GET"
    }

    /// A header besides those that every request has.
    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: RequestTemplate

        package init(name: String, value: RequestTemplate) {
            (self.name, self.value) = (name, value)
        }
    }

    package var body: RequestTemplate?
    package var method = Method.post
    package var contentType = Self.standardContentType
    /// Sorted by name.
    package var headers: [Header] = []
    /// The header that has the credential as it is; `Authorization` with its scheme when nil.
    package var credentialHeader: String?
    /// The statuses that mean success; 200 to 299 when empty.
    package var accepted: Set<Int> = []
    /// A text that the answer to a success has to contain; nil for services whose status says it.
    package var acceptedText: String?
    /// The most bytes of a value in the body.
    package var valueLimit = RequestTemplate.valueLimit
    /// Statuses that mean that this notification will never be accepted, besides the usual ones.
    package var refused: Set<Int> = []

    package static let standardContentType = "application/json"
    /// More headers than any service asks for.
    package static let limitHeaders = 20
    /// The most bytes of a header's value, before values are inserted.
    package static let limitHeaderBytes = 500

    package init() {}

    /// How values are inserted into the body.
    package var escape: TemplateEscape { TemplateEscape(contentType: contentType) ?? .plain }

    /// Whether a header may be set: one that a request has anyway, or that has a secret, may not.
    package static func isReserved(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("webhook-") || name.hasPrefix("proxy-")
            || [
                "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
                "cookie", "date", "expect", "host", "idempotency-key", "keep-alive", "te", "trailer",
                "transfer-encoding", "upgrade", "user-agent",
            ].contains(name)
    }

    /// Whether a text can be the name of a header: a token of RFC 9110.
    package static func isHeaderName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}

extension Receiver {
    /// How many events one request carries; nil for a text that sums up any number.
    package var eventsPerRequest: Int? {
        guard let body = request.body, !body.usesEvents else { return kind.profile.eventsPerRequest }
        return nil
    }
}
