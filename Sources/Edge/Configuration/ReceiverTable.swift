internal import Diagnostics
internal import Events
internal import Market
internal import Receivers
internal import Rules
internal import Time

/// One `[[receiver]]` table: its keys, their documentation and their limits.
struct ReceiverTable {
    let reader: TableReader
    let begin: TextPosition

    static let reference: [SettingsReference.Row] = [
        ("name", .text, nil, "The name of the receiver; must be unique"),
        ("type", .text, nil, "The type of receiver; RECEIVERS lists all types and what each needs"),
        (
            "url", .text, "that of the service for \(types(\.hasStandardAddress)), required for others",
            "The address; for ntfy with the topic at its end, for email smtp:// or smtps://, for nats nats:// or tls://"
        ),
        (
            "urls", .texts, "none",
            "The addresses of several servers; alertmanager sends to each, nats to the first that answers"
        ),
        (
            "url_credential", .text, "none, required for \(types { $0.address == .secretAddress })",
            "Name of the systemd credential with the address, if that is a secret"
        ),
        (
            "credential", .text, "none, required for \(types(\.requiresCredential))",
            "Name of the systemd credential with the token, password or signing secret"
        ),
        ("proxy_credential", .text, "that of alertd", "Name of the systemd credential with the address of a proxy"),
        ("from", .text, required(.from), "The address of the sender; for email"),
        ("to", .texts, required(.to), "The addresses of the recipients; for email"),
        ("user", .text, required(.user), "The user name for email, or the user key for pushover"),
        ("chat", .text, required(.chat), "The id of the chat, or the @name of a channel; for telegram"),
        (
            "message_thread_id", .integer, "the general topic",
            "The id of a topic in a group; for telegram. It is the last number of a link to the topic"
        ),
        ("room", .text, required(.room), "The id of the room, such as !abc:example.org; for matrix"),
        ("subject", .text, "\(Receiver.standardSubject)", "The prefix of the subjects of events; for nats"),
        ("instance", .text, "\(Receiver.standardInstance)", "The label `instance` of prices; for remote_write"),
        (
            "body", .text, "that of Standard Webhooks",
            "What is sent, with tags such as {{ text }}; for webhook. WEBHOOK TEMPLATES lists the names"
        ),
        (
            "content_type", .text, "\"\(WebhookRequest.standardContentType)\"",
            "The type of `body`, which decides how values are escaped; for webhook"
        ),
        (
            "method", .text, "\"\(WebhookRequest.Method.post.rawValue)\"",
            "The method of the request: POST, PUT, or GET with `body` as its query; for webhook"
        ),
        (
            "headers", .textTable, "none",
            "More headers, such as { X-Title = \"{{ title }}\" }; for webhook. No secrets"
        ),
        (
            "credential_header", .text, "Authorization, with Bearer or Basic",
            "The header that has the credential of a webhook with `body`"
        ),
        (
            "value_limit", .integer, "4096",
            "The most bytes of a value that is inserted into `body`, 16 to 4096; longer ones are cut"
        ),
        ("ok", .integers, "any from 200 to 299", "The statuses of an answer that mean success; for webhook"),
        ("ok_text", .text, "none", "A text that the answer to a success contains; for webhook"),
        (
            "refused", .integers, "none",
            "More statuses with which a notification is dropped, because it will never be accepted; for webhook"
        ),
        ("severity", .text, "any", "The lowest severity that it receives: info, warning or critical"),
        ("rules", .texts, "any", "Only events of these rules"),
        (
            "symbols", .texts, "any",
            "Only events of these symbols, exact or patterns, and events without one; for remote_write their prices"
        ),
        (
            "kinds", .texts, "all but rules_changed",
            "Only these kinds of events, such as fired; \"all\" for every kind, including changes of the settings"
        ),
        ("group", .duration, "\"0s\"", "How long events are collected into one notification, at most 1h"),
        (
            "quiet", .text, "never",
            "Hours in which only critical events are sent: 23:00-07:00, or 22:00-07:00 mon-fri Europe/Stockholm"
        ),
        ("per_minute", .integer, "depends on the type", "Maximum number of notifications in a minute, 1 to 600"),
        (
            "max_age", .duration, "\"6h\"",
            "Notifications that cannot be delivered for this long are dropped, 1m to 7d; `quiet` hours do not count"
        ),
        ("title", .text, "generated from the evidence", "The title, with placeholders such as {symbol}"),
        ("message", .text, "generated from the evidence", "The text, with placeholders such as {price}"),
        (
            "message_repeated", .text, "that of `message`",
            "The text when an alert is notified again, with the same placeholders"
        ),
        ("message_resolved", .text, "that of `message`", "The text when an alert resolves, with the same placeholders"),
        (
            "ca_file", .text, "the system's certificate authorities",
            "Absolute path of a file with the certificate authorities to trust"
        ),
        ("allow_http", .boolean, "false", "Whether to allow unencrypted http to another machine"),
    ]

