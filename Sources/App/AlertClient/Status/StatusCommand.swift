internal import Arguments
internal import Control
internal import Market

/// `alertctl status`: how the daemon is, as systemctl would say it.
enum StatusCommand: Command {
    static let specification = CommandLineSpecification(
        "status", summary: "Show how the daemon and its feed are",
        examples: [
            Example("alertctl status", "Everything at a glance, with what to do about what is not well."),
            Example("alertctl status --check -q", "For scripts: 0 when all is well, 5 firing, 7 stale, 3 not running."),
        ],
        options: [
            OptionSpecification(
                "check", help: "Exit with 5 when an alert fires, else with 7 when prices are stale")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: false)
    }

    /// What is shown when no command is named.
    static func runShort(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: true)
    }

    private static func run(_ context: Context, isShort: Bool) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let status = try connection.status()
        // A daemon of an earlier version knows no rates.
        let rates = try? connection.call(.rates, Nothing(), returning: RatesReply.self)
        context.show(StatusReport(status, rates, context, isShort: isShort).report)
        guard context.arguments.has("check") else { return .success }
        return status.firing > 0 ? .firing : status.feed.stale ? .stale : .success
    }
}
