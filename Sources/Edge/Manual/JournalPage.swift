internal import Arguments
internal import Events
internal import Journal

extension ManualPages {
    /// alertd.journal-fields(7)
    static func journalPage() -> ManualDocument {
        var page = begin("alertd.journal-fields", section: 7, "the fields of alertd's entries in the journal")
        page.section("DESCRIPTION")
        page.paragraph(
            "`alertd`(8) writes events that are notified, and its own messages, to the journal as structured "
                + "entries. Any field below can be used as a match for `journalctl`(1); `alertctl log` has options "
                + "for the most common ones. `journalctl --catalog` explains each entry and says what to do next.")
        page.section("FIELDS OF ALERTD")
        for field in JournalField.allCases {
            let users = MessageID.all.filter { $0.fields.contains(field) }.map(\.name)
            let always = users.isEmpty ? [] : ["Always present in: \(users.joined(separator: ", "))."]
            page.item("\(field.rawValue)=", [field.help] + always)
        }
        page.section("FIELDS OF THE JOURNAL")
        for (field, help) in commonFields { page.item("\(field)=", [help]) }
        page.section("MESSAGE IDS")
        page.paragraph(
            "An id permanently identifies one kind of entry. After each is its name for `alertctl log --kind`.")
        for id in MessageID.all { page.item(id.text, value: id.name, [id.meaning + "."]) }
        page.section("EXAMPLES")
        page.paragraph(
            "Today's entries about one market; firing alerts as JSON; and all warnings and errors, explained:")
        page.code([
            "journalctl ALERTD_SYMBOL=btcinr --since today",
            "journalctl MESSAGE_ID=\(MessageID.of(.fired).text) --output json",
            "journalctl --unit alertd --priority warning --catalog",
        ])
        page.paragraph("The same without journalctl:")
        page.code(["alertctl log --symbol btcinr --since 00:00", "alertctl log --kind fired --json"])
        page.seeAlso(["alertd(8)", "alertctl(1)", "alertd-events(7)", "journalctl(1)", "systemd.journal-fields(7)"])
        return page
    }

    private static let commonFields = [
        ("MESSAGE", "The message, in one line; control characters are escaped."),
        ("MESSAGE_ID", "The kind of entry; see below."),
        (
            "PRIORITY",
            "2 for alerts of severity critical, 3 for errors, 4 for other alerts and warnings, 5 for resolved "
                + "alerts, recoveries and reloads, 6 for alerts of severity info and for details."
        ),
        ("SYSLOG_IDENTIFIER", "Always alertd."),
    ]
}
