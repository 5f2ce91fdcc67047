import Events
import HTTP
import JSON
import Market
import Receivers
import TestSupport
import Testing
import Text
import Time

@testable import Notifications

/// Webhooks whose body is a template.
struct TemplatedWebhookTests {
    private func receiver(_ body: String, _ change: (inout WebhookRequest) -> Void = { _ in }) throws -> Receiver {
        var receiver = Receiver(name: "hook", kind: .webhook, urls: ["https://example.org/hook"])
        receiver.request.body = try RequestTemplate(body)
        change(&receiver.request)
        return receiver
    }

    private func format(
        _ receiver: Receiver, credential: String? = nil, url: String = "https://example.org/hook"
    ) throws -> any ReceiverFormat {
        try ReceiverTarget(receiver, urls: [url], credential: credential).format()
    }

    @Test func theBodyIsTheTemplateWithItsValues() throws {
        let body =
            #"{ "t": "{{ title }}", "p": {{ price }}, "m": "{{ market }}", "id": "{{ id }}", "l": {{ late_ms }} }"#
        let now = WallTime(milliseconds: sampleTime.milliseconds + 90_000)
        let request = try request(format(receiver(body)), sample(now: now))
        #expect(request.method == .post && request.address == "https://example.org/hook")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Idempotency-Key"] == "\"\(instance)-7\"")
        #expect(request.headers["Authorization"] == nil && request.headers["webhook-signature"] == nil)
        let document = try request.json()
        #expect(try document.value("t")?.string() == "BTC/INR: maximum ₹75,00,000.50 reached")
        #expect(try document.value("p")?.numberText() == "7500100")
        #expect(try document.value("m")?.string() == "BTC/INR" && document.value("l")?.integer() == 90_000)
        #expect(try document.value("id")?.string() == "\(instance)-7")
    }

    @Test func aGroupHasItsEvents() throws {
        let events = [try alertEvent(1), try alertEvent(2, symbol: "ethinr"), try alertEvent(3, .resolved)]
        let body =
            #"[{{#events}}["{{ market }}", {{ number }}, {{#ended}}1{{/ended}}{{^ended}}0{{/ended}}]"#
            + "{{^last}},{{/last}}{{/events}}]"
        let request = try request(format(receiver(body)), sample(events))
        let expected = #"[["BTC/INR", 1, 0],["ETH/INR", 2, 0],["BTC/INR", 3, 1]]"#
        #expect(String(decoding: request.body, as: UTF8.self) == expected)
    }

    /// A text sums up any number of events; events one by one must fit a request.
    @Test func eventsOneByOneAreLimited() throws {
        #expect(try receiver("{{ text }}").eventsPerRequest == nil)
        #expect(try receiver("{{^events}}{{/events}}").eventsPerRequest == nil)
        #expect(try receiver("{{#rule}}{{#events}}{{/events}}{{/rule}}").eventsPerRequest == 25)
        #expect(Receiver(name: "a", kind: .webhook).eventsPerRequest == 25)
        #expect(Receiver(name: "a", kind: .ntfy).eventsPerRequest == nil)
    }

    @Test func aSigningSecretSigns() throws {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let request = try request(format(receiver("[{{ number }}]"), credential: secret), sample())
        let key = try #require(Base64.bytes(of: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let code = try #require(hmacSHA256(Array("\(instance)-7.1795242164.[7]".utf8), key: key))
        #expect(request.headers["webhook-signature"] == "v1,\(Base64.text(of: code))")
        #expect(request.headers["webhook-id"] == "\(instance)-7" && request.headers["Authorization"] == nil)
        #expect(throws: ReceiverFault.self) { try format(receiver("[]"), credential: "whsec_short") }
    }

    @Test func otherCredentialsAreAuthorizations() throws {
        func headers(_ credential: String, _ header: String? = nil) throws -> [String: String] {
            let receiver = try receiver("[]") { $0.credentialHeader = header }
            return try request(format(receiver, credential: credential), sample()).headers
        }
        #expect(try headers("abc")["Authorization"] == "Bearer abc")
        #expect(try headers("me:secret")["Authorization"] == "Basic bWU6c2VjcmV0")
        let own = try headers("me:secret", "X-Api-Key")
        #expect(own["X-Api-Key"] == "me:secret" && own["Authorization"] == nil)
        #expect(try headers("whsec_x", "X-Api-Key")["X-Api-Key"] == "whsec_x")
        #expect(throws: ReceiverFault.self) { try headers("a\r\nX-Evil: 1") }
    }

