/// The settings of a webhook for a service that has no type of its own: the one list of them.
package struct ReceiverPreset: Equatable, Sendable {
    /// What `alertctl receivers add` calls it.
    package var name: String
    /// The service, as it calls itself.
    package var title: String
    /// In JSON.
    package var body: String
    package var accepted: [Int] = [200]
    package var acceptedText: String?
    package var perMinute: Int
    /// The most bytes of a value, if the service takes less than usual.
    package var valueLimit: Int?
    /// An address, for advice.
    package var example: String
    /// Where one gets the address, in whole sentences.
    package var origin: String
    /// What else one has to know, in whole sentences.
    package var notes = ""
}

extension ReceiverPreset {
    /// The preset of a name; nil if there is none.
    package static func named(_ name: String) -> ReceiverPreset? { all.first { $0.name == name } }

    package static let all = [teams, googleChat, mattermost, wecom, homeAssistant]

    /// Runs of text have no Markdown, and nobody is mentioned by them.
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

    /// It answers 200 to everything; the body says how it went. Text has at most 2,048 bytes.
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
    /// The keys that a receiver of this kind has besides its name, address and filters, as lines of a settings file.
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
