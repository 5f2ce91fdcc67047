package import Arguments

/// The command line of `alertctl`, from which its help, manual page and completions are made too.
package enum ClientCommandLine {
    package static let specification = CommandLineSpecification(
        "alertctl", summary: "Look at the price alert daemon alertd, and steer it",
        discussion: [
            "Without a command it shows a short status. Data go to standard output, words to standard error. What "
                + "--json and --plain print is stable; tables may change."
        ],
        examples: [
            Example("alertctl", "Is all well?"),
            Example("alertctl list --quote inr --sort change --reverse --top 20", "The winners of the day in rupees."),
            Example("alertctl show btcinr", "One symbol, its limits and how far away they are."),
            Example("alertctl tail", "Follow what happens."),
            Example("alertctl alerts --firing --check", "For scripts: exit code 5 when an alert fires."),
        ],
        options: commonOptions, commands: allCommands.map { $0.specification },
        exitCodes: ExitCode.allCases.map { (code: Int($0.rawValue), meaning: $0.meaning) })

    private static let commonOptions = [
        OptionSpecification.help,
        OptionSpecification("version", help: "Show the version and exit"),
        OptionSpecification(
            "socket", value: "PATH", kind: .file, help: "The control socket of the daemon",
            details: "The default is the value of ALERTD_SOCKET, else the socket of your own daemon in "
                + "$XDG_RUNTIME_DIR/alertd, while there is one, else \(Context.defaultSocket)."),
        OptionSpecification("timeout", value: "LENGTH", help: "Wait at most so long for an answer; 5s by default"),
        OptionSpecification(
            "currency", value: "CODE", kind: .live("currencies"),
            help: "Show prices in this currency, such as USD; quote for each market's own",
            details:
                "The default is the value of ALERTCTL_CURRENCY, else what [display] of the settings says, else USD. "
                + "What --json, --plain and --csv print is in the market's own currency unless this option is given."),
        OptionSpecification("json", help: "Print JSON: one object, or one a line where the output goes on"),
        OptionSpecification("plain", help: "Print one record a line, its fields parted by tabs"),
        OptionSpecification("header", help: "With --plain: begin with the names of the fields"),
        OptionSpecification("no-header", help: "Print tables without the names of the columns"),
        OptionSpecification(
            "color", value: "WHEN", kind: .oneOf(["auto", "always", "never"]), help: "Use colours",
            details: "With auto, the default, a terminal gets colours unless NO_COLOR is set or TERM is dumb; "
                + "CLICOLOR_FORCE and FORCE_COLOR give them to anything else too."),
        OptionSpecification("ascii", help: "Use ASCII characters only, apart from names"),
        OptionSpecification("utc", help: "Show times in UTC, not in local time"),
        OptionSpecification("quiet", short: "q", help: "Print errors only; the exit code tells the rest"),
    ]
}
