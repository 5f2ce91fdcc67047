internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl tail`: what happens, as it happens.
enum TailCommand: Command {
    /// How long a daemon that went away is waited for, and how often it is looked for.
    static let patience = Milliseconds.seconds(30)
    static let retryInterval = Milliseconds.seconds(1)
    /// How many past events are shown first when the user does not say, as with other programs that follow.
    static let usualLines = 10

    static let specification = CommandLineSpecification(
        "tail", summary: "Follow events until interrupted",
        discussion: [
            "When the daemon is restarted, the command waits for it for 30 seconds and goes on where it was; events "
                + "are kept, so none is missed. Control-C ends it."
        ],
        examples: [
            Example("alertctl tail", "The last ten events, then what comes."),
            Example("alertctl tail --symbol '*inr' --kind fired", "Only alerts that fire in markets paid in rupees."),
            Example("alertctl tail -n 0 --json | jq -r .text", "For programs: one JSON object a line, from now on."),
        ],
        options: [
            OptionSpecification(
                "lines", short: "n", value: "NUMBER", help: "Begin with the last so many events; 10 by default"),
            OptionSpecification(
                "after", value: "NUMBER", help: "Begin after the event of this number; 0 for all that are kept"),
        ] + EventFilter.options)

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        var follower = EventFollower(context: context, filter: try EventFilter(context.arguments))
        try follower.follow(lines: try context.number("lines"), after: try context.number("after"))
        return .success
    }
}

/// Follows events over restarts of the daemon.
private struct EventFollower {
    let context: Context
    let filter: EventFilter
    /// The number of the last event that was seen.
    private var last = 0

    init(context: Context, filter: EventFilter) {
        self.context = context
        self.filter = filter
    }

    mutating func follow(lines: Int?, after: Int?) throws(ClientError) {
        let connection = try context.connect()
        let status = try connection.status()
        if status.simulated { context.environment.warn("# SIMULATED market: these prices are made up\n") }
        last = after ?? max(0, status.lastEvent - (lines ?? TailCommand.usualLines))
        var current: (any ControlConnection)? = connection
        while true {
            if let connected = current { try listen(to: connected) }
            current = try reconnect()
        }
    }

    /// Shows what comes, until the daemon goes away.
    private mutating func listen(to connection: any ControlConnection) throws(ClientError) {
        var printer = try EventPrinter(context, filter, connection)
        do {
            try connection.monitor(MonitorEventsParameters(after: last)) { reply in
                if let missed = reply.missed, missed > 0 { printer.tell(missed: missed) }
                guard let event = reply.event else { return }
                last = event.number
                printer.show(event)
            }
        } catch {
            guard error == .closed else { throw error }
        }
    }

    /// - Throws: ``ClientError/notRunning(socket:)`` when the daemon does not come back.
    private mutating func reconnect() throws(ClientError) -> any ControlConnection {
        context.note("alertctl: the daemon went away; waiting for it")
        var waited = Milliseconds.zero
        while waited < TailCommand.patience {
            context.environment.pause(TailCommand.retryInterval)
            waited = Milliseconds(waited.count + TailCommand.retryInterval.count)
            if let connection = try? context.connect(), let status = try? connection.status() {
                goOn(from: status.lastEvent)
                return connection
            }
        }
        throw .notRunning(socket: context.target.socket)
    }

    /// Numbers go on over a restart. Where they do not, the daemon is another one or has lost its state: what it has
    /// notified lately is shown then, because it was not seen.
    private mutating func goOn(from newest: Int) {
        guard newest < last else { return }
        context.note(
            "alertctl: the daemon's last event is #\(newest), but #\(last) was seen: its state was lost or replaced")
        last = max(0, newest - TailCommand.usualLines)
    }
}
