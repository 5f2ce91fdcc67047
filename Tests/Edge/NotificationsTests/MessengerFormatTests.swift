import Events
import HTTP
import JSON
import Receivers
import TestSupport
import Testing
import Time

@testable import Notifications

struct MessengerFormatTests {
    @Test func ntfyGetsJSONAtItsRoot() throws {
        let request = try request(format(.ntfy, credential: "tk_abc"), sample())
        #expect(request.address == "https://ntfy.example.org/")
        #expect(request.headers["Authorization"] == "Bearer tk_abc")
        let document = try request.json()
        #expect(try document.value("topic")?.string() == "alerts")
        #expect(try document.value("priority")?.integer() == 5)
        let login = try plainRequest(.ntfy, credential: "me:secret")
        #expect(login.headers["Authorization"] == "Basic bWU6c2VjcmV0")
    }

    private func plainRequest(_ kind: ReceiverKind, credential: String? = nil) throws -> HTTPRequest {
        try request(format(kind, credential: credential), sample())
    }

    @Test(arguments: ["https://ntfy.sh", "ntfy", "https://"]) func ntfyNeedsATopic(url: String) {
        #expect(throws: ReceiverFault.self) { try format(.ntfy, urls: [url]) }
    }

    @Test(arguments: ["https://push.example.org", "https://example.org/gotify/"])
    func gotifyGetsTheTokenInAHeader(url: String) throws {
        let request = try request(
            format(.gotify, credential: "AbcDEF.123", urls: [url]), sample(title: "t", body: "b\nc"))
        #expect(request.method == .post && request.address == (url.hasSuffix("/") ? url : url + "/") + "message")
        #expect(request.headers["X-Gotify-Key"] == "AbcDEF.123" && request.headers["Authorization"] == nil)
        #expect(
            String(decoding: request.body, as: UTF8.self) == #"{"title":"t","message":"b\nc","priority":8}"#)
        #expect(throws: ReceiverFault.self) { try ReceiverTarget(receiver(.gotify), urls: [url]).format() }
    }

    /// A message without text is refused by the server.
    @Test func gotifyAlwaysGetsText() throws {
        let document = try request(format(.gotify, credential: "A"), sample(title: "t", body: "")).json()
        #expect(try document.value("message")?.string() == "t")
    }