    private static let longestGroup = Milliseconds.seconds(3_600)
    private static let ages = Milliseconds.seconds(60)...Milliseconds.seconds(7 * 86_400)
    private static let longestTemplate = 500
    private static let allKinds = "all"
    /// Names of sinks, which receivers must not have because drills address both by name.
    private static let reservedNames = ["socket"] + SinkSettings.reference.map(\.name)

    init(_ reader: TableReader, begin: TextPosition) {
        self.reader = reader
        self.begin = begin
    }

    var context: FileContext { reader.context }

    /// Reads the receiver. If something required is missing or faulty, reports a finding and returns nil.
    func receiver() -> Receiver? {
        let name = name()
        let kind = kind()
        var receiver = Receiver(name: name ?? "", kind: kind ?? .webhook)
        readAddress(&receiver, of: kind)
        readCredentials(&receiver, of: kind)
        readValues(&receiver, of: kind)
        WebhookTable(reader).readRequest(&receiver, of: kind)
        readFilter(&receiver.filter)
        readTimes(&receiver)
        if let kind, kind.profile.sendsPrices { checkPrices(kind) }
        receiver.title = template("title")
        receiver.message = template("message")
        receiver.messageRepeated = template("message_repeated")
        receiver.messageResolved = template("message_resolved")
        receiver.authorityFile = reader.authorityFile()
        return name == nil || kind == nil ? nil : receiver
    }

    private func name() -> String? {
        guard let text = reader.text("name", example: "\"phone\"") else {
            if reader.node("name") == nil {
                context.error(begin, "the receiver has no `name`", advice: "add one, such as name = \"phone\"")
            }
            return nil
        }
        guard isPlainName(text.value) else {
            context.error(
                text.position, "`name` is \"\(text.value)\"",
                advice: "use at most 64 letters, digits, dots, dashes and underscores")
            return nil
        }
        guard !Self.reservedNames.contains(text.value) else {
            context.error(
                text.position, "`name` is \"\(text.value)\", which is the name of a sink", advice: "use another name")
            return nil
        }
        return text.value
    }

    private func kind() -> ReceiverKind? {
        if reader.node("type") == nil {
            context.error(begin, "the receiver has no `type`", advice: "use one of: \(ReceiverKind.names)")
        }
        return reader.choice("type", of: ReceiverKind.self)
    }

    private func readFilter(_ filter: inout ReceiverFilter) {
        filter.severity = reader.choice("severity", of: Severity.self)
        filter.rules = reader.texts("rules", example: "[\"btc band\"]").map { Set($0.map(\.value)) }
        filter.symbols = reader.patterns("symbols")
        filter.kinds = reader.texts("kinds", example: "[\"fired\", \"resolved\"]").map { kinds($0) }
    }

