internal import Arguments
internal import Control
internal import Events
internal import InterfaceLanguage
internal import Journal
internal import Market

extension ManualPages {
    /// The control interface; nil only if its description cannot be read. A test excludes that.
    static let interface = try? InterfaceDefinition(ControlInterface.description)

    /// alertd-events(7)
    static func eventsPage() -> ManualDocument {
        var page = begin("alertd-events", section: 7, "the event stream and the control interface of alertd")
        page.section("DESCRIPTION")
        page.paragraph(
            "Everything that happens to an alert, a symbol, the source or the rules is an event. Each event has a "
                + "number and carries the evidence for it. It is saved before any notification is "
                + "sent, unless the state file cannot be written. Programs receive events from a socket that only "
                + "streams them, or from the control socket, which also answers queries.")
        page.addStream()
        page.addFields()
        page.addVocabulary()
        page.addResuming()
        page.addInterface()
        page.seeAlso(["alertd(8)", "alertctl(1)", "alertd.toml(5)", "alertd.journal-fields(7)", "jq(1)", "nc(1)"])
        return page
    }
}

extension ManualDocument {
    fileprivate mutating func addStream() {
        section("THE EVENT STREAM")
        paragraph(
            "A client that connects to the Unix stream socket `/run/alertd/events.sock` receives every event from "
                + "then on, one JSON object per line, in UTF-8, with the fields always in the same order. Control "
                + "characters are escaped, so that lines are safe on a terminal. Later versions may add fields "
                + "after the others, but will not remove or rename any.")
        paragraph("Follow all events, follow firing alerts only, and run a program for each event:")
        code([
            "nc -U /run/alertd/events.sock | jq .",
            "nc -U /run/alertd/events.sock | jq -r 'select(.kind == \"fired\") | .text'",
            "socat -u UNIX:/run/alertd/events.sock - |",
            "    while read -r line; do notify-send \"$(jq -r .text <<<\"$line\")\"; done",
        ])
        paragraph(
            "Events suppressed by a silence or a cooldown are in the stream, too, so that its numbers have no gaps; "
                + "the field `notified` tells them apart. A reader that is too slow loses the oldest lines and "
                + "receives `{\"missed\":3,\"next\":17}` instead. When there are too many readers, a new one receives "
                + "`{\"error\":\"too many readers\",\"limit\":1024}` and is disconnected. What readers send is "
                + "ignored."
        )
        paragraph(
            "Under systemd, connections survive restarts and crashes of the daemon, and continue with the next "
                + "event, without gaps or repeats. A connection ends when the service is stopped, and at a restart "
                + "if only part of a line has been sent. A disconnected reader can resume by number, with "
                + "`MonitorEvents` or `alertctl tail --after`.")
    }

    fileprivate mutating func addFields() {
        section("FIELDS")
        paragraph(
            "Times are RFC 3339 in UTC with milliseconds. Prices and limits are decimal numbers in strings, so "
                + "that nothing is rounded. A field without a value is null.")
        for name in ["EventRecord", "PricePoint", "ConversionRecord", "EventDetails"] {
            if name != "EventRecord" { subsection("Fields of \(name)") }
            for field in ManualPages.interface?.fields(of: name) ?? [] {
                item(field.name, value: field.type.text, [field.comment].filter { !$0.isEmpty })
            }
        }
    }

    fileprivate mutating func addVocabulary() {
        section("KINDS OF EVENTS")
        addWords(of: "EventKind")
        section("BOUNDS")
        addWords(of: "Bound")
        section("REASONS")
        paragraph("What is special about an event; null for an ordinary event of its kind.")
        addWords(of: "Reason")
    }

    private mutating func addWords(of type: String) {
        for word in ManualPages.interface?.words(of: type) ?? [] { item(word.name, [word.comment]) }
    }

    fileprivate mutating func addResuming() {
        section("RESUMING")
        paragraph(
            "Numbers begin at 1, have no gaps and continue across restarts. A program that remembers the number of "
                + "the last event it has processed misses none: it asks the control interface for the events after "
                + "it, as long as they are kept (`[events]` in `alertd.toml`(5)).")
        code([
            "alertctl tail --after 120 --json",
            "varlinkctl --more call /run/alertd/org.alertd.Control \\",
            "    org.alertd.Control.MonitorEvents '{\"after\":120}'",
        ])
    }

    fileprivate mutating func addInterface() {
        section("THE CONTROL INTERFACE")
        paragraph(
            "The socket `/run/alertd/org.alertd.Control` speaks Varlink (https://varlink.org): JSON objects, each "
                + "terminated by a zero byte. Its interface is `org.alertd.Control`; `GetInterfaceDescription` "
                + "returns the description below. Any user who may open the socket may read. Methods that change "
                + "something require root, the user of the daemon or the group `alertd-admin`.")
        code(["varlinkctl call /run/alertd/org.alertd.Control org.alertd.Control.Status '{}'"])
        for member in ManualPages.interface?.members ?? [] {
            subsection("\(member.keyword) \(member.name)")
            if !member.comment.isEmpty {
                paragraph(member.comment.hasSuffix(".") ? member.comment : member.comment + ".")
            }
            code(member.lines)
        }
    }
}