    @Test func headersAreOneLine() throws {
        let template = try RequestTemplate("[{{ text }}]")
        let receiver = try receiver("[]") { $0.headers = [.init(name: "X-Text", value: template)] }
        let body = "a\r\nX-Evil: 1\u{0}" + String(repeating: "ä", count: 2_000)
        let request = try request(format(receiver), sample(body: body))
        let value = try #require(request.headers["X-Text"])
        #expect(value.hasPrefix("[a  X-Evil: 1 ä") && value.utf8.count <= 1_000)
        #expect(value.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test(arguments: [
        ("https://example.org/send", "https://example.org/send?to=1&text=a%26b%20%C3%A4"),
        ("https://example.org/send?key=5", "https://example.org/send?key=5&to=1&text=a%26b%20%C3%A4"),
    ])
    func aGetHasTheBodyAsItsQuery(url: String, expected: String) throws {
        let receiver = try receiver("to=1&text={{ title }}") {
            ($0.method, $0.contentType) = (.get, "application/x-www-form-urlencoded")
        }
        let request = try request(format(receiver, url: url), sample(title: "a&b ä"))
        #expect(request.method == .get && request.body.isEmpty && request.address == expected)
        #expect(request.headers["Content-Type"] == nil)
    }

    /// Blanks, line ends and `#` of the template would make the address invalid, or end its query.
    @Test func theTextOfATemplateIsAlsoSafeInAnAddress() throws {
        let receiver = try receiver("to=1&text=# of {{ title }}\n") {
            ($0.method, $0.contentType) = (.get, "application/x-www-form-urlencoded")
        }
        let request = try request(format(receiver, url: "https://example.org/send"), sample(title: "a"))
        #expect(request.address == "https://example.org/send?to=1&text=%23%20of%20a")
    }

    @Test(arguments: [
        (200, "", "delivered"), (202, "", "delivered"), (204, "", "retry"), (409, "", "delivered"),
        (418, "", "refused"),
        (400, "", "refused"), (401, "", "stopped"), (500, "", "retry"), (302, "", "retry"),
    ])
    func statusesOfTheSettingsDecide(status: Int, body: String, expected: String) throws {
        let receiver = try receiver("[]") { ($0.accepted, $0.refused) = ([200, 202, 409], [418]) }
        #expect(try word(for: format(receiver).decision(on: response(status, body), at: sampleTime)) == expected)
    }

    @Test func aTextOfTheAnswerDecides() throws {
        let receiver = try receiver("[]") { $0.acceptedText = "\"errcode\":0" }
        let good = try format(receiver).decision(on: response(200, #"{"errcode":0,"errmsg":"ok"}"#), at: sampleTime)
        #expect(word(for: good) == "delivered")
        let bad = try format(receiver).decision(
            on: response(200, #"{"errcode":45009,"errmsg":"too fast"}"#), at: sampleTime)
        #expect(bad == .retry("the answer does not contain `ok_text` (status 200): too fast"))
    }

    /// Also without a template.
    @Test func statusesAreForAllWebhooks() throws {
        var receiver = Receiver(name: "hook", kind: .webhook, urls: ["https://example.org/hook"])
        receiver.request.accepted = [202]
        receiver.request.headers = [.init(name: "X-Kind", value: try RequestTemplate("{{ kind }}"))]
        let format = try format(receiver)
        #expect(word(for: format.decision(on: response(200), at: sampleTime)) == "retry")
        #expect(word(for: format.decision(on: response(202), at: sampleTime)) == "delivered")
        #expect(try request(format, sample()).headers["X-Kind"] == "fired")
    }
}

/// The settings of services that receive webhooks.
struct ReceiverPresetTests {
    /// What users, servers and exchanges may call things.
    static let hostile = [
        "plain", "\"quotes\" and 'more'", "back\\slash\\", "line\nbreak\r\n\ttab", "{{ text }} }} {{{",
        "<b>&amp;</b> @all",
        "\u{0}\u{1}\u{7F}\u{1B}[31m", "🎉 é\u{200D}", "\",\"admin\":true,\"x\":\"", "]}]}",
        String(repeating: "long ", count: 2_000),
    ]

    private func notification(_ kind: EventKind?, _ name: String) throws -> Notification {
        let samples = kind.map { [SampleEvents.event($0)] } ?? SampleEvents.group()
        let events = samples.map { event in
            var occurrence = event.occurrence
            if occurrence.rule != nil { occurrence.rule = name }
            occurrence.text = name
            occurrence.details.receiver = occurrence.details.receiver.map { _ in name }
            return Event(number: event.number, occurrence: occurrence)
        }
        return try sample(events)
    }

    @Test(arguments: ReceiverPreset.all) func everyEventIsJSON(preset: ReceiverPreset) throws {
        var receiver = Receiver(name: preset.name, kind: .webhook, urls: ["https://example.org/hook"])
        receiver.request.body = try RequestTemplate(preset.body)
        receiver.request.valueLimit = preset.valueLimit ?? RequestTemplate.valueLimit
        let format = try ReceiverTarget(receiver, urls: receiver.urls).format()
        for kind in EventKind.allCases.map(Optional.some) + [nil] {
            let plain = try Self.shape(of: request(format, notification(kind, "plain")))
            for name in Self.hostile {
                let request = try request(format, notification(kind, name))
                #expect(JSONSyntax.fault(in: request.body) == nil)
                // Nothing that a name contains becomes a member or an element.
                let lines = name.split(whereSeparator: \.isNewline).count
                if lines < 2 { #expect(try Self.shape(of: request) == plain, "\(preset.name) \(name)") }
                #expect(request.body.count < 28_000, "\(preset.name): \(request.body.count)")
            }
        }
    }

    /// The names of all members in their order, with the counts of elements.
    private static func shape(of request: HTTPRequest) throws -> String { try shape(of: request.json().root) }

    private static func shape(of value: JSONValue) -> String {
        if let object = try? value.object() {
            return "{" + object.members.map { "\($0.key):\(shape(of: $0.value))" }.joined(separator: ",") + "}"
        }
        if let elements = try? value.array(of: AnyValue.self) {
            return "[" + elements.map { shape(of: $0.value) }.joined(separator: ",") + "]"
        }
        return ""
    }

    private struct AnyValue: JSONReadable {
        var value: JSONValue
        init(json: JSONValue) { value = json }
    }

    @Test func theTextArrives() throws {
        for preset in ReceiverPreset.all {
            var receiver = Receiver(name: preset.name, kind: .webhook, urls: ["https://example.org/hook"])
            receiver.request.body = try RequestTemplate(preset.body)
            let format = try ReceiverTarget(receiver, urls: receiver.urls).format()
            let body = String(decoding: try request(format, notification(.fired, "some words")).body, as: UTF8.self)
            #expect(body.contains("some words") && body.contains("BTC/INR"), "\(body)")
        }
    }

    @Test func namesAreNotThoseOfTypes() {
        let names = ReceiverPreset.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { ReceiverKind(rawValue: $0) == nil && ReceiverPreset.named($0)?.name == $0 })
    }
}

/// What people are shown instead of a request.
struct RequestPreviewTests {
    private static let composer = NotificationComposer(instance: instance, source: SourceName(unchecked: "wazirx"))

    private func previews(_ receiver: Receiver) throws -> [RequestPreview] {
        try RequestPreview.previews(
            of: receiver, [SampleEvents.event(.fired)], by: Self.composer, at: SampleEvents.time)
    }

    /// With and without an address that is a credential.
    @Test(arguments: ReceiverKind.allCases.filter { !$0.profile.sendsPrices })
    func everyTypeHasOne(kind: ReceiverKind) throws {
        for hasURL in [true, false] {
            let receiver = NotificationsTests.receiver(kind) {
                if kind == .nats { $0.urls = ["nats://127.0.0.1:4222"] }
                if !hasURL, ![.nats, .email].contains(kind) { ($0.urls, $0.urlCredential) = ([], "secret-address") }
                if kind.profile.credential != .none { $0.credential = "secret-token" }
            }
            let previews = try previews(receiver)
            #expect(previews.count == 1, "\(kind)")
            for preview in previews {
                let text = "\(preview)"
                #expect(!text.contains("alertd-preview") && !text.contains("AAAAAAAA"), "\(text)")
                #expect(preview.body.contains("BTC") || preview.body.contains("btcinr"), "\(text)")
            }
        }
    }

    @Test func credentialsAreNamed() throws {
        var receiver = Receiver(name: "hook", kind: .webhook)
        (receiver.urlCredential, receiver.credential) = ("hook-address", "hook-token")
        receiver.request.body = try RequestTemplate("[{{ number }}]")
        let plain = try #require(try previews(receiver).first)
        #expect(plain.method == "POST" && plain.address == "[credential hook-address]" && plain.body == "[1]")
        #expect(plain.headers.contains("Authorization: from [credential hook-token]"))
        receiver.request.credentialHeader = "X-Api-Key"
        #expect(try previews(receiver).first?.headers.contains("X-Api-Key: [credential hook-token]") == true)
        receiver.request = WebhookRequest()
        #expect(
            try previews(receiver).first?.headers.contains("webhook-signature: from [credential hook-token]") == true)
        let chat = NotificationsTests.receiver(.telegram) { $0.credential = "bot" }
        #expect(try previews(chat).first?.address == "https://api.telegram.org/bot[credential bot]/sendMessage")
    }
}