    /// Reports keys that apply to events, for a receiver that gets prices.
    private func checkPrices(_ kind: ReceiverKind) {
        for key in [
            "severity", "rules", "kinds", "group", "quiet", "per_minute", "title", "message", "message_repeated",
            "message_resolved",
        ] {
            guard let node = reader.node(key) else { continue }
            context.error(
                node.position, "`\(key)` is not used by \(kind.rawValue), which sends prices", advice: "remove the line"
            )
        }
    }

    private func kinds(_ texts: [Located<String>]) -> Set<EventKind> {
        let names = EventKind.allCases.map(\.rawValue) + [Self.allKinds]
        return Set(
            texts.flatMap { text -> [EventKind] in
                if text.value == Self.allKinds { return EventKind.allCases }
                if let kind = EventKind(rawValue: text.value) { return [kind] }
                let guess = nearest(to: text.value.lowercased(), among: names).map { "did you mean \"\($0)\"?" }
                context.error(
                    text.position, "\"\(text.value)\" is not a kind of event",
                    advice: guess ?? "use one of: \(names.joined(separator: ", "))")
                return []
            })
    }

    private func readTimes(_ receiver: inout Receiver) {
        if let group = reader.duration("group") {
            receiver.group = group.value
            if group.value > Self.longestGroup {
                context.error(
                    group.position, "`group` is \(group.value), which is too long", advice: "use at most \"1h\"")
            }
        }
        if let age = reader.duration("max_age") {
            receiver.maximumAge = age.value
            if !Self.ages.contains(age.value) {
                context.error(age.position, "`max_age` is \(age.value)", advice: "use a time from \"1m\" to \"7d\"")
            }
        }
        if let count = reader.integer("per_minute", in: 1...600) { receiver.perMinute = Int(count) }
        guard let quiet = reader.text("quiet", example: "\"23:00-07:00\"") else { return }
        receiver.quiet = QuietHours(quiet.value)
        if receiver.quiet == nil {
            context.error(
                quiet.position, "`quiet` is \"\(quiet.value)\", which is not a range of hours",
                advice: "write it like \"23:00-07:00\", or \"22:00-07:00 mon-fri Europe/Stockholm\"")
        }
    }

    /// Reports a time zone of quiet hours that the system does not have.
    func checkZone(in files: any SettingsFiles) {
        guard let node = reader.node("quiet"), case .string(let text) = node.value,
            let zone = QuietHours(text)?.zone, files.timeZone(zone) == nil
        else { return }
        context.error(
            node.position, "`quiet` has an unknown time zone, \"\(zone)\"",
            advice: "write the name of one in \(timeZoneFolder) (package tzdata), such as Europe/Stockholm")
    }

    private func template(_ key: String) -> MessageTemplate? {
        guard let text = reader.text(key, example: "\"{symbol} at {price}\"") else { return nil }
        guard text.value.utf8.count <= Self.longestTemplate else {
            context.error(
                text.position, "`\(key)` is longer than \(Self.longestTemplate) bytes", advice: "use a shorter one")
            return nil
        }
        return reader.template(text, of: key)
    }
}

/// Returns true if the text may name something in commands and files: 1 to 64 letters, digits, dots, dashes and
/// underscores, and neither a dot nor a dash at the start.
package func isPlainName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-")
        && text.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || "._-".utf8.contains($0) }
}

// MARK: Documentation that depends on the type

/// Returns the names of the types whose profiles match: `telegram, matrix and pushover`.
private func types(_ fits: (ReceiverProfile) -> Bool) -> String {
    let names = ReceiverKind.allCases.filter { fits($0.profile) }.map(\.rawValue)
    return names.count > 1
        ? "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")" : names.joined()
}

/// Returns the documented default of a key that some types require.
private func required(_ key: ReceiverProfile.Key) -> String {
    "none, required for \(types { $0.required.contains(key) })"
}

extension ReceiverProfile {
    /// True if settings may omit the address because the service has a standard one.
    var hasStandardAddress: Bool {
        if case .webAddress(.some) = address { true } else { false }
    }

    fileprivate var requiresCredential: Bool {
        if case .required = credential { true } else { false }
    }
}
