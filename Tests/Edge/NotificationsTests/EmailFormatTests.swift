import Control
import Events
import HTTP
import Receivers
import TestSupport
import Testing
import Text
import Time

@testable import Notifications

struct EmailFormatTests {
    private func mail(_ notification: Notification) throws -> OutgoingMail {
        guard case .mail(let mail) = try required(format(.email).messages(for: notification).first) else {
            throw NothingCame()
        }
        return mail
    }

    @Test func headersAreThoseOfTheStandards() throws {
        let mail = try mail(sample())
        let lines = String(decoding: mail.content, as: UTF8.self).components("\r\n")
        #expect(
            lines.prefix(4).joined(separator: "|").hasPrefix(
                "Date: Sat, 21 Nov 2026 06:22:44 +0000|From: alertd <alertd@"))
        #expect(lines.contains("Message-ID: <7.\(instance)@example.org>"))
        #expect(lines.contains("To: me@example.org,") && lines.contains(" you@example.org"))
        #expect(lines.contains("Auto-Submitted: auto-generated") && lines.contains("Importance: high"))
        #expect(lines.allSatisfy { $0.utf8.count <= 78 || $0.hasPrefix("References: ") })
        #expect(mail.content.suffix(2) == [13, 10])
        #expect(mail.recipients == ["me@example.org", "you@example.org"] && mail.sender == "alertd@example.org")
    }

    @Test func bodyIsTheText() throws {
        let notification = try sample(body: "first ₹\nsecond")
        let parts = String(decoding: try mail(notification).content, as: UTF8.self).components("\r\n\r\n")
        let encoded = parts[1].split(separator: "\r\n").joined()
        #expect(Base64.bytes(of: encoded).map { String(decoding: $0, as: UTF8.self) } == "first ₹\r\nsecond\r\n")
    }

    @Test func aFiringAndItsEndAreOneThread() throws {
        var details = DecisionDetails()
        details.firingSince = sampleTime
        let later = WallTime(milliseconds: sampleTime.milliseconds + 60_000)
        let texts = try [
            alertEvent(1, details: details), alertEvent(2, .resolved, details: details, time: later),
            alertEvent(3, details: DecisionDetails(), time: later),
        ].map { String(decoding: try mail(sample([$0])).content, as: UTF8.self) }
        let threads = texts.map { $0.components("\r\n").first { $0.hasPrefix("References: ") } }
        #expect(threads[0] != nil && threads[0] == threads[1] && threads[0] != threads[2])
    }

    @Test(arguments: [
        ("plain", "plain"), ("₹1", "=?UTF-8?B?4oK5MQ==?="), ("a\r\nBcc: x@y", "=?UTF-8?B?YUJjYzogeEB5?="),
    ])
    func subjectsAreOneLine(text: String, expected: String) { #expect(encodedHeader(text) == expected) }

    @Test func longSubjectsAreFolded() throws {
        let header = encodedHeader(String(repeating: "₹ü", count: 100))
        let words = header.components("\r\n ")
        #expect(words.count > 5 && words.allSatisfy { $0.utf8.count <= 75 })
        let text = words.compactMap { Base64.bytes(of: String($0.dropFirst(10).dropLast(2))) }.joined()
        #expect(String(decoding: text, as: UTF8.self) == String(repeating: "₹ü", count: 100))
    }

    @Test(arguments: [
        (250, "delivered"), (451, "retry"), (421, "retry"), (550, "refused"), (552, "refused"), (535, "stopped"),
        (530, "stopped"),
    ])
    func repliesDecide(status: Int, expected: String) throws {
        #expect(try word(for: format(.email).decision(on: MailReply(status: status), to: ["a@b"])) == expected)
    }

    @Test func aRefusedRecipientDoesNotKeepTheMailFromOthers() throws {
        let format = try format(.email)
        let (bad, busy) = (
            RefusedRecipient(address: "bad@b", status: 550, text: "550 no such user"),
            RefusedRecipient(address: "busy@b", status: 450, text: "450 busy")
        )
        let all = ["bad@b", "busy@b", "good@b"]
        let decide = { (status: Int, refused: [RefusedRecipient], recipients: [String]) in
            format.decision(on: MailReply(status: status, text: "\(status) x", refused: refused), to: recipients)
        }
        #expect(decide(250, [bad], all) == .delivered(shortfall: "bad@b was refused: 550 no such user"))
        #expect(
            decide(250, [bad, busy], all)
                == .retry(
                    "busy@b has to be tried later: 450 busy",
                    partial: PartialDelivery(
                        remaining: ["busy@b"], isAccepted: true, shortfall: "bad@b was refused: 550 no such user")))
        #expect(decide(550, [bad], ["bad@b"]) == .refused("bad@b was refused: 550 no such user"))
        #expect(
            decide(450, [bad, busy], ["bad@b", "busy@b"])
                == .retry(
                    "busy@b has to be tried later: 450 busy",
                    partial: PartialDelivery(
                        remaining: ["busy@b"], isAccepted: false, shortfall: "bad@b was refused: 550 no such user")))
        // The message itself was refused, after a recipient.
        #expect(decide(554, [bad], all) == .refused("the mail was refused: 554 x"))
    }

    /// Another address in the text of the server is none that was refused.
    @Test(arguments: [
        ("bob@x was refused: 550 no", true), ("a@x was refused: 550 no; bob@x was refused: 550 no", true),
        ("receiver mail does not reach all recipients: bob@x was refused: 550 no", true),
        ("jimbob@x was refused: 550 no", false), ("a@x was refused: 550 write to bob@x", false), ("", false),
    ])
    func refusedRecipientsAreKnownByTheirAddress(text: String, isNamed: Bool) {
        #expect(EmailFormat.names("bob@x", in: text) == isNamed)
    }

    @Test func longRepliesAreBounded() throws {
        let reply = MailReply(status: 554, text: "554 " + String(repeating: "a", count: 400))
        let expected = "the mail was refused: 554 " + String(repeating: "a", count: 296)
        #expect(try format(.email).decision(on: reply, to: ["a@b"]) == .refused(expected))
    }

    @Test(arguments: [
        ("smtp://mail.example.org", "smtp", 587), ("smtps://MAIL.example.org", "smtps", 465),
        ("smtp://127.0.0.1:8025/host.example", "smtp", 8_025), ("smtp://[::1]:25", "smtp", 25),
    ])
    func serversAreAddresses(text: String, scheme: String, port: Int) throws {
        let server = try #require(MailServer(text))
        #expect(server.scheme == scheme && Int(server.port) == port)
    }

    @Test(arguments: ["http://a", "smtp://", "smtp://a:0", "smtp://a:x", "smtp://a@b", "smtp://a/b\r\nc", "mail"])
    func othersAreNot(text: String) { #expect(MailServer(text) == nil) }
}

extension String {
    /// The parts between a separator.
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
