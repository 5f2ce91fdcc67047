import Control
import HTTP
import JSON
import Receivers
import TestSupport
import Testing
import Text
import Time

@testable import Notifications

struct WebhookFormatTests {
    /// The test vector of the package `standardwebhooks`.
    @Test func signatureIsThatOfTheSpecification() throws {
        let key = try #require(Base64.bytes(of: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signed = #"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#
        let code = try #require(hmacSHA256(Array(signed.utf8), key: key))
        #expect(Base64.text(of: code) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func headersIdentifyAndSign() throws {
        let secrets = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw"
        let notification = try sample()
        let request = try request(format(.webhook, credential: secrets), notification)
        #expect(request.method == .post && request.address == "https://example.org/hook")
        #expect(request.headers["webhook-id"] == "\(instance)-7")
        #expect(request.headers["Idempotency-Key"] == "\"\(instance)-7\"")
        #expect(request.headers["webhook-timestamp"] == "1795242164")
        let signatures = try #require(request.headers["webhook-signature"]).split(separator: " ")
        #expect(signatures.count == 2 && signatures.allSatisfy { $0.hasPrefix("v1,") })
        let key = try #require(Base64.bytes(of: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signed = Array("\(instance)-7.1795242164.".utf8) + request.body
        #expect(signatures[0] == "v1,\(Base64.text(of: try #require(hmacSHA256(signed, key: key))))")
    }

    @Test func bodyHasTextAndEvidence() throws {
        let document = try request(format(.webhook), sample()).json()
        #expect(try document.value("type")?.string() == "alert.fired")
        #expect(try document.value("timestamp")?.string() == "2026-11-21T06:22:44.123Z")
        #expect(try document.value("data", "title")?.string() == "BTC/INR: maximum ₹75,00,000.50 reached")
        let events = try #require(document.value("data", "events")).array(of: EventRecord.self)
        #expect(events.map(\.number) == [7] && events.first?.price == "7500100")
    }

    @Test func theAttemptHasItsOwnTime() throws {
        let later = WallTime(milliseconds: sampleTime.milliseconds + 90_000)
        let request = try request(format(.webhook), sample(now: later))
        #expect(request.headers["webhook-timestamp"] == "1795242254")
        #expect(try request.json().value("data", "late_ms")?.integer() == 90_000)
    }

    @Test(arguments: ["secret", "whsec_", "whsec_c2hvcnQ=", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw whsec_x"])
    func othersAreNotSecrets(text: String) {
        #expect(throws: ReceiverFault.self) { try format(.webhook, credential: text) }
    }

    @Test(arguments: [
        (200, "delivered"), (204, "delivered"), (302, "retry"), (400, "refused"), (401, "stopped"), (403, "stopped"),
        (404, "retry"), (408, "retry"), (409, "retry"), (410, "refused"), (413, "refused"), (422, "refused"),
        (429, "retry"), (500, "retry"), (502, "retry"), (503, "retry"),
    ])
    func statusDecides(status: Int, expected: String) throws {
        #expect(try word(for: format(.webhook).decision(on: response(status), at: sampleTime)) == expected)
    }

    @Test func retryAfterIsObeyed() throws {
        let answer = response(503, headers: ["retry-after": "77"])
        guard case .retry(_, let wait, _) = try format(.webhook).decision(on: answer, at: sampleTime) else {
            Issue.record("not retried")
            return
        }
        #expect(wait == .seconds(77))
    }
}

/// The case of a decision.
func word(for decision: DeliveryDecision) -> String {
    switch decision {
    case .delivered: "delivered"
    case .retry: "retry"
    case .refused: "refused"
    case .stopped: "stopped"
    }
}
