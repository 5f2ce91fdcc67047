internal import Arguments
internal import Journal
internal import Market

/// `alertctl log`: what the journal holds of the daemon.
enum LogCommand: Command {
    static let usualLines = 50
    static let usualLinesToFollow = 10
    static let unit = "alertd.service"

    /// The priorities that a user may ask for, and their numbers.
    static let priorities: KeyValuePairs = [
        "critical": 2, "error": 3, "warning": 4, "notice": 5, "info": 6, "debug": 7,
    ]

    static let specification = CommandLineSpecification(
        "log", summary: "Show the daemon's entries of the journal",
        discussion: [
            "It shows the last \(usualLines) entries of the service \(unit), of a service of your own, and of an "
                + "alertd that you have started yourself; with --since all from then on. It reads the journal itself, "
                + "so that the daemon need not run. The entries of the service may be read by root and by the groups "
                + "systemd-journal and adm.",
            "Alerts are there from the time on that the journal keeps; 'alertctl events' knows older ones. "
                + "alertd.journal-fields(7) tells what the kinds mean. A time is \(TimeReader.forms).",
        ],
        examples: [
            Example("alertctl log --since 1h --priority warning", "What went wrong in the last hour."),
            Example("alertctl log --symbol btcinr --kind fired -n 5", "The last five alerts of a market."),
            Example("alertctl log --follow --json | jq -r .message", "For programs: one JSON object a line."),
        ],
        options: [
            OptionSpecification("since", value: "TIME", help: "Only entries of this time or later"),
            OptionSpecification("until", value: "TIME", help: "Only entries before this time"),
            OptionSpecification(
                "lines", short: "n", value: "NUMBER",
                help: "At most so many, the newest; \(usualLines) by default, \(usualLinesToFollow) with --follow"),
            OptionSpecification("follow", short: "f", help: "Go on with what comes, until interrupted"),
            OptionSpecification("symbol", value: "PATTERN", kind: .live("symbols"), help: "Only of symbols like this"),
            OptionSpecification("rule", value: "NAME", kind: .live("rules"), help: "Only of one rule"),
            OptionSpecification(
                "kind", value: "KIND", kind: .oneOf(MessageID.all.map(\.name)), help: "Only entries of one kind"),
            OptionSpecification(
                "priority", short: "p", value: "LEVEL", kind: .oneOf(priorities.map(\.key)),
                help: "Only of this level or a worse one"),
            OptionSpecification("system", help: "Only entries of the system's service"),
            OptionSpecification("user", help: "Only entries of your own"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let arguments = context.arguments
        guard !(arguments.has("system") && arguments.has("user")) else {
            throw .usage("--system and --user exclude each other")
        }
        let isFollowing = arguments.has("follow")
        let range = try TimeRange(context)
        guard !isFollowing || range.until == nil else { throw .usage("--follow and --until exclude each other") }
        let scope: JournalScope = arguments.has("system") ? .system : arguments.has("user") ? .user : .both
        let usual = isFollowing ? usualLinesToFollow : range.since == nil ? usualLines : nil
        let limit = try context.number("lines") ?? usual
        let filter = try LogFilter(arguments, range)
        do throws(JournalError) {
            let journal = try context.environment.openJournal(scope)
            let count = try LogPrinter(context: context, filter: filter, journal: journal)
                .show(last: limit, isFollowing: isFollowing)
            return try end(count, scope, context)
        } catch {
            throw .journal(error)
        }
    }

    /// Who finds nothing and may not read everything is notified so.
    private static func end(_ count: Int, _ scope: JournalScope, _ context: Context) throws(JournalError) -> ExitCode {
        let seesAll = context.arguments.has("user") || context.environment.canReadSystemJournal()
        if count == 0, !seesAll { throw .denied }
        if !seesAll { context.note("alertctl: only entries of your own are shown; see --system") }
        if count == 0, context.format.isHuman { context.note("No entry matches.") }
        return .success
    }
}

/// Which entries the user wants to see.
struct LogFilter {
    let range: TimeRange
    private let pattern: SymbolPattern?
    private let rule: String?
    private let kind: String?
    private let leastPriority: Int?

    init(_ arguments: ParsedArguments, _ range: TimeRange) throws(ClientError) {
        self.range = range
        pattern = try EventFilter(arguments).pattern
        rule = arguments.value("rule")
        kind = arguments.value("kind")
        let level = arguments.value("priority")
        leastPriority = LogCommand.priorities.first { $0.key == level }?.value
    }

    func accepts(_ record: JournalRecord) -> Bool {
        if let leastPriority, record.priority > leastPriority { return false }
        if let rule, record.values[.rule] != rule { return false }
        if let kind, record.kind != kind { return false }
        guard let pattern else { return true }
        return record.values[.symbol].flatMap { Symbol($0) }.map(pattern.matches) ?? false
    }
}
