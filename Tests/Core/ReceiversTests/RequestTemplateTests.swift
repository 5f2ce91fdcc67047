import Events
import Receivers
import Testing
import Time

/// Templates of webhooks: what they accept, and how they insert values.
struct RequestTemplateTests {
    private func data(_ events: [Event]? = nil, _ change: (inout TemplateData) -> Void = { _ in }) -> TemplateData {
        var data = TemplateData.sample(events ?? [SampleEvents.event(.fired)], receiver: "hook")
        change(&data)
        return data
    }

    private func text(
        _ template: String, _ escape: TemplateEscape = .plain, _ data: TemplateData? = nil
    ) throws -> String {
        try RequestTemplate(template).rendered(with: data ?? self.data(), escape).text
    }

    @Test(arguments: [
        ("{{ price }} {{price}} {{  price\t}}", "7500100.0 7500100.0 7500100.0"),
        ("a{{! a comment }}b", "ab"), ("{{#rule}}yes{{/rule}}{{^rule}}no{{/rule}}", "yes"),
        ("{{#check}}yes{{/check}}{{^check}}no{{/check}}", "no"), ("[{{ check }}]", "[]"),
        ("{{#fired}}f{{/fired}}{{#resolved}}r{{/resolved}}", "f"), ("{{#single}}1{{/single}}", "1"),
        ("{{#critical}}c{{/critical}}{{#warning}}w{{/warning}}", "c"), ("}} { } {", "}} { } {"),
        ("{{#events}}{{ number }}{{/events}} {{ count }}", "1 1"), ("ä{{ symbol }}🎉", "äbtcinr🎉"),
    ])
    func tagsAreReplaced(template: String, expected: String) throws {
        #expect(try text(template) == expected)
    }

    @Test func eventsAreOneByOne() throws {
        let group = data(SampleEvents.group())
        let template =
            "{{#events}}{{#first}}<{{/first}}{{ number }}:{{ kind }}{{^last}},{{/last}}{{/events}}>{{ count }}"
        #expect(try text(template, .plain, group) == "<1:fired,2:feed_stale,3:resolved>3")
        // What only one of several events has is not that of the notification.
        #expect(try text("[{{ price }}{{#single}}1{{/single}}]", .plain, group) == "[]")
        #expect(try text("{{#events}}{{ receiver }} {{/events}}", .plain, group) == "hook hook hook ")
        #expect(try text("{{#events}}{{#ended}}e{{/ended}}{{^ended}}-{{/ended}}{{/events}}", .plain, group) == "--e")
    }

    @Test func linesAreThoseOfTheText() throws {
        let group = data(SampleEvents.group())
        let lines = try text("{{#lines}}[{{ line }}]{{^last}};{{/last}}{{/lines}}", .plain, group)
        #expect(lines.split(separator: ";").count == 3 && lines.hasPrefix("[BTC/INR ₹75,00,100.00 is at"))
        #expect(try text("{{^lines}}none{{/lines}}", .plain, group) == "")
    }

    /// A line that has only a section or a comment is not there (Mustache, standalone tags).
    @Test func linesOfTagsLeaveNothing() throws {
        let group = data(SampleEvents.group())
        let template = "a\n  {{#events}}  \n{{ number }}\n{{/events}}\n{{! x }}\r\nb {{#single}} c\n{{/single}}"
        #expect(try text(template, .plain, group) == "a\n1\n2\n3\nb ")
        #expect(try text("{{#single}}\nx\n{{/single}}\n") == "x\n")
        #expect(try text(" {{ number }} \n") == " 1 \n")
    }

