internal import Arguments
internal import Events
internal import Receivers

extension ManualPages {
    /// The settings of all presets in Markdown, for docs/webhooks.md.
    package static var presets: String {
        ReceiverPreset.all.map { preset in
            let lines =
                ["[[receiver]]", "name = \"\(preset.name)\"", "url_credential = \"receiver-\(preset.name)\""]
                + preset.settingsLines
            let notes = preset.notes.isEmpty ? "" : "\n\(wrapped(preset.notes, width: 120).joined(separator: "\n"))\n"
            return """
                ### \(preset.title)

                    sudo alertctl receivers add \(preset.name)

                \(wrapped(preset.origin, width: 120).joined(separator: "\n"))
                \(notes)
                ```toml
                \(lines.joined(separator: "\n"))
                ```

                """
        }.joined(separator: "\n")
    }
}

extension ManualDocument {
    /// Adds the sections about the templates of webhooks and the names that they may contain.
    mutating func addWebhookTemplates() {
        section("WEBHOOK TEMPLATES")
        for text in Self.templateTexts { paragraph(text) }
        for field in TemplateField.allCases { item("{{ \(field.rawValue) }}", [field.help]) }
        for list in TemplateList.allCases { item("{{#\(list.rawValue)}}", [list.help]) }
        for condition in TemplateCondition.all { item("{{#\(condition.name)}}", [condition.help]) }
        item("{{#fired}}", ["The kind of the event is fired; the same for all other kinds in alertd-events(7)."])
    }

    /// Adds the section about the services that `alertctl receivers add` sets up as webhooks.
    mutating func addWebhookPresets() {
        section("WEBHOOK PRESETS")
        paragraph(
            "Services that have no type of their own get their notifications from a webhook with a template; their "
                + "addresses are secrets. `alertctl receivers add NAME` asks for the address and writes the settings.")
        for preset in ReceiverPreset.all {
            let notes = preset.notes.isEmpty ? "" : " \(preset.notes)"
            item(preset.name, ["\(preset.title). \(preset.origin)\(notes)"])
        }
    }

    private static let templateTexts = [
        "`body` and `headers` of a webhook are templates in a subset of Mustache. `{{ name }}` inserts a "
            + "value. `{{#name}}` to `{{/name}}` is a part that is there if the name has a value or is true, and "
            + "once for each event or line if it is a list; `{{^name}}` to `{{/name}}` is there if not. `{{! x "
            + "}}` is a comment. A line with nothing but such a tag leaves no line behind. Write a long body "
            + "between ''' and '''.",
        "Every value is escaped as `content_type` says: for JSON, for a form or query, for XML, or as plain text. In "
            + "JSON, a value inside of quotes becomes a part of the string; elsewhere it becomes a number, or a string "
            + "with quotes, or null if there is none. There is no way to insert a value without escaping it. Unknown "
            + "names, partials, and sections that do not end are errors.",
        "A body with `{{#events}}` gets up to 25 events in a request. Any other body gets one text that sums up all "
            + "of them. Names of events are known outside of `{{#events}}`, too, if there is exactly one event.",
        "A `credential` that begins with whsec_ signs the request as Standard Webhooks does. Any other credential is "
            + "sent in the header Authorization, as Bearer TOKEN or for USER:PASSWORD as Basic, or as it is in "
            + "`credential_header`.",
    ]
}
