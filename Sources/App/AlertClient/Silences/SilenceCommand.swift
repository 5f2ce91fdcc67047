internal import Arguments
internal import Control
internal import Events
internal import Market

/// `alertctl silence add|list|expire`: keeps what is known from being notified.
enum SilenceCommand: Command {
    static let specification = CommandLineSpecification(
        "silence", summary: "Have matching alerts recorded but not notified for a while",
        discussion: [
            "A silence outlives the daemon. What still fires when it ends is notified once, then. 'alertctl events' "
                + "shows "
                + "what it held back. Events of the feed and of the daemon itself are notified all the same.",
            "For root, the user of the daemon and the group alertd-admin; everybody may list.",
        ], commands: [add, list, expire], requiresCommand: true)

    private static let add = CommandLineSpecification(
        "add", summary: "Begin a silence",
        discussion: [
            "It holds back what matches all that is given: the symbols, the rule, the severity; at least one of them."
        ],
        examples: [
            Example("alertctl silence add btcinr --for 2h --comment 'I know'", "Two hours without btcinr."),
            Example("alertctl silence add '*usdt' --severity info --until 18:00", "Nothing small until six."),
            Example("alertctl silence add --rule 'btc band' --for 30m", "One rule, on all of its symbols."),
        ],
        options: [
            OptionSpecification("rule", value: "NAME", kind: .live("rules"), help: "Only what this rule tells"),
            OptionSpecification(
                "severity", value: "SEVERITY", kind: .oneOf(Severity.allCases.map(\.rawValue)),
                help: "Only what is of this severity"),
            OptionSpecification("for", value: "LENGTH", help: "How long: 30m, 2h, 1d12h"),
            OptionSpecification(
                "until", value: "TIME", help: "Until when: 18:00, '2026-11-22 08:00'",
                details:
                    "A time of day without a date is the next one. It follows the clock that people read, --for one "
                    + "that is never set."),
            OptionSpecification("comment", short: "c", value: "TEXT", help: "Why, for who finds it later"),
        ],
        operands: [
            OperandSpecification(
                "PATTERN", kind: .live("symbols"), isOptional: true,
                help: "A symbol, or a pattern in which * stands for any text: '*inr'")
        ])

    private static let list = CommandLineSpecification(
        "list", summary: "List the silences in force",
        examples: [Example("alertctl silence list --all", "Also those that were over within the last 30 days.")],
        options: [OptionSpecification("all", help: "Also those that are over")])

    private static let expire = CommandLineSpecification(
        "expire", summary: "End silences before their time",
        examples: [
            Example("alertctl silence expire 3", "What it still holds back is notified with the next price."),
            Example("alertctl silence expire --all", "All that are in force."),
        ],
        options: [OptionSpecification("all", help: "All that are in force")],
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
                .words(
                    "Silence \(silence.number) until \(formatter.time(silence.ends))\(length): "
                        + "\(silence.words); \(matching).", .none),
                .fields(key: nil, zip(silenceColumns, silenceRow(silence, formatter)).map { Field($0.key, $1.value) }),
            ]))
        if let note = reply.note { context.note("alertctl: \(note)") }
        context.noteUnsaved(reply.saved)
    }

    private static func show(_ context: Context) throws(ClientError) {
        let all = context.arguments.has("all")
        let reply = try context.connect().call(
            .listSilences, ListSilencesParameters(all: all ? true : nil), returning: ListSilencesReply.self)
        context.show(
            Report(parts: [
                .table(table(reply.silences, context.formatter, all ? "No silences." : "Nothing is silenced."))
            ])
        )
    }

    private static func end(_ context: Context) throws(ClientError) {
        let texts = context.arguments.operands
        guard texts.isEmpty == context.arguments.has("all") else {
            throw .usage("silence expire takes numbers, or --all; 'alertctl silence list' shows them")
        }
        let numbers = texts.compactMap { Int($0) }
        guard numbers.count == texts.count else { throw .usage("silence expire takes numbers: 3") }
        let reply = try context.connect().call(
            .expireSilences, ExpireSilencesParameters(numbers: texts.isEmpty ? nil : numbers),
            returning: ExpireSilencesReply.self)
        let words = reply.silences.map { "Silence \($0.number) ended: \($0.words)." }
        context.show(
            Report(
                parts: words.map { .words($0, .none) } + (words.isEmpty ? [.words("Nothing is silenced.", .none)] : [])
                    + [.table(table(reply.silences, context.formatter, "").forPrograms)]))
        context.noteUnsaved(reply.saved)
    }

    private static func table(_ silences: [SilenceStatus], _ formatter: HumanFormatter, _ whenEmpty: String) -> Table {
        Table(
            key: "silences", columns: silenceColumns, rows: silences.map { silenceRow($0, formatter) },
            whenEmpty: whenEmpty)
    }
}
