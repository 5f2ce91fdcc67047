internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl tail`: events as they happen.
enum TailCommand: Command {
    /// How long to wait for a daemon that has gone away, and how often to try.
    static let patience = Milliseconds.seconds(30)
    static let retryInterval = Milliseconds.seconds(1)
    /// The default number of past events that are shown first, as in other programs that follow.
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
        var follower = EventFollower(context: context, filter: try EventFilter(context.arguments))
        try follower.follow(lines: try context.number("lines"), after: try context.number("after"))
        return .success
    }
}

/// Follows events across restarts of the daemon.
private struct EventFollower {
    let context: Context
    let filter: EventFilter
    /// The number of the last event received.
    private var last = 0

    init(context: Context, filter: EventFilter) {
        self.context = context
        self.filter = filter
    }

    mutating func follow(lines: Int?, after: Int?) throws(ClientError) {
        let connection = try context.connect()
        let status = try connection.status()
        if status.simulated { context.environment.warn("# SIMULATED market: these prices are made up\n") }
        last = after ?? Self.start(of: lines ?? TailCommand.usualLines, endingAt: status.lastEvent)
        var current: (any ControlConnection)? = connection
        while true {
            if let connected = current { try listen(to: connected) }
            current = try reconnect()
        }
    }

    /// The number of the event before the last `count` ones.
    private static func start(of count: Int, endingAt newest: Int) -> Int {
        max(count, newest) - count
    }

    /// Shows new events until the daemon goes away.
    private mutating func listen(to connection: any ControlConnection) throws(ClientError) {
        var printer = try EventPrinter(context, filter, connection)
        do {
            try connection.monitor(MonitorEventsParameters(after: last)) { reply in
                if let missed = reply.missed, missed > 0 { printer.note(missed: missed) }
                guard let event = reply.event else { return }
                last = event.number
                printer.show(event)
            }
        } catch {
            guard error == .closed else { throw error }
        }
    }

    /// - Throws: ``ClientError/notRunning(socket:)`` if the daemon does not come back.
    private mutating func reconnect() throws(ClientError) -> any ControlConnection {
        context.note("alertctl: lost the connection to the daemon; waiting for it")
        var waited = Milliseconds.zero
        while waited < TailCommand.patience {
            context.environment.pause(TailCommand.retryInterval)
            waited = Milliseconds(waited.count + TailCommand.retryInterval.count)
            if let connection = try? context.connect(), let status = try? connection.status() {
                resume(from: status.lastEvent)
                return connection
            }
        }
        throw .notRunning(socket: context.target.socket)
    }

    /// Event numbers continue across restarts. If they do not, this is another daemon or its state was lost: then its
    /// latest events are shown, which were not seen yet.
    private mutating func resume(from newest: Int) {
        guard newest < last else { return }
        context.note(
            "alertctl: the daemon's last event is #\(newest), but #\(last) was seen before: its state was lost or "
                + "replaced"
        )
        last = Self.start(of: TailCommand.usualLines, endingAt: newest)
    }
}