    @Test(arguments: [
        ("a {{ simbol }}", "has an unknown name {{simbol}}", 2),
        ("ä🎉{{#events}}", "has a section \"events\" without {{/events}}", 2),
        ("{{/events}}", "ends a section \"events\" that has not begun", 0),
        ("{{#events}}{{#rule}}{{/events}}{{/rule}}", "ends \"events\" inside of the section \"rule\"", 20),
        ("x{{{ text }}}", "has a tag that would insert a value without escaping it", 1),
        ("{{& text }}", "has a tag that would insert a value without escaping it", 0),
        ("{{> part }}", "has a partial {{> … }}, which is not supported", 0),
        ("{{=<% %>=}}", "changes the delimiters of tags, which is not supported", 0),
        ("abc {{ text", "has a {{ without a }}", 4), ("abc {{", "has a {{ without a }}", 4),
        ("{{ }}", "has a tag without a name", 0), ("{{ a b }}", "has a tag with \"a b\" as its name", 0),
        ("{{ critical }}", "inserts {{critical}}, which is not a value", 0),
        ("{{ events }}", "inserts {{events}}, which is not a value", 0),
        ("{{#events}}{{#events}}{{/events}}{{/events}}", "has {{#events}} inside of {{#events}}", 11),
    ])
    func faultsHaveTheirPlace(template: String, message: String, offset: Int) {
        do throws(TemplateError) {
            _ = try RequestTemplate(template)
            Issue.record("accepted")
        } catch {
            #expect(error.message == message && error.offset == offset, "\(error.message) at \(error.offset)")
        }
    }

