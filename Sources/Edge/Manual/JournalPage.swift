internal import Arguments
internal import Events
internal import Journal

extension ManualPages {
    /// alertd.journal-fields(7)
    static func journalPage() -> ManualDocument {
        var page = begin("alertd.journal-fields", section: 7, "the fields of alertd's entries in the journal")
        page.section("DESCRIPTION")
        page.paragraph(
            "`alertd`(8) writes notified events and its own messages to the journal as entries with fields, so "
                + "that they "
                + "can be found by what they are about. Any field below can be given to `journalctl`(1) as a match; "
                + "`alertctl log` knows those that are asked for most. `journalctl --catalog` explains each entry and "
                + "says what to do next.")
        page.section("FIELDS OF ALERTD")
        for field in JournalField.allCases {
            let users = MessageID.all.filter { $0.fields.contains(field) }.map(\.name)
            let always = users.isEmpty ? [] : ["Always there in: \(users.joined(separator: ", "))."]
            page.item("\(field.rawValue)=", [field.help] + always)
        }
        page.section("FIELDS OF THE JOURNAL")
        for (field, help) in commonFields { page.item("\(field)=", [help]) }
        page.section("MESSAGE IDS")
        page.paragraph("An id names one kind of entry for ever. Behind each is its name for `alertctl log --kind`.")
        for id in MessageID.all { page.item(id.text, value: id.name, [id.meaning + "."]) }
        page.section("EXAMPLES")
        page.paragraph("What was said of one market today; alerts as JSON; and all that matters, explained:")
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
        ("MESSAGE", "What is said, in one line; control characters are escaped."),
        ("MESSAGE_ID", "The kind of entry; see below."),
        (
            "PRIORITY",
            "2 for an alert that matters most (severity critical), 3 for what cannot be done, 4 for warnings and "
                + "alerts, 5 for what is over or back and for reloads, 6 for alerts of severity info and for detail."
        ),
        ("SYSLOG_IDENTIFIER", "Always alertd."),
    ]
}
