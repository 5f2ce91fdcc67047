import Configuration
import Receivers
import Testing

/// The request of a webhook in the settings.
struct WebhookSettingsTests {
    private static let rule = "\n[[rule]]\nsymbol = \"btcinr\"\nmax = 1\n"

    private func text(_ keys: String, type: String = "webhook") -> String {
        "[[receiver]]\nname = \"hook\"\ntype = \"\(type)\"\nurl = \"https://example.org/a\"\n\(keys)\(Self.rule)"
    }

    private func request(_ keys: String) throws -> WebhookRequest {
        try #require(load(text(keys)).settings.receivers.first).request
    }

    private func findings(_ keys: String, type: String = "webhook") -> String {
        rendered(Array(text(keys, type: type).utf8))
    }

    @Test func withoutKeysItIsThatOfStandardWebhooks() throws {
        #expect(try request("") == WebhookRequest())
    }

    @Test func allKeysAreRead() throws {
        let request = try request(
            """
            body = '''
            a={{ text }}'''
            content_type = "application/x-www-form-urlencoded"
            method = "PUT"
            headers = { X-Title = "{{ title }}", Accept = "text/plain" }
            credential = "token"
            credential_header = "X-Api-Key"
            ok = [200, 409]
            ok_text = '"errcode":0'
            refused = 418
            value_limit = 100
            """)
        #expect(request.body?.source == "a={{ text }}" && request.escape == .form && request.method == .put)
        #expect(request.headers.map(\.name) == ["Accept", "X-Title"] && request.credentialHeader == "X-Api-Key")
        #expect(request.accepted == [200, 409] && request.refused == [418] && request.acceptedText == "\"errcode\":0")
        #expect(request.valueLimit == 100)
    }

    @Test func aTableOfHeadersMayFollow() throws {
        let request = try request("body = '[{{ text }}]'\n[receiver.headers]\nX-Rule = '{{ rule }}'\n")
        #expect(request.headers.map(\.value.source) == ["{{ rule }}"])
    }

    @Test(arguments: [
        ("body = 'a {{ txt }}'", "alertd.toml:5:11: error: `body` has an unknown name {{txt}}; did you mean {{text}}?"),
        (
            "body = '''\n{\n \"a\": {{> b }}\n}\n'''",
            ":7:7: error: `body` has a partial {{> … }}, which is not supported"
        ),
        ("body = '''{{#events}}'''", ":5:11: error: `body` has a section \"events\" without {{/events}}; end it with"),
        ("body = \"\\t{{ txt }}\"", ":5:8: error: `body` has an unknown name {{txt}}"),
        ("body = '[{{{ text }}}]'", ":5:10: error: `body` has a tag that would insert a value without escaping it"),
        ("body = ''", "`body` is empty"), ("body = \"\\u0001\"", "`body` contains a control character"),
        (
            "body = 'x'\ncontent_type = 'text/markdown'",
            "`content_type` is \"text/markdown\", in which values cannot be"
        ),
        ("body = '[]'\nmethod = 'post'", "`method` is \"post\"; write it as \"POST\""),
        ("body = '[]'\nmethod = 'DELETE'", "`method` is \"DELETE\""),
        ("body = '[]'\nmethod = 'GET'", "a GET has `body` as its query, which is not application/json"),
        ("method = 'PUT'", "`method` is not used without `body`"),
        ("headers = { a = 5 }", "the header a must be a string, but is a whole number"),
        ("headers = { 'a b' = 'x' }", "\"a b\" is not the name of a header"),
        ("headers = { a = \"x\\ny\" }", "`a` contains a control or invisible character"),
        ("headers = { Content-Type = 'x' }", "the header Content-Type is not set here; use `content_type`"),
        ("headers = { Host = 'x' }", "the header Host cannot be set"),
        ("headers = { webhook-id = 'x' }", "the header webhook-id cannot be set"),
        ("headers = { X-A = '1', x-a = '2' }", "the header x-a is there twice, as case does not matter"),
        ("headers = { X-A = '{{ txt }}' }", ":5:20: error: `X-A` has an unknown name {{txt}}"),
        ("body = '[]'\ncredential_header = 'X-Api-Key'", "`credential_header` is set, but there is no `credential`"),
        ("ok = [200, 999]", "`ok` has 999, which is not the status of an answer"), ("ok = []", "`ok` is an empty list"),
        ("ok = [200]\nrefused = [200]", "200 is in both `ok` and `refused`"),
        ("value_limit = 5000\nbody = '[]'", "`value_limit` is 5000"),
    ])
    func faultsAreErrors(keys: String, expected: String) {
        let said = findings(keys)
        #expect(said.contains(expected) && said.contains("error"), "\(said)")
    }

    /// The line of a secret is not shown.
    @Test(arguments: ["Authorization", "X-Api-Key", "Cookie", "X-Token"])
    func headersWithSecretsAreRefused(name: String) {
        let said = findings("headers = { \(name) = 'abcdefgh' }")
        #expect(said.contains("the header \(name) looks like a secret") && !said.contains("abcdefgh"), "\(said)")
        #expect(said.contains("credential_header = \"\(name)\""))
    }

    @Test(arguments: ["body = 'x'", "headers = { a = 'b' }", "ok = 200", "refused = 409", "ok_text = 'a'"])
    func otherTypesHaveNone(keys: String) {
        #expect(
            findings(keys, type: "ntfy").contains("is not used by ntfy; remove the line, or write type = \"webhook\""))
    }

    @Test(arguments: [
        (
            "body = '''\n{ \"a\": \"{{ text }}\",\n  \"b\": {{#check}}1{{/check}} }'''",
            "for an event fired: a value is missing"
        ),
        ("body = '{ \"a\": {{#single}}1{{/single}} }'", "for several events: a value is missing"),
        ("body = '{ \"a\": \"{{ text }} }'", "for an event fired: it ends too early"),
    ])
    func whatIsNotJSONIsAWarning(keys: String, expected: String) throws {
        let said = findings(keys)
        #expect(said.contains("warning: `body` is not JSON \(expected)"), "\(said)")
        #expect(try request(keys).body != nil)
        #expect(!findings(keys + "\ncontent_type = 'text/plain'").contains("not JSON"))
    }

    @Test func theWarningIsAtItsPlace() {
        let said = findings("body = '''\n{ \"a\": \"{{ text }}\",\n  \"b\": {{#check}}1{{/check}} }'''")
        #expect(said.contains("alertd.toml:7:30: warning"), "\(said)")
    }

    @Test(arguments: ReceiverPreset.all) func presetsAreGoodSettings(preset: ReceiverPreset) throws {
        let lines = ["[[receiver]]", "name = \"a\"", "url_credential = \"address\""] + preset.settingsLines
        let said = rendered(Array((lines.joined(separator: "\n") + Self.rule).utf8))
        #expect(said == "", "\(said)")
        let receiver = try #require(load(lines.joined(separator: "\n") + Self.rule).settings.receivers.first)
        #expect(receiver.request.accepted == Set(preset.accepted) && receiver.perMinute == preset.perMinute)
        #expect(receiver.request.body?.source == preset.body + "\n")
        #expect(receiver.request.acceptedText == preset.acceptedText)
    }
}
