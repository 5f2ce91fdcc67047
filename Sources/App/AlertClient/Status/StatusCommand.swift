internal import Arguments
internal import Control
internal import Market

/// `alertctl status`: the state of the daemon, in the style of systemctl.
enum StatusCommand: Command {
    static let specification = CommandLineSpecification(
        "status", summary: "Show the state of the daemon and its feed",
        examples: [
            Example("alertctl status", "The complete state, with advice on problems."),
            Example("alertctl status --check -q", "For scripts: 0 if all is well, 5 firing, 7 stale, 3 not running."),
        ],
        options: [
            OptionSpecification(
                "check", help: "Exit with 5 if an alert is firing, else with 7 if prices are stale")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: false)
    }

    /// The short form, shown if no command is given.
    static func runShort(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: true)
    }

    private static func run(_ context: Context, isShort: Bool) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let status = try connection.status()
        // A daemon of an earlier version does not know the method.
        let rates = try? connection.call(.rates, Nothing(), returning: RatesReply.self)
        let several = status.sources.count > 1
        let firing =
            status.firing > 0
            ? FiringLines(connection, context, isShort: isShort, hasSeveralSources: several).lines : []
        context.show(StatusReport(status, rates, context, firing: firing, isShort: isShort).report)
        guard context.arguments.has("check") else { return .success }
        return status.firing > 0 ? .firing : status.isStale ? .stale : .success
    }
}
