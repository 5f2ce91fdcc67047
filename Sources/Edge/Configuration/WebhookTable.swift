internal import Diagnostics
internal import Events
internal import Receivers

/// The keys of a `[[receiver]]` table that describe the request of a webhook.
struct WebhookTable {
    private let reader: TableReader
    private var context: FileContext { reader.context }

    private static let keys = ["body", "headers", "ok", "ok_text", "refused"] + keysOfBody
    /// The keys that control how `body` is sent.
    private static let keysOfBody = ["content_type", "method", "credential_header", "value_limit"]
    private static let statuses: ClosedRange<Int64> = 200...599
    private static let valueLimits = 16...Int64(RequestTemplate.valueLimit)
    private static let longestAcceptedText = 200

    init(_ reader: TableReader) { self.reader = reader }

    /// Reads the keys. For another type of receiver, each of them is an error.
    func readRequest(_ receiver: inout Receiver, of kind: ReceiverKind?) {
        guard let kind else { return }
        guard kind == .webhook else {
            for key in Self.keys {
                guard let node = reader.node(key) else { continue }
                context.error(
                    node.position, "`\(key)` is not used by \(kind.rawValue)",
                    advice: "remove the line, or write type = \"\(ReceiverKind.webhook.rawValue)\"")
            }
            return
        }
        if reader.node("body") == nil {
            for key in Self.keysOfBody {
                guard let node = reader.node(key) else { continue }
                context.error(
                    node.position, "`\(key)` is not used without `body`", advice: "remove the line, or add `body`")
            }
        }
        receiver.request = request(receiver.name)
    }

    private func request(_ name: String) -> WebhookRequest {
        var request = WebhookRequest()
        request.body = body()
        request.method = method() ?? .post
        request.contentType = contentType() ?? WebhookRequest.standardContentType
        request.headers = headers()
        request.credentialHeader = credentialHeader()
        request.accepted = statuses("ok")
        request.refused = statuses("refused")
        request.acceptedText = acceptedText()
        if let limit = reader.integer("value_limit", in: Self.valueLimits) { request.valueLimit = Int(limit) }
        for status in request.accepted.intersection(request.refused).sorted() {
            guard let node = reader.node("refused") else { continue }
            context.error(node.position, "\(status) is in both `ok` and `refused`", advice: "remove one of them")
        }
        if request.method == .get, request.escape != .form, let node = reader.node("method") {
            context.error(
                node.position, "a GET has `body` as its query, which is not \(request.contentType)",
                advice: "add content_type = \"application/x-www-form-urlencoded\", or use POST")
        }
        if request.escape == .json, let body = request.body { checkJSON(body, name) }
        return request
    }

    // MARK: Templates

    private func body() -> RequestTemplate? {
        guard let node = reader.node("body") else { return nil }
        guard case .string(let text) = node.value else {
            reader.wrongType("body", node, .text, advice: "write it between ''' and '''")
            return nil
        }
        guard !text.isEmpty else {
            context.error(node.position, "`body` is empty", advice: "give it a value, or remove the line")
            return nil
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0 != "\u{7F}" }
        guard isPlain else {
            context.error(node.position, "`body` contains a control character", advice: "remove it")
            return nil
        }
        return template(text, of: "body", at: node.position)
    }

    /// Parses a template. If it has a fault, reports the fault at its position and returns nil.
    private func template(_ text: String, of key: String, at position: TextPosition) -> RequestTemplate? {
        do throws(TemplateError) {
            return try RequestTemplate(text)
        } catch {
            var advice = error.advice
            if case .unknownName(let name) = error.fault {
                advice =
                    nearest(to: name, among: RequestTemplate.names).map { "did you mean {{\($0)}}?" }
                    ?? "WEBHOOK TEMPLATES in alertd.toml(5) lists all names"
            }
            context.error(
                place(of: error.offset, in: text, at: position), "`\(key)` \(visible(error.message))", advice: advice)
            return nil
        }
    }

    private func place(of offset: Int, in text: String, at position: TextPosition) -> TextPosition {
        var place = context.source(at: position).position(ofScalar: offset, of: text, writtenAt: position)
        place.file = position.file
        return place
    }

    /// Warns if the body is not valid JSON for a sample event. Only the first such event is reported.
    private func checkJSON(_ body: RequestTemplate, _ name: String) {
        guard let node = reader.node("body") else { return }
        let samples =
            EventKind.allCases.map { ("an event \($0.rawValue)", [SampleEvents.event($0)]) }
            + [("several events", SampleEvents.group())]
        for (subject, events) in samples {
            let rendered = body.rendered(with: .sample(events, receiver: name), .json)
            guard let fault = JSONSyntax.fault(in: rendered.bytes) else { continue }
            let offset = rendered.templateOffset(of: fault.offset)
            context.warning(
                place(of: offset, in: body.source, at: node.position),
                "`body` is not JSON for \(subject): \(fault.text)",
                advice: "'alertctl receivers preview' shows what is sent; or set `content_type`")
            return
        }
    }

    // MARK: Headers

