internal import Arguments
internal import Control
internal import Events
internal import InterfaceLanguage
internal import Journal
internal import Market

extension ManualPages {
    /// The control interface; nil if its description cannot be read, which a test excludes.
    static let interface = try? InterfaceDefinition(ControlInterface.description)

    /// alertd-events(7)
    static func eventsPage() -> ManualDocument {
        var page = begin("alertd-events", section: 7, "the event stream and the control interface of alertd")
        page.section("DESCRIPTION")
        page.paragraph(
            "Whatever happens to an alert, a symbol, the source or the rules is an event: it has a number, it is "
                + "saved before anybody is notified of it, and "
                + "it carries the evidence on which it was decided. Programs get events from a socket that only "
                + "streams them, or from the control socket, which also answers questions.")
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
            "Whoever connects to `/run/alertd/events.sock`, a Unix stream socket, gets each event that happens from "
                + "then on as one line: a JSON object, in UTF-8, its fields always in the same order. Control "
                + "characters are escaped, so that a line can go to a terminal. Fields may be added in later "
                + "versions, behind the others; none is removed or renamed.")
        paragraph("Follow everything, follow alerts only, and let a program act on what fires:")
        code([
            "nc -U /run/alertd/events.sock | jq .",
            "nc -U /run/alertd/events.sock | jq -r 'select(.kind == \"fired\") | .text'",
            "socat -u UNIX:/run/alertd/events.sock - |",
            "    while read -r line; do notify-send \"$(jq -r .text <<<\"$line\")\"; done",
        ])
        paragraph(
            "Untold events, which a silence or a cooldown held back, are in the stream as well, so that its numbers "
                + "have no holes; `notified` parts them. A reader that is too slow loses the oldest lines and finds "
                + "`{\"missed\":3,\"next\":17}` in their place. When there are too many readers one more gets "
                + "`{\"error\":\"too many readers\",\"limit\":1024}` and is closed. What a reader sends is thrown away."
        )
        paragraph(
            "Under systemd the connection outlives a restart and a crash of the daemon, and goes on with the next "
                + "event, without a hole or a repeat. It ends when the service is stopped, and over a restart for a "
                + "reader that was sent a part of a line only; whoever is disconnected goes on by number, with "
                + "`MonitorEvents` or `alertctl tail --after`.")
    }

    fileprivate mutating func addFields() {
        section("FIELDS")
        paragraph(
            "Times are RFC 3339 in UTC with milliseconds, prices and limits decimal numbers in strings, so that "
                + "nothing is rounded. A field without a value is null.")
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
        paragraph("Why an event is not an ordinary one of its kind; null if it is.")
        addWords(of: "Reason")
    }

    private mutating func addWords(of type: String) {
        for word in ManualPages.interface?.words(of: type) ?? [] { item(word.name, [word.comment]) }
    }

    fileprivate mutating func addResuming() {
        section("RESUMING")
        paragraph(
            "Numbers begin at 1, have no holes and go on over restarts. A program that keeps the number of the last "
                + "event it has dealt with misses none: it asks the control interface for what came after, and goes "
                + "on from there for as long as events are kept (`[events]` in `alertd.toml`(5)).")
        code([
            "alertctl tail --after 120 --json",
            "varlinkctl --more call /run/alertd/org.alertd.Control \\",
            "    org.alertd.Control.MonitorEvents '{\"after\":120}'",
        ])
    }

    fileprivate mutating func addInterface() {
        section("THE CONTROL INTERFACE")
        paragraph(
            "The socket `/run/alertd/org.alertd.Control` speaks Varlink (https://varlink.org): a JSON object and a "
                + "zero byte each way. Its interface is `org.alertd.Control`; `GetInterfaceDescription` answers what "
                + "stands below. Whoever may open the socket may read; methods that change something are for root, "
                + "the user of the daemon and the group `alertd-admin`.")
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
