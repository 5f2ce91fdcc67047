internal import Control
internal import Events
internal import HTTP
internal import Receivers
internal import Text
internal import Time

/// The format of mail by RFC 5322, with a text in UTF-8. `Message-ID` is the same for each attempt, so that a mailbox
/// may drop a second copy (RFC 7352). All mails of an alert refer to the same id, so that its end joins its thread.
/// `Auto-Submitted` (RFC 3834) suppresses automatic replies.
struct EmailFormat: ReceiverFormat {
    private let target: ReceiverTarget
    private let server: MailServer

    /// The maximum length of a subject. Many programs cut longer ones.
    private static let subjectLimit = TextLimit.utf16(200)
    private static let textLimit = TextLimit.bytes(64 << 10)

    init(_ target: ReceiverTarget) throws(ReceiverFault) {
        guard let server = MailServer(target.urls.first ?? "") else {
            throw ReceiverFault(text: "the address is not one of a mail server")
        }
        let needsPassword = target.receiver.value(.user) != nil
        guard !needsPassword || target.credential != nil else {
            throw ReceiverFault(text: "the credential with the password is missing")
        }
        self.target = target
        self.server = server
    }

    func messages(for notification: Notification) -> [OutgoingMessage] {
        let receiver = target.receiver
        let sender = receiver.value(.from) ?? ""
        let recipients = receiver.values[.to] ?? []
        return [
            .mail(
                OutgoingMail(
                    server: server, sender: sender, recipients: notification.remainingRecipients ?? recipients,
                    user: receiver.value(.user),
                    password: target.credential,
                    content: Self.content(of: notification, from: sender, to: recipients)))
        ]
    }

    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        response.generalDecision(at: now, for: target)
    }

    /// Classifies a reply. The first digit of its status says whether a refusal is permanent (RFC 5321, section
    /// 4.2.1). A refused recipient does not prevent delivery to other recipients.
    func decision(on reply: MailReply, to recipients: [String]) -> DeliveryDecision {
        let isAccepted = (200..<400).contains(reply.status)
        let (refused, later) = (reply.refused.filter { $0.status >= 500 }, reply.refused.filter { $0.status < 500 })
        guard isAccepted || reply.refused.count == recipients.count else { return refusal(of: reply) }
        if !later.isEmpty {
            let part = PartialDelivery(
                remaining: later.map(\.address), isAccepted: isAccepted, shortfall: text(refused))
            return .retry(text(later) ?? "", partial: part)
        }
        return isAccepted ? .delivered(shortfall: text(refused)) : .refused(text(refused) ?? "there is no recipient")
    }

    /// Classifies a refusal of the message or the sender.
    private func refusal(of reply: MailReply) -> DeliveryDecision {
        let reason = reply.text.isEmpty ? " (status \(reply.status))" : ": \(shown(reply.text))"
        return switch reply.status {
        case 530, 534, 535, 538: .stopped("the login was refused" + reason)
        case 400..<500: .retry("the mail server asks to try later" + reason)
        default: .refused("the mail was refused" + reason)
        }
    }

    /// Lists refused recipients, such as `bad@example.org was refused: 550 5.1.1 No such user here`. Returns nil if
    /// there are none.
    private func text(_ recipients: [RefusedRecipient]) -> String? {
        guard !recipients.isEmpty else { return nil }
        return recipients.map { recipient in
            let word = recipient.status < 500 ? "has to be tried later" : "was refused"
            return "\(recipient.address) \(word): \(shown(recipient.text))"
        }.joined(separator: "; ")
    }

    /// Returns true if a list of refused recipients, or a text that ends with such a list, names this recipient.
    static func names(_ recipient: String, in text: String) -> Bool {
        ": \(text)".includes(": \(recipient) was refused") || text.includes("; \(recipient) was refused")
    }

    private func shown(_ text: String) -> String { String(target.redacted(text).prefix(Self.replyLimit)) }

    /// The maximum number of characters of a reply that are shown. Servers explain a refusal in up to about five
    /// lines.
    private static let replyLimit = 300

    static func content(of notification: Notification, from sender: String, to recipients: [String]) -> [UInt8] {
        let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        let id = notification.id.split(separator: "-").reversed().joined(separator: ".")
        var lines = [
            "Date: \(mailDate(notification.now))", "From: alertd <\(sender)>",
            "To: \(recipients.joined(separator: ",\r\n "))",
            "Subject: \(encodedHeader(subjectLimit.cut(notification.title)))", "Message-ID: <\(id)@\(domain)>",
        ]
        if let thread = thread(of: notification) {
            lines.append("References: <\(thread).\(notification.instance)@\(domain)>")
        }
        if notification.severity == .critical { lines.append("Importance: high") }
        lines += [
            "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "",
        ]
        let text =
            textLimit.cut(notification.body).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n") + "\r\n"
        let encoded = Array(base64(text).utf8)
        for start in stride(from: 0, to: encoded.count, by: 76) {
            lines.append(String(decoding: encoded[start...].prefix(76), as: UTF8.self))
        }
        return Array(lines.joined(separator: "\r\n").utf8) + [13, 10]
    }

    /// Returns the id that all mails of one firing share, or nil for a group.
    private static func thread(of notification: Notification) -> String? {
        guard notification.events.count == 1, let event = notification.events.first?.occurrence, let rule = event.rule,
            let symbol = event.symbol, let bound = event.bound
        else { return nil }
        let since = event.details.firingSince ?? event.time
        // The hash is FNV-1a. Equal texts give equal ids, and the name of a rule may have any character.
        let named = (event.source.map { "\($0):" } ?? "") + rule
        let hash = named.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(String(hash, radix: 16)).\(symbol).\(bound.rawValue).\(since.milliseconds)"
    }
}

/// Encodes the text of a header as words of RFC 2047: base64, one word per line, at most 75 characters each. No word
/// splits a character. Short ASCII text is returned unchanged; in other texts, control characters are dropped.
func encodedHeader(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) || text.utf8.count > 60 else { return text }
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
        if word.utf8.count + UTF8.width(scalar) > 45 {
            words.append(word)
            word = ""
        }
        word.unicodeScalars.append(scalar)
    }
    return (words + [word]).map { "=?UTF-8?B?\(base64($0))?=" }.joined(separator: "\r\n ")
}

/// Formats a time by RFC 5322, in UTC: `Sat, 21 Nov 2026 05:22:44 +0000`.
func mailDate(_ time: WallTime) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let date = time.date
    // 1970-01-01 was a Thursday.
    let weekday = Int(((date.daysSinceEpoch % 7) + 7) % 7)
    let clock = time.description.dropFirst(11).prefix(8)
    return "\(days[weekday]), \(date.day) \(months[Int(date.month) - 1]) \(date.year) \(clock) +0000"
}
