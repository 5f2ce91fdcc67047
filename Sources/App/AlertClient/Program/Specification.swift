package import Arguments

/// The command line of `alertctl`; help, the manual page and completions are made from it.
package enum ClientCommandLine {
    package static let specification = CommandLineSpecification(
        "alertctl", summary: "Inspect and control the price alert daemon alertd",
        discussion: [
            "Without a command, alertctl shows a short status. Data goes to standard output, messages to standard "
                + "error. The output of --json, --csv and --plain is stable; tables may change."
        ],
        examples: [
            Example("alertctl", "Is everything all right?"),
            Example(
                "alertctl list --quote inr --sort change --reverse --top 20", "The day's biggest gainers in rupees."),
            Example("alertctl show btcinr", "One symbol, its limits, and how far the price is from them."),
            Example("alertctl tail", "Follow events as they happen."),
            Example("alertctl alerts --firing --check", "For scripts: exit code 5 if an alert is firing."),
        ],
        options: commonOptions, commands: allCommands.map { $0.specification }, hints: hints,
        exitCodes: ExitCode.allCases.map { (code: Int($0.rawValue), meaning: $0.meaning) })

    /// Suggestions for unknown commands: those of systemctl, and synonyms of existing commands.
    private static let hints = [
        "start": "systemctl start alertd", "stop": "systemctl stop alertd", "restart": "systemctl restart alertd",
        "enable": "systemctl enable --now alertd", "disable": "systemctl disable --now alertd",
        "ls": "alertctl list", "price": "alertctl show", "prices": "alertctl list", "top": "alertctl list --top 10",
        "add": "alertctl rule add", "remove": "alertctl rule remove", "edit": "alertctl rule edit",
        "mute": "alertctl silence add", "snooze": "alertctl silence add", "follow": "alertctl tail",
    ]

    private static let commonOptions = [
        OptionSpecification.help,
        OptionSpecification("version", help: "Show the version of alertctl and exit"),
        OptionSpecification(
            "socket", value: "PATH", kind: .file, help: "The control socket of the daemon",
            details: "The default is the value of ALERTD_SOCKET, else the socket of your own daemon in "
                + "$XDG_RUNTIME_DIR/alertd if there is one, else \(Context.defaultSocket)."),
        OptionSpecification("timeout", value: "DURATION", help: "Response timeout (default: 5s)"),
        OptionSpecification(
            "currency", value: "CODE", kind: .live("currencies"),
            help: "Show prices in this currency, such as USD; 'quote' for each market's own",
            details:
                "The default is the value of ALERTCTL_CURRENCY, else the currency in [display] of the settings, else "
                + "USD. Without this option, --json, --plain and --csv print prices in the market's own currency."),
        OptionSpecification(
            "json", help: "Print JSON: one object, or one object per line for a stream",
            details:
                "Errors are then JSON objects on standard error, such as {\"error\": {\"code\": \"usage\", "
                + "\"exit_code\": 2, \"message\": \"...\"}}, with \"suggestion\" if the name of a symbol or "
                + "rule was probably mistyped."),
        OptionSpecification("plain", help: "Print one record per line, with tab-separated fields"),
        OptionSpecification(
            "csv", help: "Print CSV with column names",
            details: "Only tables are printed, separated by empty lines; a report without a table is printed with one "
                + "field per row. A command without such output refuses --json, --plain and --csv."),
        OptionSpecification("header", help: "With --plain, print the field names first"),
        OptionSpecification("no-header", help: "Print tables and CSV without column names"),
        OptionSpecification(
            "color", aliases: ["colour"], value: "WHEN", kind: .oneOf(["auto", "always", "never"]), help: "Use colours",
            details:
                "With auto, the default, colours are used on a terminal unless NO_COLOR is set, or TERM is not set, "
                + "empty or dumb. CLICOLOR_FORCE and FORCE_COLOR turn them on everywhere."),
        OptionSpecification(
            "no-pager", help: "Do not show long output in a pager",
            details:
                "On a terminal, output that is longer than the screen is shown in the program that ALERTCTL_PAGER or "
                + "PAGER names, else in less. An empty name or 'cat' turns this off."),
        OptionSpecification("ascii", help: "Use ASCII characters only, except for letters in names"),
        OptionSpecification("utc", help: "Show times in UTC instead of local time"),
        OptionSpecification("quiet", short: "q", help: "Print errors only; check the exit code for the result"),
    ]
}
