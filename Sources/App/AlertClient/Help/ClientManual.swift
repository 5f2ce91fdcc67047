internal import Arguments
internal import Manual

extension ClientCommandLine {
    /// alertctl(1)
    static var manualPage: String {
        ManualPages.program(
            specification, section: 1, topics: [variables, files],
            seeAlso: ["alertd(8)", "alertd.toml(5)", "alertd-events(7)", "alertd.journal-fields(7)", "journalctl(1)"])
    }

    private static let variables = Topic(
        "ENVIRONMENT",
        [
            ("ALERTD_SOCKET", "The control socket, unless --socket names one."),
            (DisplayChoice.variable, "What prices are shown in, unless --currency says it: a currency, or quote."),
            ("NO_COLOR", "No colours, when it is not empty; --color overrides it."),
            ("CLICOLOR_FORCE, FORCE_COLOR", "Colours also where the output is no terminal."),
            ("TERM", "No colours when it is dumb."),
            ("COLUMNS", "How wide tables may be, in place of the width of the terminal."),
            ("LC_ALL, LC_CTYPE, LANG", "Whether characters beyond ASCII are drawn: when it names UTF-8."),
            ("TZ", "The time zone of times that are shown and typed, unless --utc is given."),
        ])

    private static let files = Topic(
        "FILES",
        [
            (Context.defaultSocket, "The control socket of the daemon; see alertd-events(7)."),
            ("/etc/alertd/alertd.toml", "The settings of the daemon; see alertd.toml(5)."),
        ])
}
