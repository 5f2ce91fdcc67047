internal import Arguments
internal import Control
internal import Time

/// `alertctl tail`: follows events as they happen.
enum TailCommand: Command {
    /// The longest wait for a daemon that has gone away, and the time between attempts to connect.
    static let patience = Milliseconds.seconds(30)
    static let retryInterval = Milliseconds.seconds(1)
    /// The default number of past events shown first, as in other programs that follow.
    static let usualLines = 10

    static let specification = CommandLineSpecification(
        "tail", summary: "Follow events until interrupted",
        discussion: [
            "If the daemon is restarted, the command waits up to 30 seconds for it and resumes after the last event "
                + "that it showed, so no event is missed. Press Ctrl+C to stop."
        ],
        examples: [
            Example("alertctl tail", "The last ten events, then new ones."),
            Example("alertctl tail --symbol '*inr' --kind fired", "Only alerts that fire in rupee markets."),
            Example(
                "alertctl tail -n 0 --json | jq -r .text", "For programs: one JSON object per line, new events only."),
        ],
        options: [
            OptionSpecification(
                "lines", short: "n", value: "NUMBER", help: "Begin with the last NUMBER events (default: \(usualLines))"
            ),
            OptionSpecification(
                "after", value: "NUMBER", help: "Begin after this event; 0 for all kept events"),
        ] + EventFilter.options)

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let filter = try EventFilter(context.arguments)
        let lines = try context.number("lines")
        let after = try context.number("after")
        if let rule = filter.rule { try context.connect().requireRule(rule) }
        var follower = EventFollower(context, filter)
        try follower.follow(lines: lines, after: after) { printer, event in
            printer.show(event)
            return true
        }
        return .success
    }
}
