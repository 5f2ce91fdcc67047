import Control
import Events
import HTTP
import JSON
import NATS
import Receivers
import TestSupport
import Testing

@testable import Notifications

struct NATSFormatTests {
    private func publication(_ events: [Int64], _ change: (inout Receiver) -> Void = { _ in }) throws -> NATSPublication
    {
        var receiver = Receiver(name: "bus", kind: .nats, urls: ["nats://127.0.0.1", "tls://example.org:4333"])
        change(&receiver)
        let format = try ReceiverTarget(receiver, urls: receiver.urls, credential: "tok").format()
        var notification = try sample(try events.map { try alertEvent($0).of("kraken") })
        notification.events.append(bareEvent(.test, number: 99, text: "a test"))
        guard case .publication(let publication) = try required(format.messages(for: notification).first) else {
            throw NothingCame()
        }
        return publication
    }

    @Test func eachEventHasASubjectAndAnId() throws {
        let publication = try publication([5, 6])
        #expect(publication.servers.map(\.description) == ["nats://127.0.0.1:4222", "tls://example.org:4333"])
        #expect(publication.credential == "tok")
        #expect(
            publication.messages.map(\.subject) == [
                "alertd.events.kraken.btcinr", "alertd.events.kraken.btcinr", "alertd.events._._",
            ])
        let ids = publication.messages.map { $0.headers.map { "\($0.name)=\($0.value)" } }
        #expect(ids == [5, 6, 99].map { ["Nats-Msg-Id=\(instance)-\($0)"] })
        let first = try JSONDocument(publication.messages[0].payload, limit: 1 << 20)
        #expect(try EventRecord(json: first.root).number == 5)
        let other = try self.publication([5]) { $0.values[.subject] = ["home.alerts"] }
        #expect(other.messages.first?.subject == "home.alerts.kraken.btcinr")
    }

    @Test(arguments: ["", "http://example.org", "nats://me:secret@example.org"]) func othersAreNoServers(url: String) {
        #expect(throws: ReceiverFault.self) { try format(.nats, urls: [url]) }
    }

    @Test func repliesOfTheStreamDecide() throws {
        let format = try format(.nats, urls: ["nats://127.0.0.1"])
        let reply = { (text: String) in StreamReply(NATSReply(payload: Array(text.utf8))) }
        let stored = reply(#"{"stream":"ALERTD","seq":5}"#)
        #expect(format.decision(on: stored.response, at: sampleTime) == .delivered(message: "5 of ALERTD"))
        let again = reply(#"{"stream":"ALERTD","seq":5,"duplicate":true}"#)
        #expect(format.decision(on: again.response, at: sampleTime) == .delivered(message: "5 of ALERTD"))
        let full = reply(#"{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"}}"#)
        #expect([stored, full, again].worst == full)
        #expect(decision(full) == "retry")
        #expect(decision(StreamReply(NATSReply(status: 503))) == "retry")
        #expect(decision(reply(#"{"error":{"code":401,"description":"x"}}"#)) == "retry")
        #expect(decision(reply("+OK")) == "retry" && decision(reply("{}")) == "retry")
        #expect(decision(StreamReply(status: 401, text: "Authorization Violation")) == "stopped")
        #expect(decision([StreamReply]().worst) == "retry")
    }

    private func decision(_ reply: StreamReply) -> String {
        guard let format = try? format(.nats, urls: ["nats://127.0.0.1"]) else { return "" }
        switch format.decision(on: reply.response, at: sampleTime) {
        case .delivered: return "delivered"
        case .retry: return "retry"
        case .refused: return "refused"
        case .stopped: return "stopped"
        }
    }
}
