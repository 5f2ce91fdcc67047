internal import Arguments
internal import Manual

extension ClientCommandLine {
    /// The text of the manual page alertctl(1).
    static var manualPage: String {
        ManualPages.program(
            specification, section: 1, topics: [variables, files],
            seeAlso: ["alertd(8)", "alertd.toml(5)", "alertd-events(7)", "alertd.journal-fields(7)", "journalctl(1)"])
    }

    private static let variables = Topic(
        "ENVIRONMENT",
        [
            ("ALERTD_SOCKET", "The control socket, unless --socket is given."),
            (DisplayChoice.variable, "The currency that prices are shown in, or 'quote', unless --currency is given."),
            ("NO_COLOR", "Turns colours off if it is not empty; --color overrides it."),
            ("CLICOLOR_FORCE, FORCE_COLOR", "Turn colours on even if the output is not a terminal."),
            ("TERM", "Turns colours and 'alertctl watch' off if it is not set, empty or 'dumb'."),
            (
                TerminalBackground.variable,
                "Whether the background of the terminal is 'light' or 'dark'. Without it, 'alertctl watch' asks the "
                    + "terminal, and other commands use COLORFGBG."
            ),
            ("COLORTERM", "More than 256 colours are used if it is 'truecolor' or '24bit'."),
            ("COLUMNS, LINES", "The width and height of output, instead of those of the terminal."),
            (
                "ALERTCTL_PAGER, PAGER",
                "The program that shows output that does not fit the screen (default: less); empty or 'cat' for none."
            ),
            ("XDG_RUNTIME_DIR", "Searched first for the socket of a daemon that you run without root."),
            (
                "XDG_CONFIG_HOME, XDG_STATE_HOME",
                "The directories of your favourites and asset names, and of the last event that 'alertctl notify' "
                    + "showed."
            ),
            (
                "LC_ALL, LC_CTYPE, LANG",
                "Characters other than ASCII are used only if the first of these that is set names UTF-8."
            ),
            ("VISUAL, EDITOR", "The editor of 'alertctl rule edit'."),
            ("TZ", "The time zone in which times are shown and read, unless --utc is given."),
        ])

    private static let files = Topic(
        "FILES",
        [
            (Context.defaultSocket, "The control socket of the daemon; see alertd-events(7)."),
            ("/etc/alertd/alertd.toml", "The daemon's settings; see alertd.toml(5)."),
            ("/usr/share/alertd/schemas", "JSON Schemas of the output of each command with --json."),
            ("/etc/alertd/rules.d/alertctl.toml", "The rules added with 'alertctl rule add'."),
        ])
}