    @Test(arguments: [
        (200, #"{"id":5,"appid":1,"message":"b","title":"t","priority":8,"date":"2026-11-21T06:22:44Z"}"#, "delivered"),
        (400, #"{"error":"Bad Request","errorCode":400,"errorDescription":"no"}"#, "refused"),
        (401, #"{"error":"Unauthorized","errorCode":401,"errorDescription":"you need a token"}"#, "stopped"),
        (403, "{}", "stopped"), (404, "{}", "retry"), (500, "{}", "retry"), (502, "<html>", "retry"),
    ])
    func gotifyAnswers(status: Int, body: String, expected: String) throws {
        let decision = try format(.gotify, credential: "AbcD12").decision(on: response(status, body), at: sampleTime)
        #expect(word(for: decision) == expected)
        if case .stopped(let reason) = decision, status == 401 {
            #expect(reason.hasSuffix("(status 401): you need a token"), "\(reason)")
        }
    }

    @Test func telegramWritesToATopic() throws {
        var target = receiver(.telegram)
        target.values[.thread] = ["42"]
        let topic = try ReceiverTarget(target, urls: target.urls, credential: "123456:ABC-DEF").format()
        let document = try request(topic, sample()).json()
        #expect(try document.value("message_thread_id")?.integer() == 42)
        let usual = try plainRequest(.telegram, credential: "1:A").json()
        #expect(usual.value("message_thread_id") == nil)
    }

    @Test func telegramRepliesToTheAlert() throws {
        let decision = try format(.telegram).decision(
            on: response(200, #"{"ok":true,"result":{"message_id":77}}"#), at: sampleTime)
        #expect(decision == .delivered(message: "77"))
        #expect(try format(.telegram).decision(on: response(200, "ok"), at: sampleTime) == .delivered())
        var notification = try sample()
        notification.repliesTo = "77"
        let text = String(decoding: try request(format(.telegram), notification).body, as: UTF8.self)
        #expect(text.contains(#""reply_parameters":{"message_id":77,"allow_sending_without_reply":true}"#))
        let plain = String(decoding: try request(format(.telegram), sample()).body, as: UTF8.self)
        #expect(!plain.contains("reply_parameters"))
    }

    @Test func telegramMarksTheTitleByAnEntity() throws {
        let request = try request(format(.telegram), sample(title: "𝔹TC *_[", body: "<b>&"))
        #expect(request.address == "https://api.telegram.org/bot123456:ABC-DEF/sendMessage")
        let document = try request.json()
        #expect(try document.value("chat_id")?.string() == "-100")
        #expect(try document.value("text")?.string() == "𝔹TC *_[\n<b>&")
        // The first character is two units.
        #expect(String(decoding: request.body, as: UTF8.self).contains(#""offset":0,"length":8}"#))
        #expect(document.value("parse_mode") == nil)
    }

    @Test(arguments: [
        (429, #"{"ok":false,"error_code":429,"parameters":{"retry_after":8}}"#, "retry"),
        (400, #"{"ok":false,"parameters":{"migrate_to_chat_id":-1001}}"#, "stopped"),
        (400, #"{"ok":false,"description":"Bad Request: chat not found"}"#, "stopped"),
        (400, #"{"ok":false,"description":"Bad Request: message thread not found"}"#, "stopped"),
        (400, #"{"ok":false,"description":"Bad Request: TOPIC_CLOSED"}"#, "stopped"),
        (400, #"{"ok":false,"description":"Bad Request: message is too long"}"#, "refused"),
        (401, #"{"ok":false,"description":"Unauthorized"}"#, "stopped"), (403, "{}", "stopped"), (404, "{}", "stopped"),
        (500, "{}", "retry"), (200, #"{"ok":true}"#, "delivered"),
    ])
    func telegramAnswers(status: Int, body: String, expected: String) throws {
        let decision = try format(.telegram).decision(on: response(status, body), at: sampleTime)
        #expect(word(for: decision) == expected)
        if status == 429, case .retry(_, let wait, _) = decision { #expect(wait == .seconds(8)) }
    }

    @Test func matrixNamesTheTransaction() throws {
        let request = try request(format(.matrix), sample(title: "a<b", body: "x & y\nz"))
        #expect(request.method == .put)
        let path = "/_matrix/client/v3/rooms/%21abc%3Aexample.org/send/m.room.message/\(instance)-7"
        #expect(request.address == "https://matrix.example.org" + path)
        #expect(request.headers["Authorization"] == "Bearer syt_token")
        let document = try request.json()
        #expect(try document.value("body")?.string() == "a<b\nx & y\nz")
        #expect(try document.value("formatted_body")?.string() == "<strong>a&lt;b</strong><br>x &amp; y<br>z")
    }

    @Test func matrixAsksToWaitInItsBody() throws {
        let limited = response(429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}"#)
        guard case .retry(_, let wait, _) = try format(.matrix).decision(on: limited, at: sampleTime) else {
            Issue.record("not retried")
            return
        }
        #expect(wait == Milliseconds(2_500))
    }

    @Test func slackGetsPlainText() throws {
        let body = String(repeating: "&", count: 3_000)
        let document = try request(format(.slack), sample(title: "a<b>&", body: body)).json()
        #expect(try document.value("text")?.string() == "a&lt;b&gt;&amp;")
        let blocks = try #require(document.value("blocks")).array(of: Block.self)
        #expect(blocks.map(\.type) == ["header", "section"])
        #expect(blocks[1].text.utf16.count <= 3_000 && blocks[1].text.hasSuffix("&amp;…"))
        #expect(blocks[1].text.utf16.count > 2_900)
    }

    private struct Block: JSONReadable {
        var type: String
        var text: String

        init(json: JSONValue) throws(JSONError) {
            var object = try json.object()
            type = try object.read("type")
            guard let inner = object.member("text") else { throw JSONError(.missing) }
            var innerObject = try inner.object()
            text = try innerObject.read("text")
        }
    }

    @Test(arguments: [(403, "stopped"), (404, "stopped"), (410, "stopped"), (400, "refused"), (429, "retry")])
    func slackAnswers(status: Int, expected: String) throws {
        #expect(try word(for: format(.slack).decision(on: response(status, "no"), at: sampleTime)) == expected)
    }

    @Test func discordMentionsNobody() throws {
        let request = try request(format(.discord), sample(title: "a_b", body: "@everyone *x*"))
        #expect(request.address == "https://example.org/hook?wait=true")
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains(#""allowed_mentions":{"parse":[]}"#))
        #expect(text.contains(#""title":"a\\_b""#) && text.contains(#"@everyone \\*x\\*"#))
    }

    @Test func discordSaysWhenItsLimitIsReached() throws {
        let headers = ["x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.25"]
        let format = try format(.discord)
        #expect(
            format.decision(on: response(200, headers: headers), at: sampleTime)
                == .delivered(pause: Milliseconds(1_250)))
        guard case .retry(_, let wait, _) = format.decision(on: response(429, #"{"retry_after":0.5}"#), at: sampleTime)
        else {
            Issue.record("not retried")
            return
        }
        #expect(wait == Milliseconds(500))
    }

    @Test func discordEditsTheMessageOfAnAlertThatEnds() throws {
        let url = "https://example.org/hook?thread_id=5"
        let format = try format(.discord, urls: [url])
        #expect(
            format.decision(on: response(200, #"{"id":"1234567890123456789"}"#), at: sampleTime)
                == .delivered(message: "1234567890123456789"))
        #expect(format.decision(on: response(200, #"{"id":"../x"}"#), at: sampleTime) == .delivered())
        var end = try sample([alertEvent(8, .resolved)])
        end.repliesTo = "77"
        let edit = try request(format, end)
        #expect(edit.method == .patch && edit.address == "https://example.org/hook/messages/77?thread_id=5&wait=true")
        var again = try sample([alertEvent(8, .repeated)])
        again.repliesTo = "77"
        let post = try request(format, again)
        #expect(post.method == .post && post.address == "https://example.org/hook?thread_id=5&wait=true")
        let gone = response(404, #"{"message":"Unknown Message","code":10008}"#)
        #expect(word(for: format.decision(on: gone, at: sampleTime)) == "refused")
    }

    @Test func pushoverRepeatsWhatIsCriticalUntilItEnds() throws {
        let format = try format(.pushover)
        let alert = try request(format, sample([alertEvent(8, severity: .critical)])).json()
        #expect(try alert.value("priority")?.integer() == 2)
        #expect(try alert.value("retry")?.integer() == 60 && alert.value("expire")?.integer() == 3_600)
        #expect(
            format.decision(on: response(200, #"{"status":1,"receipt":"rLqV"}"#), at: sampleTime)
                == .delivered(message: "rLqV"))
        #expect(format.decision(on: response(200, #"{"receipt":"../x"}"#), at: sampleTime) == .delivered())
        var end = try sample([alertEvent(9, .resolved, severity: .critical)])
        #expect(format.cancellations(after: end)?.isEmpty == true)
        #expect(try request(format, end).json().value("priority")?.integer() == -1)
        end.endedMessages = ["rLqV", "s2"]
        let addresses = try #require(format.cancellations(after: end)).map { message -> String in
            guard case .request(let cancel) = message else { throw NothingCame() }
            #expect(try cancel.json().value("token")?.string() == "apptoken")
            return cancel.address
        }
        #expect(
            addresses == ["rLqV", "s2"].map { "https://api.pushover.net/1/receipts/\($0)/cancel.json" })
    }

    /// What fired and resolved while the service could not be reached does not ring.
    @Test func pushoverDoesNotRingForWhatHasEnded() throws {
        let format = try format(.pushover)
        let over = [
            try alertEvent(8, severity: .critical), try alertEvent(9, .resolved, severity: .critical),
        ]
        #expect(try request(format, sample(over)).json().value("priority")?.integer() == -1)
        #expect(try sample(over).isEnd)
        let again = over + [try alertEvent(10, severity: .critical)]
        #expect(try request(format, sample(again)).json().value("priority")?.integer() == 2)
        let other = [try alertEvent(7, symbol: "ethinr", severity: .critical)] + over
        #expect(try request(format, sample(other)).json().value("priority")?.integer() == 2)
    }

    @Test func pushoverHasItsPriorities() throws {
        let document = try plainRequest(.pushover).json()
        #expect(try document.value("token")?.string() == "apptoken")
        #expect(try document.value("user")?.string() == "u1")
        #expect(try document.value("priority")?.integer() == 2)
        #expect(try request(format(.pushover), sample([alertEvent(8)])).json().value("priority")?.integer() == 0)
        let invalid = #"{"token":"invalid","errors":["application token is invalid"],"status":0}"#
        #expect(try word(for: format(.pushover).decision(on: response(400, invalid), at: sampleTime)) == "stopped")
    }

    /// Texts of any length fit, and end with whole characters.
    @Test(arguments: [ReceiverKind.ntfy, .telegram, .matrix, .slack, .discord, .pushover])
    func longTextsAreCut(kind: ReceiverKind) throws {
        let long = String(repeating: "👩‍👩‍👧‍👦é₹*", count: 20_000)
        let document = try request(format(kind), sample(title: long, body: long)).json()
        #expect(document.text.count < 65_536)
        if kind == .ntfy { #expect(try #require(document.value("message")).string().utf8.count <= 4_096) }
        if kind == .telegram { #expect(try #require(document.value("text")).string().utf16.count <= 4_096) }
        if kind == .pushover { #expect(try #require(document.value("message")).string().unicodeScalars.count <= 1_024) }
    }

    /// A server may answer with what it was sent, in any form; people, other receivers and the state file do not get
    /// it.
    @Test(arguments: [
        "the token SEKRETtoken is odd", #"{"error":"the token SEKRETtoken\u001b[2J is odd"}"#,
        "path=/services/T0001234/SEKRETpath", "path=%2Fservices%2FT0001234%2F%53EKRETpath", "user someone is unknown",
        "auth=Basic c29tZW9uZTpTRUtSRVR0b2tlbg==", #"{"message":"Basic eDpzb21lb25lOlNFS1JFVHRva2VuMQ"}"#,
        #"{"description":"\/services\/T0001234\/SEKRETpath"}"#, "key SEKRETkey",
    ])
    func reasonsContainNoSecret(body: String) throws {
        let target = ReceiverTarget(
            receiver(.webhook), urls: ["https://example.org/services/T0001234/SEKRETpath?key=SEKRETkey"],
            credential: "someone:SEKRETtoken")
        let reason = response(500, body).reason(for: target)
        #expect(reason == " (status 500): (not shown: it repeats a secret)")
    }

    /// What says nothing of a secret is shown, from what services use for it.
    @Test(arguments: [
        ("invalid_payload", "invalid_payload"),
        (#"{"errors":["application token is invalid"]}"#, "application token is invalid"),
        (#"{"ok":false,"description":"chat not found"}"#, "chat not found"), ("<h1>Bad</h1>", ""),
        (#"{"code":7,"path":"/x"}"#, ""), ("line one\nline two", "line one line two"),
        ("see https://example.org/docs", "see https://example.org/docs"),
    ])
    func reasonsAreTheServices(body: String, expected: String) throws {
        let target = ReceiverTarget(receiver(.webhook), urls: ["https://example.org/hook"], credential: "SEKRETtoken")
        #expect(response(500, body).reason(for: target) == " (status 500)" + (expected.isEmpty ? "" : ": \(expected)"))
    }

    @Test func reasonsContainNoPage() throws {
        let decision = try format(.matrix).decision(on: response(502, "\n<!DOCTYPE html><html><h1>Bad"), at: sampleTime)
        #expect(decision == .retry("the service is not available (status 502)", after: nil))
    }
}

struct TextLimitTests {
    @Test func cutsBetweenGraphemes() {
        let family = "👩‍👩‍👧‍👦"
        #expect(TextLimit.bytes(100).cut("short") == "short")
        #expect(TextLimit.bytes(family.utf8.count * 2).cut(family + family + family) == family + "…")
        #expect(TextLimit.scalars(3).cut("e\u{301}e\u{301}e\u{301}") == "e\u{301}…")
        #expect(TextLimit.utf16(4).cut("𝔹𝔹𝔹") == "𝔹…")
    }
}
