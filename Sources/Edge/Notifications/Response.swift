internal import HTTP
internal import JSON
internal import Time

extension HTTPResponse {
    /// Classifies a response by the usual meaning of its status. A fault of the content is final (RFC 9110, section
    /// 15.5). A wrong address or a redirect is not final, because a person can correct it while the queue is kept.
    func generalDecision(at now: WallTime, for target: ReceiverTarget) -> DeliveryDecision {
        let reason = reason(for: target)
        let wait = retryAfter(headers["retry-after"], now: now)
        switch status {
        case 200..<300: return .delivered()
        case 300..<400: return .retry("it answers with a redirect (\(status)), which is not followed", after: wait)
        case 401, 403: return .stopped("the credential was refused" + reason)
        case 404, 405: return .retry("nothing accepts notifications at this address" + reason, after: wait)
        case 400, 406, 410, 411, 413, 414, 415, 422: return .refused("the notification was refused" + reason)
        case 429: return .retry("it asks for fewer notifications" + reason, after: wait)
        case 400..<500: return .retry("the request was refused" + reason, after: wait)
        default: return .retry("the service is not available" + reason, after: wait)
        }
    }

    /// Returns ` (status 429): …`: the status, and the error in the body. If the body is not JSON, only a line of
    /// plain text is shown, as Slack sends it. A text that repeats part of a secret is not shown.
    func reason(for target: ReceiverTarget) -> String {
        // The part that is shown is shorter than this. It is cut last, so that no piece of a secret is left over.
        let text = String((errorText ?? plainLine ?? "").prefix(1_000))
        let shown = printable(target.redacted(text), limit: 120)
        return shown.isEmpty ? " (status \(status))" : " (status \(status)): \(shown)"
    }

    /// The text of the JSON member that services use for an error, or nil if the body is not JSON.
    private var errorText: String? {
        guard let json else { return nil }
        let members = [
            json.value("description"), json.value("errorDescription"), json.value("error"), json.value("message"),
            json.value("detail"), json.value("errors"), json.value("title"), json.value("errmsg"),
        ]
        let texts = members.compactMap { member -> String? in
            guard let member else { return nil }
            if let text = try? member.string() { return text }
            return (try? member.array(of: String.self))?.first
        }
        return texts.first { !$0.isEmpty } ?? ""
    }

    private var plainLine: String? {
        guard (1...200).contains(body.count) else { return nil }
        let isPlain = body.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
        let line = String(decoding: body, as: UTF8.self)
        return isPlain && !line.contains("<") ? line : nil
    }

    /// The body as JSON, or nil if it is something else. Responses of services are smaller than a kilobyte.
    var json: JSONDocument? { try? JSONDocument(body, limit: 64 << 10) }
}

/// Returns the start of a text, with spaces in place of characters that are not printable ASCII.
private func printable(_ text: String, limit: Int) -> String {
    let plain = text.unicodeScalars.prefix(400).map { (0x20...0x7E).contains($0.value) ? Character($0) : " " }
    return String(String(plain).split(separator: " ").joined(separator: " ").prefix(limit))
}

extension JSONDocument {
    /// Returns the value at a path of object members, or nil if there is none.
    func value(_ path: StaticString...) -> JSONValue? {
        var value = root
        for key in path {
            guard var object = try? value.object(), let member = object.member(key) else { return nil }
            value = member
        }
        return value
    }
}

extension JSONValue {
    /// The number of seconds, rounded up to whole milliseconds, or nil if it is not a number or out of range.
    var seconds: Milliseconds? {
        guard let text = try? numberText(), let number = Double(text), number >= 0, number < 1e9 else { return nil }
        return Milliseconds(Int64((number * 1_000).rounded(.up)))
    }
}
