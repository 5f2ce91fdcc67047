internal import Events
internal import HTTP
internal import Receivers
internal import Text
internal import Time

/// The format of a webhook whose body is a template from the settings.
struct TemplatedWebhook: ReceiverFormat {
    private let target: ReceiverTarget
    private let body: RequestTemplate
    /// Nil if the credential is not a signing secret.
    private let signer: WebhookSigner?

    init(_ target: ReceiverTarget, _ body: RequestTemplate) throws(ReceiverFault) {
        self.target = target
        self.body = body
        let credential = target.credential ?? ""
        signer =
            credential.hasPrefix(WebhookSigner.prefix) && target.receiver.request.credentialHeader == nil
            ? try WebhookSigner(credential) : nil
        guard credential.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else {
            throw ReceiverFault(text: "the credential has characters that a header cannot have")
        }
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let request = target.receiver.request
        let data = notification.templateData(for: target.receiver)
        let text = body.rendered(with: data, request.escape, limit: request.valueLimit).bytes
        var headers = request.ownHeaders(for: notification, target.receiver)
        headers["Idempotency-Key"] = "\"\(notification.id)\""
        if let signer {
            headers.merge(signer.headers(for: notification, text)) { $1 }
        } else if let credential = target.credential {
            let header = request.credentialHeader
            headers[header ?? "Authorization"] = header == nil ? target.authorization : credential
        }
        let address = target.urls.first ?? ""
        switch request.method {
        case .get:
            let isQuery = address.utf8.contains(UInt8(ascii: "?"))
            // Values are escaped, but the text of the template may have characters that an address cannot.
            let query = String(decoding: text.filter { $0 > 0x1F }, as: UTF8.self).replacingAll(" ", with: "%20")
                .replacingAll("#", with: "%23")
            let whole = query.isEmpty ? address : "\(address)\(isQuery ? "&" : "?")\(query)"
            return [.request(HTTPRequest(.get, whole, headers: headers, body: []))]
        case .post, .put:
            headers["Content-Type"] = request.contentType
            let method: HTTPRequest.Method = request.method == .put ? .put : .post
            return [.request(HTTPRequest(method, address, headers: headers, body: text))]
        }
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        target.receiver.request.decision(on: response, at: now, for: target)
    }
}

extension WebhookRequest {
    /// Returns the headers that the settings add.
    func ownHeaders(for notification: Notification, _ receiver: Receiver) -> [String: String] {
        guard !headers.isEmpty else { return [:] }
        let data = notification.templateData(for: receiver)
        return Dictionary(
            headers.map {
                ($0.name, TextLimit.bytes(Self.longestHeader).cut($0.value.rendered(with: data, .line).text))
            }
        ) { first, _ in first }
    }

    /// The maximum length of a header value in bytes. Servers accept 8 kB for all headers together.
    private static let longestHeader = 1_000

    /// Classifies a response by the statuses in the settings, or else like any other webhook.
    func decision(on response: HTTPResponse, at now: WallTime, for target: ReceiverTarget) -> DeliveryDecision {
        let reason = response.reason(for: target)
        if refused.contains(response.status) { return .refused("the notification was refused" + reason) }
        let general = response.generalDecision(at: now, for: target)
        let isAccepted = accepted.isEmpty ? general.isDelivered : accepted.contains(response.status)
        guard isAccepted else {
            return general.isDelivered ? .retry("this status is not one of `ok`" + reason) : general
        }
        guard let acceptedText, !String(decoding: response.body, as: UTF8.self).includes(acceptedText) else {
            return .delivered()
        }
        return .retry("the answer does not contain `ok_text`" + reason)
    }
}

extension Notification {
    /// Returns the values for the templates of a receiver.
    func templateData(for receiver: Receiver) -> TemplateData {
        let entries = events.enumerated().map { index, event in
            let occurrence = event.occurrence
            let texts = TemplateData.Texts(
                title: eventTitles.indices.contains(index) ? eventTitles[index] : title,
                text: receiver.ownText(for: occurrence) ?? occurrence.text,
                market: occurrence.marketName(withSource: false))
            return (event: event, texts: texts, isEnd: occurrence.kind.isEnd)
        }
        return TemplateData(
            entries,
            TemplateData.Summary(
                id: id, instance: instance, receiver: receiver.name, title: title, text: body, severity: severity,
                isEnd: isEnd, time: time, now: now))
    }
}
