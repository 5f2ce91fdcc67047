import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing
import Time

@testable import HTTP

/// A mail server that takes its time with its answer to a message, as one does that searches it for spam.
@Suite(.timeLimit(.minutes(10)))
struct SlowMailServerTests {
    private func mail(
        to server: SlowMailServer, _ content: String = "Subject: a\r\n\r\n.text\r\n",
        recipients: [String] = ["b@example.org"]
    ) throws
        -> OutgoingMail
    {
        OutgoingMail(
            server: try #require(MailServer("smtp://127.0.0.1:\(server.port)")), sender: "a@example.org",
            recipients: recipients, content: Array(content.utf8))
    }

    /// The loop waits for nothing while the server thinks, nor when it does not say goodbye.
    @Test func theLoopGoesOnMeanwhile() async throws {
        let server = try SlowMailServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.totalLimit = .seconds(600) }
            let mail = try mail(to: server)
            let sending = Task { @LoopActor in try await client.send(mail) }
            while !server.hasMessage { try await Task.sleep(for: .milliseconds(1)) }
            // These are turns of the loop; the server does not answer before they are over.
            await Loop.shared.start(.client) { for _ in 0..<20 { await Task.yield() } }.value
            server.answer()
            let response = try await sending.value
            #expect(response == MailReply(status: 250, text: "250 2.0.0 taken"))
            #expect(server.message == "Subject: a\r\n\r\n..text\r\n.\r\n")
        }
    }

    /// The others get the mail, and the reply to each recipient is known.
    @Test func aRefusedRecipientDoesNotKeepTheMailFromOthers() async throws {
        let server = try SlowMailServer(replies: [
            "bad@example.org": "550 5.1.1 No such user here", "busy@example.org": "450-4.2.1 busy\r\n450 4.2.1 later",
        ])
        defer { server.stop() }
        server.answer()
        try await onLoop {
            let client = makeClient { $0.totalLimit = .seconds(600) }
            let recipients = ["bad@example.org", "good@example.org", "busy@example.org"]
            let reply = try await client.send(try mail(to: server, recipients: recipients))
            #expect(
                reply
                    == MailReply(
                        status: 250, text: "250 2.0.0 taken",
                        refused: [
                            RefusedRecipient(
                                address: "bad@example.org", status: 550, text: "550 5.1.1 No such user here"),
                            RefusedRecipient(address: "busy@example.org", status: 450, text: "450 4.2.1 busy later"),
                        ]))
            #expect(server.hasMessage)
        }
    }

    /// The reason is the server's own line, not its answer to the farewell.
    @Test func aMailThatAllAreRefusedNamesTheReason() async throws {
        let replies = ["b@example.org": "550-5.1.1 No such user\r\n550-5.1.1  here\r\n550 See https://example.org"]
        let server = try SlowMailServer(replies: replies, says: "221 2.0.0 Bye")
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.totalLimit = .seconds(600) }
            let reply = try await client.send(try mail(to: server))
            let text = "550 5.1.1 No such user here See https://example.org"
            #expect(
                reply
                    == MailReply(
                        status: 550, text: text,
                        refused: [RefusedRecipient(address: "b@example.org", status: 550, text: text)]))
            #expect(!server.hasMessage)
        }
    }

    @Test(arguments: [
        ("550 5.1.1 no\r\n", "550 5.1.1 no"), ("550-first\r\n550 second\r\n", "550 first second"),
        ("550-5.7.1 a\n550-5.7.1 b\n550 5.7.2 c\n", "550 5.7.1 a b 5.7.2 c"), ("550\r\n", "550"), ("", ""),
        ("550-550 a\r\n550 550 b", "550 550 a b"), ("55 a\r\nb c", "55 a b c"),
        ("550-\u{7}é\n550 \u{1B}[2J", "550 ?? ?[2J"),
        (String(repeating: "550-aaaa\r\n", count: 200), "550" + String(repeating: " aaaa", count: 100).prefix(497)),
    ])
    func theLinesOfAReplyAreOne(reply: String, expected: String) {
        #expect(MailReply.joined(Array(reply.utf8)) == expected)
    }

    @Test func anAnswerThatNeverComesIsATimeout() async throws {
        let server = try SlowMailServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.totalLimit = Milliseconds(300) }
            let mail = try mail(to: server)
            await #expect(throws: HTTPError.timeout(after: Milliseconds(300))) { try await client.send(mail) }
        }
    }

    @Test func cancellingEndsIt() async throws {
        let server = try SlowMailServer()
        defer { server.stop() }
        try await onLoop {
            let client = makeClient { $0.totalLimit = .seconds(600) }
            let mail = try mail(to: server)
            let sending = Task { @LoopActor in try await client.send(mail) }
            while !server.hasMessage { try await Task.sleep(for: .milliseconds(1)) }
            sending.cancel()
            await #expect(throws: HTTPError.cancelled) { try await sending.value }
        }
    }
}

/// Serves one client from a thread, and answers its message when it is asked to.
private final class SlowMailServer: Sendable {
    private struct State {
        var message: String?
        var mayAnswer = false
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    var hasMessage: Bool { state.withLock { $0.message != nil } }
    var message: String { state.withLock { $0.message ?? "" } }

    private let replies: [String: String]
    private let farewell: String?

    /// `replies` are for recipients that it does not accept; it says nothing at the end without a `farewell`.
    init(replies: [String: String] = [:], says farewell: String? = nil) throws {
        (self.replies, self.farewell) = (replies, farewell)
        let (descriptor, port) = try listenOnLoopback()
        (listener, self.port) = (descriptor, port)
        startThread { [self] in serve(accept(descriptor, nil, nil)) }
    }

    func answer() { state.withLock { $0.mayAnswer = true } }

    func stop() {
        answer()
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var read: [UInt8] = []
        func text(through end: String) -> String? {
            let end = Array(end.utf8)
            while true {
                if let range = read.firstRange(of: end) {
                    defer { read.removeSubrange(..<range.upperBound) }
                    return String(decoding: read[..<range.upperBound], as: UTF8.self)
                }
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = unsafe recv(connection, &bytes, bytes.count, 0)
                guard count > 0 else { return nil }
                read += bytes[..<count]
            }
        }
        func say(_ line: String) {
            let bytes = Array("\(line)\r\n".utf8)
            _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        say("220 mail.example.org")
        while let line = text(through: "\r\n") {
            switch line.prefix(4) {
            case "DATA":
                say("354 go on")
                guard let message = text(through: "\r\n.\r\n") else { return }
                state.withLock { $0.message = message }
                while !state.withLock({ $0.mayAnswer }) { usleep(1_000) }
                say("250 2.0.0 taken")
            // A server that has nothing more to say.
            case "QUIT":
                if let farewell { say(farewell) }
                while text(through: "\n") != nil {}
            case "RCPT":
                say(replies.first { line.contains("<\($0.key)>") }?.value ?? "250 OK")
            default: say("250 OK")
            }
        }
    }
}
