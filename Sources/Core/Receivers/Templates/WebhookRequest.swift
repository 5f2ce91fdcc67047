/// The request of a webhook, as described in the settings. Without a ``body``, the request follows Standard Webhooks.
package struct WebhookRequest: Equatable, Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
        /// The body becomes the query of the address.
        case get = "GET"
    }

    /// A header in addition to those that every request has.
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
    /// The header that contains the credential unchanged. If nil, `Authorization` contains the credential with its
    /// scheme.
    package var credentialHeader: String?
    /// The statuses that mean success; empty for 200 to 299.
    package var accepted: Set<Int> = []
    /// A text that the response must contain to be a success; nil if the status is enough.
    package var acceptedText: String?
    /// The maximum size of a value in the body, in bytes.
    package var valueLimit = RequestTemplate.valueLimit
    /// Additional statuses that mean that the notification will never be accepted.
    package var refused: Set<Int> = []

    package static let standardContentType = "application/json"
    /// The maximum number of headers, more than any service needs.
    package static let limitHeaders = 20
    /// The maximum size of a header's value in bytes, before template values are inserted.
    package static let limitHeaderBytes = 500

    package init() {}

    /// The escaping of values in the body.
    package var escape: TemplateEscape { TemplateEscape(contentType: contentType) ?? .plain }

    /// Returns true if the settings must not set the header, because every request has it or because it may contain a
    /// secret.
    package static func isReserved(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("webhook-") || name.hasPrefix("proxy-")
            || [
                "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
                "cookie", "date", "expect", "host", "idempotency-key", "keep-alive", "te", "trailer",
                "transfer-encoding", "upgrade", "user-agent",
            ].contains(name)
    }

    /// Returns true if the text can be the name of a header: a token of RFC 9110 of at most 64 characters.
    package static func isHeaderName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}

extension Receiver {
    /// The maximum number of events in one request; nil for a text that summarizes any number of events.
    package var eventsPerRequest: Int? {
        guard let body = request.body, !body.usesEvents else { return kind.profile.eventsPerRequest }
        return nil
    }
}
