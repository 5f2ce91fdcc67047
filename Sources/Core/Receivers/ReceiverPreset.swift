/// The settings of a webhook for a service without a receiver type. ``all`` is the only list of presets.
package struct ReceiverPreset: Equatable, Sendable {
    /// The name of the preset for `alertctl receivers add`.
    package var name: String
    /// The name of the service.
    package var title: String
    /// The template of the request body, in JSON.
    package var body: String
    package var accepted: [Int] = [200]
    package var acceptedText: String?
    package var perMinute: Int
    /// The maximum size of a value in bytes, if the service accepts less than usual.
    package var valueLimit: Int?
    /// An example address, for advice.
    package var example: String
    /// Instructions for getting the address, in whole sentences.
    package var origin: String
    /// Further notes, in whole sentences.
    package var notes = ""
}

extension ReceiverPreset {
    /// Returns the preset with a name; nil if there is none.
    package static func named(_ name: String) -> ReceiverPreset? { all.first { $0.name == name } }

    package static let all = [teams, googleChat, mattermost, wecom, homeAssistant]

    /// Text runs are not read as Markdown and cannot mention anyone.
    private static let teams = ReceiverPreset(
        name: "teams", title: "Microsoft Teams",
        body: #"""
            {
              "type": "message",
              "attachments": [{
                "contentType": "application/vnd.microsoft.card.adaptive",
                "contentUrl": null,
                "content": {
                  "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                  "type": "AdaptiveCard",
                  "version": "1.4",
                  "fallbackText": "{{ title }}",
                  "body": [
                    { "type": "RichTextBlock", "inlines": [{
                      "type": "TextRun", "text": "{{ title }}", "weight": "Bolder", "size": "Medium",
                      "color":
            {{#ended}}
                      "Good"
            {{/ended}}
            {{^ended}}
                      "{{#critical}}Attention{{/critical}}{{#warning}}Warning{{/warning}}{{#info}}Accent{{/info}}"
            {{/ended}}
                    }] }
            {{#lines}}
                    , { "type": "RichTextBlock", "spacing": "Small",
                        "inlines": [{ "type": "TextRun", "text": "{{ line }}" }] }
            {{/lines}}
                  ]
                }
              }]
            }
            """#,
        accepted: [200, 202], perMinute: 30,
        example: "https://prod-00.westeurope.logic.azure.com/workflows/…/triggers/manual/paths/invoke?…",
        origin: "In Teams, open Workflows, choose the template \"Send webhook alerts to a channel\", and copy the "
            + "address that it shows at the end.")

    /// Text in cards cannot mention anyone.
    private static let googleChat = ReceiverPreset(
        name: "google-chat", title: "Google Chat",
        body: #"""
            {
              "fallbackText": "{{ title }}",
              "cardsV2": [{
                "cardId": "alertd",
                "card": {
                  "header": { "title": "{{ title }}" },
                  "sections": [{ "widgets": [{ "textParagraph": { "text": "{{ text_html }}" } }] }]
                }
              }]
            }
            """#,
        perMinute: 30, example: "https://chat.googleapis.com/v1/spaces/…/messages?key=…",
        origin: "In Google Chat, open the menu of the space, Apps & integrations, Webhooks, and copy its address.")

    private static let mattermost = ReceiverPreset(
        name: "mattermost", title: "Mattermost",
        body: #"""
            {
              "attachments": [{
                "fallback": "{{ title_markdown }}",
                "color": "#{{ color }}",
                "title": "{{ title_markdown }}",
                "text": "{{ text_markdown }}"
              }]
            }
            """#,
        perMinute: 30, example: "https://mattermost.example.org/hooks/…",
        origin: "In Mattermost, open Integrations, Incoming Webhooks, Add, and copy its address.")

    /// The service always answers with status 200; the result is in the body. A text has at most 2,048 bytes.
    private static let wecom = ReceiverPreset(
        name: "wecom", title: "WeCom",
        body: #"""
            {
              "msgtype": "text",
              "text": { "content": "{{ title }}\n{{ text }}" }
            }
            """#,
        acceptedText: "\"errcode\":0", perMinute: 20, valueLimit: 1_000,
        example: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…",
        origin: "In WeCom, open the group, Add Group Bot, and copy its Webhook address.")

    private static let homeAssistant = ReceiverPreset(
        name: "home-assistant", title: "Home Assistant",
        body: #"""
            {
              "title": "{{ title }}",
              "message": "{{ text }}",
              "severity": "{{ severity }}",
              "ended": {{#ended}}true{{/ended}}{{^ended}}false{{/ended}},
              "time": "{{ time }}",
              "events": [
            {{#events}}
                {
                  "number": {{ number }}, "kind": {{ kind }}, "severity": {{ severity }}, "text": "{{ text }}",
                  "rule": {{ rule }}, "symbol": {{ symbol }}, "bound": {{ bound }},
                  "price": {{ price }}, "limit": {{ limit }}, "currency": {{ currency }}
                }{{^last}},{{/last}}
            {{/events}}
              ]
            }
            """#,
        perMinute: 60, example: "http://homeassistant.local:8123/api/webhook/…",
        origin: "In Home Assistant, create an automation with the trigger Webhook, and choose an id that nobody "
            + "guesses: the address is that of Home Assistant, followed by /api/webhook/ID.",
        notes: "The automation reads `trigger.json.title`, `trigger.json.message` and so on. Home Assistant answers "
            + "200 even if no automation has the id. An address with http:// needs allow_http = true.")
}

extension ReceiverPreset {
    /// The keys of a receiver with this preset, except its name, address and filters, as lines of a settings file.
    package var settingsLines: [String] {
        var lines = ["type = \"webhook\""]
        lines.append("ok = [\(accepted.map { "\($0)" }.joined(separator: ", "))]")
        if let acceptedText { lines.append("ok_text = '\(acceptedText)'") }
        lines.append("per_minute = \(perMinute)")
        if let valueLimit { lines.append("value_limit = \(valueLimit)") }
        lines.append("body = '''")
        lines += body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.append("'''")
        return lines
    }
}
