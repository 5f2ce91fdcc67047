internal import Arguments
internal import Control
internal import Events
internal import Market

/// `alertctl silence add|list|expire`: manages silences, which suppress notifications for a while.
enum SilenceCommand: Command {
    static let specification = CommandLineSpecification(
        "silence", summary: "Silence alerts: record them, but do not notify",
        discussion: [
            "Silences survive restarts. An alert that is still firing when its silence ends is notified once then. "
                + "'alertctl events' shows what was suppressed. Events about the feed and the daemon itself are always "
                + "notified.",
            "Only root, the daemon's own user and members of the group alertd-admin may add or end silences; everyone "
                + "may list them.",
        ], commands: [add, list, expire], requiresCommand: true)

    private static let add = CommandLineSpecification(
        "add", summary: "Add a silence",
        discussion: [
            "Suppresses alerts that match everything you give: source, symbols, rule and severity. Give at least "
                + "one of them."
        ],
        examples: [
            Example("alertctl silence add btcinr --for 2h --comment 'I know'", "Silence btcinr for two hours."),
            Example(
                "alertctl silence add '*usdt' --severity info --until 18:00",
                "Silence minor alerts in USDT markets until six."),
            Example("alertctl silence add --rule 'btc band' --for 30m", "One rule, on all its symbols."),
            Example("alertctl silence add 'kraken:btc*' --for 1h", "Markets of one source of several."),
            Example(
                "alertctl silence add '*' --severity info --daily 22:00-07:00 --days mon-fri",
                "Each night that begins on a weekday."),
            Example(
                "alertctl silence add '*inr' --daily 22:00-07:00 --timezone Europe/Stockholm",
                "When it is night in Stockholm, wherever the daemon runs."),
        ],
        options: [
            OptionSpecification(
                "source", value: "NAME", kind: .live("sources"), help: "Only alerts of this source of prices"),
            OptionSpecification("rule", value: "NAME", kind: .live("rules"), help: "Only alerts of this rule"),
            OptionSpecification(
                "severity", value: "SEVERITY", kind: .oneOf(Severity.allCases.map(\.rawValue)),
                help: "Only alerts of this severity"),
            OptionSpecification("for", value: "DURATION", help: "How long: 30m, 2h, 1d12h"),
            OptionSpecification(
                "until", value: "TIME", help: "Until when: 18:00, '2026-11-22 08:00'",
                details:
                    "A time of day without a date means the next such time. --until follows changes of the system "
                    + "clock; --for does not."),
            OptionSpecification(
                "daily", value: "HOURS", help: "Only in these hours of each day: 22:00-07:00, 10pm-7am",
                details:
                    "In the local time of the daemon, or in that of --timezone; when clocks change for "
                    + "summer time, the hours stay the same. Without --for or --until, the silence lasts for a year."),
            OptionSpecification(
                "days", value: "DAYS", help: "With --daily: only hours that begin on these days: mon-fri, sat,sun"),
            OptionSpecification(
                "timezone", value: "ZONE", help: "With --daily: the time zone of the hours: Europe/Stockholm",
                details: "The default is the daemon's: that of the machine, or TZ in its unit."),
            OptionSpecification("comment", short: "c", value: "TEXT", help: "Reason for the silence"),
        ],
        operands: [
            OperandSpecification(
                "PATTERN", kind: .live("symbols"), isOptional: true,
                help: "A symbol, or a pattern where * stands for any text: '*inr'")
        ])

    private static let list = CommandLineSpecification(
        "list", aliases: ["ls"], summary: "List active silences",
        examples: [Example("alertctl silence list --all", "Also those that ended within the last 30 days.")],
        options: [OptionSpecification("all", help: "Also list silences that have ended")])

    private static let expire = CommandLineSpecification(
        "expire", aliases: ["remove", "rm", "delete"], summary: "End silences early",
        examples: [
            Example("alertctl silence expire 3", "Alerts that it still suppresses are notified with the next price."),
            Example("alertctl silence expire --all", "End all silences."),
        ],
        options: [OptionSpecification("all", help: "End all silences")],
        operands: [
            OperandSpecification(
                "NUMBER", kind: .live("silences"), isOptional: true, isRepeated: true, help: "The number of a silence")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        switch context.arguments.path.last {
        case "add": try begin(context)
        case "expire": try end(context)
        default: try show(context)
        }
        return .success
    }

    private static func begin(_ context: Context) throws(ClientError) {
        let parameters = try SilenceReader(context).parameters
        let reply = try context.connect().call(.addSilence, parameters, returning: AddSilenceReply.self)
        let silence = reply.silence
        let formatter = context.formatter
        let length = formatter.remaining(silence.ends).map { ", for \($0)" } ?? ""
        let matching = "\(counted(silence.alerts, "alert")), \(silence.firing) firing"
        context.show(
            Report(parts: [
                .text(
                    "Silence \(silence.number) until \(formatter.time(silence.ends))\(length): "
                        + "\(silence.text)\(silence.daily.map { ", daily \($0)" } ?? ""); \(matching).", .none),
                .fields(key: nil, zip(silenceColumns, silenceRow(silence, formatter)).map { Field($0.key, $1.value) }),
            ]))
        if let note = reply.note { context.warn("alertctl: \(note)") }
        context.warnUnlessSaved(reply.saved)
    }

    private static func show(_ context: Context) throws(ClientError) {
        let all = context.arguments.has("all")
        let reply = try context.connect().all(
            .listSilences, ListSilencesParameters(all: all ? true : nil), returning: ListSilencesReply.self)
        context.show(
            Report(parts: [
                .table(table(reply.silences, context.formatter, isComplete: all))
            ])
        )
    }

    private static func end(_ context: Context) throws(ClientError) {
        let texts = context.arguments.operands
        guard texts.isEmpty == context.arguments.has("all") else {
            throw .usage("silence expire takes numbers, or --all; 'alertctl silence list' shows them")
        }
        let numbers = texts.compactMap { Int($0) }
        guard numbers.count == texts.count else { throw .usage("silence expire takes numbers, such as 3") }
        let reply = try context.connect().call(
            .expireSilences, ExpireSilencesParameters(numbers: texts.isEmpty ? nil : numbers),
            returning: ExpireSilencesReply.self)
        var lines = reply.silences.map { "Silence \($0.number) ended: \($0.text)." }
        if reply.count > lines.count { lines.append("And \(reply.count - lines.count) more.") }
        context.show(
            Report(
                parts: lines.map { .text($0, .none) } + (lines.isEmpty ? [.text("No active silences.", .none)] : [])
                    + [.table(table(reply.silences, context.formatter, isComplete: true).forPrograms)]))
        context.warnUnlessSaved(reply.saved)
    }

    private static func table(
        _ silences: [SilenceStatus], _ formatter: HumanFormatter, isComplete: Bool
    ) -> Table {
        Table(
            key: "silences",
            columns: silenceColumns(of: silences, hasEnded: isComplete),
            rows: silences.map { silenceRow($0, formatter) },
            whenEmpty: isComplete ? "No silences." : "No active silences.")
    }
}