    private func headers() -> [WebhookRequest.Header] {
        guard let node = reader.node("headers") else { return [] }
        guard case .table(let entries) = node.value else {
            reader.wrongType("headers", node, .textTable, advice: "write it like { X-Title = \"{{ title }}\" }")
            return []
        }
        guard entries.count <= WebhookRequest.limitHeaders else {
            context.error(
                node.position, "`headers` has more than \(WebhookRequest.limitHeaders) entries",
                advice: "remove some of them")
            return []
        }
        var names: Set<String> = []
        return entries.compactMap { entry in
            guard isHeader(entry.key, at: entry.keyPosition) else { return nil }
            guard names.insert(entry.key.lowercased()).inserted else {
                context.error(
                    entry.keyPosition, "the header \(entry.key) is there twice, as case does not matter",
                    advice: "remove one of them")
                return nil
            }
            guard case .string(let text) = entry.node.value else {
                context.error(
                    entry.node.position,
                    "the header \(entry.key) must be a string, but is \(entry.node.value.kindName)",
                    advice: "write it in quotes")
                return nil
            }
            guard let plain = reader.plain(text, of: entry.key, at: entry.node.position) else { return nil }
            guard text.utf8.count <= WebhookRequest.limitHeaderBytes else {
                context.error(
                    entry.node.position,
                    "the header \(entry.key) is longer than \(WebhookRequest.limitHeaderBytes) bytes",
                    advice: "use a shorter one")
                return nil
            }
            return template(plain.value, of: entry.key, at: entry.node.position).map {
                WebhookRequest.Header(name: entry.key, value: $0)
            }
        }.sorted { $0.name < $1.name }
    }

    /// Returns true if the settings may set the header; otherwise reports a finding.
    private func isHeader(_ name: String, at position: TextPosition) -> Bool {
        guard WebhookRequest.isHeaderName(name) else {
            context.error(
                position, "\"\(visible(name))\" is not the name of a header", advice: "use letters, digits and dashes")
            return false
        }
        if name.lowercased() == "content-type" {
            context.error(position, "the header \(name) is not set here", advice: "use `content_type`")
            return false
        }
        if looksSecret(name) || ["cookie", "authorization"].contains(name.lowercased()) {
            context.secretError(
                position, "the header \(name) looks like a secret; settings files must not contain secrets",
                advice: "write credential = \"NAME\" and credential_header = \"\(name)\"")
            return false
        }
        if WebhookRequest.isReserved(name) {
            context.error(position, "the header \(name) cannot be set", advice: "remove the line")
            return false
        }
        return true
    }

    private func credentialHeader() -> String? {
        guard let text = reader.text("credential_header", example: "\"X-Api-Key\"") else { return nil }
        let isOwn = text.value.lowercased() != "authorization" && WebhookRequest.isReserved(text.value)
        guard WebhookRequest.isHeaderName(text.value), !isOwn else {
            context.error(
                text.position, "`credential_header` is \"\(text.value)\"",
                advice: "write the name of a header, such as \"X-Api-Key\"")
            return nil
        }
        if reader.node("credential") == nil {
            context.error(
                text.position, "`credential_header` is set, but there is no `credential`",
                advice: "add the name of a systemd credential with the content of the header")
        }
        return text.value
    }

    // MARK: Other keys

    private func method() -> WebhookRequest.Method? {
        guard let node = reader.node("method") else { return nil }
        if case .string(let text) = node.value, WebhookRequest.Method(rawValue: text) == nil,
            let method = WebhookRequest.Method(rawValue: text.uppercased())
        {
            context.error(
                node.position, "`method` is \"\(text)\"", advice: "write it as \"\(method.rawValue)\"")
            return nil
        }
        return reader.choice("method", of: WebhookRequest.Method.self)
    }

    private func contentType() -> String? {
        guard let text = reader.text("content_type", example: "\"text/plain\"") else { return nil }
        let isVisible = text.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.value.utf8.count <= 100
        guard isVisible, TemplateEscape(contentType: text.value) != nil else {
            context.error(
                text.position, "`content_type` is \"\(text.value)\", in which values cannot be escaped",
                advice: "use application/json, application/x-www-form-urlencoded, text/plain, or a type of XML")
            return nil
        }
        return text.value
    }

    private func statuses(_ key: String) -> Set<Int> {
        guard let node = reader.node(key) else { return [] }
        let elements: [TOMLNode]
        if case .array(let list) = node.value { elements = list } else { elements = [node] }
        if elements.isEmpty {
            context.error(node.position, "`\(key)` is an empty list", advice: "write it like [200, 202]")
        }
        return Set(
            elements.compactMap { element -> Int? in
                guard case .integer(let status) = element.value else {
                    reader.wrongType(key, element, .integers, advice: "write it like [200, 202]")
                    return nil
                }
                guard Self.statuses.contains(status) else {
                    context.error(
                        element.position, "`\(key)` has \(status), which is not the status of an answer",
                        advice: "use numbers from 200 to 599")
                    return nil
                }
                return Int(status)
            })
    }

    private func acceptedText() -> String? {
        guard let text = reader.text("ok_text", example: "'\"errcode\":0'") else { return nil }
        guard text.value.utf8.count <= Self.longestAcceptedText else {
            context.error(
                text.position, "`ok_text` is longer than \(Self.longestAcceptedText) bytes",
                advice: "use a shorter one")
            return nil
        }
        return text.value
    }
}
