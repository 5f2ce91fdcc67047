internal import Arguments
internal import Control
internal import Time

/// `alertctl wait`: waits for an event, for scripts.
enum WaitCommand: Command {
    static let specification = CommandLineSpecification(
        "wait", summary: "Wait for an event, for scripts",
        discussion: [
            "Waits for the next event that matches, shows it as 'tail' does, and exits with 0. If there is none within "
                + "the time given with --timeout, it exits with 8; without --timeout, it waits indefinitely.",
            "Only new events count. To miss none between two calls, begin after the last one with --after. If the "
                + "daemon is restarted, the command waits up to 30 seconds for it.",
        ],
        examples: [
            Example(
                "alertctl wait --rule 'btc band' --kind fired --timeout 1h", "Until the rule fires, or for an hour."),
            Example("alertctl wait --symbol btcinr --json | jq -r .price", "The price of the next event on a symbol."),
            Example("alertctl wait --after 120", "The first event after event 120, even if it is past."),
        ],
        options: EventFilter.options + [
            OptionSpecification("after", value: "NUMBER", help: "Begin after this event, not with new events only")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let filter = try EventFilter(context.arguments)
        let after = try context.number("after")
        let limit = context.arguments.has("timeout") ? context.target.timeout : nil
        if let rule = filter.rule { try context.connect().requireRule(rule) }
        var follower = EventFollower(context, filter, within: limit)
        do throws(ClientError) {
            try follower.follow(lines: 0, after: after) { printer, event in
                guard filter.accepts(event) else { return true }
                printer.show(event)
                return false
            }
            return .success
        } catch {
            // If the daemon has never responded, it is unknown whether there was an event.
            guard let limit, error == .timedOut(limit), follower.hasBegun else { throw error }
            throw .noEvent(limit)
        }
    }
}
