internal import Arguments
internal import Journal
internal import Market

/// `alertctl log`: shows the entries of the daemon in the journal.
enum LogCommand: Command {
    static let usualLines = 50
    static let usualLinesToFollow = 10
    static let unit = "alertd.service"

    /// The values of `--priority`, and their numbers in the journal.
    static let priorities: KeyValuePairs = [
        "critical": 2, "error": 3, "warning": 4, "notice": 5, "info": 6, "debug": 7,
    ]

    static let specification = CommandLineSpecification(
        "log", summary: "Show the daemon's journal entries",
        discussion: [
            "Shows the last \(usualLines) entries of the service \(unit), of your own user service, and of an "
                + "alertd that you started yourself; with --since, all entries from then on. It reads the journal "
                + "directly, so the daemon does not have to be running. The entries of the system service are readable "
                + "by root and the groups systemd-journal and adm.",
            "The journal discards old entries; 'alertctl events' shows older alerts. alertd.journal-fields(7) explains "
                + "the kinds. TIME can be \(TimeReader.forms).",
        ],
        examples: [
            Example("alertctl log --since 1h --priority warning", "What went wrong in the last hour."),
            Example("alertctl log --symbol btcinr --kind fired -n 5", "The last five alerts that fired on btcinr."),
            Example("alertctl log --follow --json | jq -r .message", "For programs: one JSON object per line."),
        ],
        options: [
            OptionSpecification("since", value: "TIME", help: "Only entries at or after this time"),
            OptionSpecification("until", value: "TIME", help: "Only entries before this time"),
            OptionSpecification(
                "lines", short: "n", value: "NUMBER",
                help: "Show the newest NUMBER entries (default: \(usualLines); \(usualLinesToFollow) with --follow)"),
            OptionSpecification("follow", short: "f", help: "Keep showing new entries until interrupted"),
            OptionSpecification(
                "symbol", value: "PATTERN", kind: .live("symbols"),
                help: "Only entries about symbols that match this pattern"),
            OptionSpecification("rule", value: "NAME", kind: .live("rules"), help: "Only entries about this rule"),
            OptionSpecification(
                "kind", value: "KIND", kind: .oneOf(MessageID.all.map(\.name)), help: "Only entries of this kind"),
            OptionSpecification(
                "priority", short: "p", value: "LEVEL", kind: .oneOf(priorities.map(\.key)),
                help: "This priority or higher"),
            OptionSpecification("system", help: "Only entries of the system service"),
            OptionSpecification("user", help: "Only entries of your user service and your own daemons"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let arguments = context.arguments
        guard !(arguments.has("system") && arguments.has("user")) else {
            throw .usage("--system and --user cannot be combined")
        }
        let isFollowing = arguments.has("follow")
        let range = try TimeRange(context)
        guard !isFollowing || range.until == nil else { throw .usage("--follow and --until cannot be combined") }
        let scope: JournalScope = arguments.has("system") ? .system : arguments.has("user") ? .user : .both
        let usual = isFollowing ? usualLinesToFollow : range.since == nil ? usualLines : nil
        let limit = try context.number("lines") ?? usual
        let filter = try LogFilter(arguments, range)
        do throws(JournalError) {
            let journal = try context.environment.openJournal(scope)
            let show = { (context: Context) throws(JournalError) in
                try LogPrinter(context: context, filter: filter, journal: journal)
                    .show(last: limit, isFollowing: isFollowing)
            }
            let count = isFollowing ? try show(context) : try context.paging(show)
            return try end(count, scope, context)
        } catch {
            throw .journal(error)
        }
    }

    /// Warns if the user may not read all entries. In this case, throws ``JournalError/denied`` if no entry was shown.
    private static func end(_ count: Int, _ scope: JournalScope, _ context: Context) throws(JournalError) -> ExitCode {
        let seesAll = context.arguments.has("user") || context.environment.canReadSystemJournal()
        if count == 0, !seesAll { throw .denied }
        if !seesAll {
            context.warn(
                "alertctl: showing only your own entries; you are not allowed to read those of the "
                    + "system service")
        }
        if count == 0, context.format.isHuman { context.warn("No entries match.") }
        return .success
    }
}

/// The user's selection of entries.
struct LogFilter {
    let range: TimeRange
    private let pattern: SymbolPattern?
    private let rule: String?
    private let source: String?
    private let kind: String?
    private let leastPriority: Int?

    init(_ arguments: ParsedArguments, _ range: TimeRange) throws(ClientError) {
        self.range = range
        let filter = try EventFilter(arguments)
        (pattern, source) = (filter.pattern, filter.source)
        rule = arguments.value("rule")
        kind = arguments.value("kind")
        let level = arguments.value("priority")
        leastPriority = LogCommand.priorities.first { $0.key == level }?.value
    }

    func accepts(_ record: JournalRecord) -> Bool {
        if let leastPriority, record.priority > leastPriority { return false }
        if let rule, record.values[.rule] != rule { return false }
        if let kind, record.kind != kind { return false }
        if let source, record.values[.source] != source { return false }
        guard let pattern else { return true }
        return record.values[.symbol].flatMap { Symbol($0) }.map(pattern.matches) ?? false
    }
}