    @Test func thereAreLimits() throws {
        let most = String(repeating: "{{ text }}", count: RequestTemplate.limitTags)
        _ = try RequestTemplate(most)
        #expect(throws: TemplateError.self) { try RequestTemplate(most + "{{ text }}") }
        #expect(throws: TemplateError.self) {
            try RequestTemplate(String(repeating: "a", count: RequestTemplate.limitBytes + 1))
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "{{#rule}}", count: depth) + String(repeating: "{{/rule}}", count: depth)
        }
        _ = try RequestTemplate(nested(RequestTemplate.limitDepth))
        #expect(throws: TemplateError.self) { try RequestTemplate(nested(RequestTemplate.limitDepth + 1)) }
    }

    /// The longest that settings allow, with the longest values.
    @Test func aRequestIsNeverLongerThanItsLimit() throws {
        let tags = String(repeating: "{{ text }}{{ rule }}", count: RequestTemplate.limitTags / 2 - 2)
        let filler = String(repeating: "x", count: RequestTemplate.limitBytes - tags.utf8.count - 30)
        let template = try RequestTemplate("{{#events}}\(tags)\(filler){{/events}}")
        let long = String(repeating: "\u{1}", count: 20_000)
        let events = (1...25).map { SampleEvents.event(.fired, number: $0) }
        let data = data(events) { data in
            for index in data.events.indices {
                data.events[index].values[.text] = long
                data.events[index].values[.rule] = long
            }
        }
        for escape in [TemplateEscape.json, .form, .xml, .plain, .line] {
            let count = template.rendered(with: data, escape).bytes.count
            #expect(count <= RequestTemplate.limitOutput, "\(escape): \(count)")
            #expect(count > 25 * filler.utf8.count)
        }
    }

    @Test func aLongValueIsCut() throws {
        let data = data { $0.values[.rule] = "ääääää" }
        let template = try RequestTemplate("{{ rule }}")
        #expect(template.rendered(with: data, .plain, limit: 12).text == "ääääää")
        #expect(template.rendered(with: data, .plain, limit: 10).text == "äää…")
    }

    // MARK: Escaping

    /// What users may call a rule.
    private static let hostile = [
        "\"", "\\", "\\\"", "\n\r\t", "\u{0}\u{1}\u{1F}\u{7F}\u{85}", "{{ text }}", "}}{{{", "</a>&'\"",
        "a&b=c%20+", "🎉\u{200D}\u{FE0F}é", "\u{2028}\u{2029}", "\",\"admin\":true,\"", "1, 2", "null",
        "\r\nX-Evil: 1", "-01", "1.",
    ]

    @Test(arguments: hostile) func nothingLeavesAString(value: String) throws {
        let data = data { $0.values[.rule] = value }
        // Also after a backslash, which would otherwise take the one of the escape.
        for template in ["{\"a\": \"{{ rule }}\"}", "{\"a\": {{ rule }}}", "[\"\\\\{{ rule }}\", {{ check }}]"] {
            let rendered = try text(template, .json, data)
            #expect(JSONSyntax.fault(in: Array(rendered.utf8)) == nil, "\(rendered)")
            #expect(!rendered.contains("\"admin\":true,\"\"") && !rendered.contains("[1, 2]"))
        }
        let odd = try text("[\"\\{{ rule }}\", 1]", .json, data)
        #expect(odd.hasSuffix("\", 1]") && odd.hasPrefix("[\"\\\\"), "\(odd)")
    }

    @Test(arguments: hostile) func otherEscapesHoldToo(value: String) throws {
        let data = data { $0.values[.rule] = value }
        let form = try text("a={{ rule }}", .form, data).dropFirst(2)
        #expect(form.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !form.contains("&") && !form.contains("="))
        let xml = try text("{{ rule }}", .xml, data)
        #expect(!xml.contains { "<>\"'".contains($0) } && !xml.unicodeScalars.contains { $0.value < 9 })
        let line = try text("{{ rule }}", .line, data)
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{2028}" })
        let plain = try text("{{ rule }}", .plain, data)
        #expect(!plain.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }

    @Test(arguments: [
        ("7500100.0", "7500100.0"), ("-1.5", "-1.5"), ("0", "0"), ("0.5", "0.5"), ("a", "\"a\""), ("01", "\"01\""),
        ("1.", "\"1.\""), (".5", "\".5\""), ("-", "\"-\""), ("true", "\"true\""), ("", "\"\""), ("1e5", "\"1e5\""),
    ])
    func outsideOfQuotesIsAValue(value: String, expected: String) throws {
        let data = data { $0.values[.rule] = value }
        #expect(try text("[{{ rule }}]", .json, data) == "[\(expected)]")
        #expect(try text("[{{ check }}]", .json, data) == "[null]")
    }

    @Test func markupIsEscapedTwice() throws {
        let template = "{\"a\": \"{{ title_markdown }}\", \"b\": \"{{ text_html }}\"}"
        let data = TemplateData(
            [],
            .init(
                id: "i", instance: "i", receiver: "r", title: "*@all* [x](y)", text: "<users/all> & \"",
                severity: .info,
                isEnd: false, time: SampleEvents.time, now: SampleEvents.time))
        let rendered = try text(template, .json, data)
        #expect(rendered.contains(#"\\*@"# + "\u{200B}" + #"all\\* \\[x\\]\\(y\\)"#), "\(rendered)")
        #expect(rendered.contains("&lt;users/all&gt; &amp; &quot;"), "\(rendered)")
    }

    @Test(arguments: [
        ("application/json", TemplateEscape.json), ("Application/JSON; charset=utf-8", .json), ("text/plain", .plain),
        ("application/vnd.api+json", .json), ("application/x-www-form-urlencoded", .form), ("text/html", .xml),
        ("application/atom+xml", .xml), ("text/markdown", nil), ("application/octet-stream", nil), ("", nil),
    ])
    func typesDecide(type: String, expected: TemplateEscape?) {
        #expect(TemplateEscape(contentType: type) == expected)
    }

    @Test func aPlaceInTheTextComesFromTheTemplate() throws {
        let rendered = try RequestTemplate("ä{{ symbol }}xy{{ symbol }}z").rendered(with: data(), .plain)
        #expect(rendered.text == "äbtcinrxybtcinrz")
        #expect([0, 2, 5, 8, 9, 10, 16].map(rendered.templateOffset(of:)) == [0, 1, 1, 13, 14, 15, 27])
    }

    @Test(arguments: EventKind.allCases) func samplesHaveTheirKind(kind: EventKind) throws {
        let event = SampleEvents.event(kind)
        #expect(event.occurrence.kind == kind && !event.occurrence.text.isEmpty)
        let isAlert = [.fired, .resolved, .repeated, .touched].contains(kind)
        #expect((event.occurrence.price != nil && event.occurrence.limit != nil) == isAlert)
        let isCheck = [.diverged, .converged].contains(kind)
        #expect((event.occurrence.details.divergence != nil) == isCheck)
    }
}
