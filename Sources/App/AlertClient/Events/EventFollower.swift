internal import Control
internal import Time

/// A follower of events that continues across restarts of the daemon.
struct EventFollower {
    private let context: Context
    private let filter: EventFilter
    /// The time after which to stop; nil for no limit.
    private let limit: Milliseconds?
    private let begun: WallTime
    /// The number of the last event received.
    private var last = 0
    /// True once the daemon has responded.
    private(set) var hasBegun = false

    init(_ context: Context, _ filter: EventFilter, within limit: Milliseconds? = nil) {
        self.context = context
        self.filter = filter
        self.limit = limit
        begun = context.environment.now()
    }

    /// Passes each event to the body, even if the filter does not match it, until the body returns false.
    ///
    /// - Parameters:
    ///   - lines: The number of past events to begin with; nil for the default.
    ///   - after: The number of the event to begin after; `lines` is then ignored.
    ///   - body: Called with each event.
    /// - Throws: ``ClientError/timedOut(_:)`` after the limit.
    mutating func follow(
        lines: Int?, after: Int?, _ body: (inout EventPrinter, EventRecord) -> Bool
    ) throws(ClientError) {
        let connection = try context.connect()
        let status = try connection.status()
        hasBegun = true
        if status.simulated, context.format != .json {
            context.environment.warn("# SIMULATED market: these prices are made up\n")
        }
        last = after ?? Self.start(of: lines ?? TailCommand.usualLines, endingAt: status.lastEvent)
        var current: (any ControlConnection)? = connection
        while true {
            if let connected = current, try !listen(to: connected, body) { return }
            current = try reconnect()
        }
    }

    /// Returns the number of the event before the last `count` ones; 0 if there are no more than that.
    private static func start(of count: Int, endingAt newest: Int) -> Int {
        max(count, newest) - count
    }

    /// Passes new events to the body. Returns true when the daemon goes away, false when the body is done.
    private mutating func listen(
        to connection: any ControlConnection, _ body: (inout EventPrinter, EventRecord) -> Bool
    ) throws(ClientError) -> Bool {
        var printer = try EventPrinter(context, filter, connection)
        do {
            try connection.monitor(MonitorEventsParameters(after: last), within: try rest()) { reply in
                if let missed = reply.missed, missed > 0 { printer.report(missed: missed) }
                guard let event = reply.event else { return true }
                last = event.number
                return body(&printer, event)
            }
            return false
        } catch {
            switch error {
            case .closed: return true
            // The limit of this call was only the time left, so the error must name the whole limit.
            case .timedOut: throw limit.map(ClientError.timedOut) ?? error
            default: throw error
            }
        }
    }

    /// Returns the time left until the limit; nil for no limit.
    private func rest() throws(ClientError) -> Milliseconds? {
        guard let limit else { return nil }
        let rest = Milliseconds(limit.count - context.environment.now().since(begun).count)
        guard rest > .zero else { throw .timedOut(limit) }
        return rest
    }

    /// Waits until the daemon is back.
    ///
    /// - Throws: ``ClientError/notRunning(socket:)`` if the daemon does not come back in time.
    private mutating func reconnect() throws(ClientError) -> any ControlConnection {
        context.warn("alertctl: lost the connection to the daemon; waiting for it")
        var waited = Milliseconds.zero
        while waited < TailCommand.patience {
            _ = try rest()
            context.environment.pause(TailCommand.retryInterval)
            waited = Milliseconds(waited.count + TailCommand.retryInterval.count)
            if let connection = try? context.connect(), let status = try? connection.status() {
                resume(from: status.lastEvent)
                return connection
            }
        }
        throw .notRunning(socket: context.target.socket)
    }

    /// Resumes after a reconnect. Event numbers continue across restarts. If the newest number is lower than the last
    /// one seen, this is another daemon, or the state was lost. The latest events are then shown, because they are
    /// new.
    private mutating func resume(from newest: Int) {
        guard newest < last else { return }
        context.warn(
            "alertctl: the daemon's last event is #\(newest), but #\(last) was seen before: its state was lost or "
                + "replaced"
        )
        last = Self.start(of: TailCommand.usualLines, endingAt: newest)
    }
}
