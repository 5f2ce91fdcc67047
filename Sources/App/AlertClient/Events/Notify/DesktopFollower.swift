internal import Control
internal import Desktop
internal import Time
internal import VarlinkMessages

/// A follower that shows events on the desktop as they happen, and performs the actions that users choose there.
///
/// The number of an event is saved before the event is shown, so that a crash in between may lose one notification but
/// never shows one twice. Without a notification server, events stay pending, and their numbers are not saved.
final class DesktopFollower {
    /// The time for which events are collected, because several may become one notification.
    private static let collection = Milliseconds(300)
    /// The maximum number of pending events that are shown one by one. If there are more, one notification summarizes
    /// them.
    private static let mostAtOnce = 3
    /// The maximum number of events that wait for a server: 1,000 × about 2 kB = 2 MB.
    static let pendingLimit = 1_000
    private static let longestRetry = Milliseconds.seconds(30)
    private static let silence = Milliseconds.seconds(3_600)

    private let context: Context
    private let filter: EventFilter
    private let server: any NotificationServer
    private let path: String
    private var state: DesktopState
    private var pending: [EventRecord] = []
    /// The number of events dropped because too many were pending. The next summary counts them.
    private var droppedCount = 0
    /// True while there is no server; a signal reports when one appears.
    private var isWaiting = false
    private var text = DesktopText(hasMarkup: false)
    private var knowsServer = false
    /// The events of open notifications with buttons, by the number of the notification.
    private var events: [UInt32: EventRecord] = [:]
    /// The error that made the bus unusable; nil while the bus works.
    private var failure: DesktopError?

    init(_ context: Context, _ filter: EventFilter, _ server: any NotificationServer) throws(ClientError) {
        self.context = context
        self.filter = filter
        self.server = server
        let variables = context.environment.variables
        let folder =
            variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variables["HOME"].map { "\($0)/.local/state" }
        guard let folder else { throw .usage("HOME or XDG_STATE_HOME must be set") }
        path = "\(folder)/alertctl/notify.json"
        let stored = context.environment.read(path).flatMap { DesktopState($0) }
        // Event numbers of another daemon mean nothing here. -1 means that no status was read yet.
        state =
            stored?.socket == context.target.socket
            ? stored ?? DesktopState(socket: "", last: -1) : DesktopState(socket: context.target.socket, last: -1)
    }

    /// Follows events until the bus is gone.
    func run() throws(ClientError) {
        var retry = Milliseconds.seconds(1)
        while true {
            do throws(ClientError) {
                try follow()
                retry = .seconds(1)
            } catch {
                guard error.isAbsence else { throw error }
                context.warn("alertctl: the daemon cannot be reached; waiting for it")
            }
            if let failure { throw ClientError(failure) }
            let wait = server.wait
            context.environment.wait(wait.descriptor, wait.events, retry)
            retry = min(Milliseconds(retry.count * 2), Self.longestRetry)
            _ = act()
            if let failure { throw ClientError(failure) }
        }
    }

    /// Follows events until the daemon goes away.
    private func follow() throws(ClientError) {
        let connection = try context.connect()
        let newest = try connection.status().lastEvent
        if state.last < 0 || newest < state.last {
            state.last = newest
            save()
        }
        let after = pending.last?.number ?? state.last
        let companion = WaitCompanion(wait: { [self] in wait }, act: { [self] in act() })
        do throws(ClientError) {
            try connection.monitor(MonitorEventsParameters(after: after), beside: companion) { reply in
                if let event = reply.event, isRelevant(event) { enqueue(event) }
                return failure == nil
            }
        } catch {
            guard error == .closed else { throw error }
        }
    }

    private func isRelevant(_ event: EventRecord) -> Bool {
        let isUsual = event.kind != .rulesChanged || filter.kind == .rulesChanged
        return isUsual && event.notified && event.sink == nil && filter.accepts(event)
    }

    /// Queues an event until it can be shown. If too many are pending, a tenth of them are dropped and only counted:
    /// the least severe events, and among equals the oldest.
    private func enqueue(_ event: EventRecord) {
        if pending.count >= Self.pendingLimit {
            let ranked = pending.enumerated().map { (DesktopText.rank($0.element), $0.offset) }.sorted(by: <)
            let dropped = Set(ranked.prefix(Self.pendingLimit / 10).map(\.1))
            pending = pending.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
            droppedCount += dropped.count
        }
        pending.append(event)
    }

    private var wait: (descriptor: Int32, events: Int16, milliseconds: Int32) {
        var wait = server.wait
        guard !pending.isEmpty, !isWaiting else { return wait }
        let limit = Int32(clamping: Self.collection.count)
        wait.milliseconds = wait.milliseconds < 0 ? limit : min(wait.milliseconds, limit)
        return wait
    }

    /// Handles signals of the server and shows pending events; returns false once the bus is gone.
    private func act() -> Bool {
        do throws(DesktopError) {
            for signal in try server.signals() { handle(signal) }
            if !isWaiting { try showPending() }
        } catch {
            if case .noBus = error { failure = error }
        }
        return failure == nil
    }

    private func handle(_ signal: DesktopSignal) {
        switch signal {
        case .server(let name):
            knowsServer = false
            isWaiting = name == nil
        case .closed(let id):
            state.remove(id)
            events[id] = nil
        case .action(let id, let key):
            if let event = events[id] { perform(key, on: event) }
        }
    }
}

// MARK: Showing

extension DesktopFollower {
    private func showPending() throws(DesktopError) {
        guard !pending.isEmpty else { return }
        try meetServer()
        guard knowsServer else {
            // If there is no server, a signal reports when one appears. A server that did not answer is tried again.
            isWaiting = try server.name == nil
            return
        }
        if pending.count > Self.mostAtOnce {
            let summary = text.summary(of: pending, and: droppedCount)
            guard let last = pending.last, try show(summary, through: last.number) != nil else { return }
            (pending, droppedCount) = ([], 0)
        }
        while let event = pending.first {
            var notification = text.notification(of: event)
            notification.replaces = state.id(of: event.desktopAlert)
            guard let id = try show(notification, through: event.number) else { return }
            pending.removeFirst()
            remember(id, event, isOpen: !notification.actions.isEmpty)
        }
    }

    private func remember(_ id: UInt32, _ event: EventRecord, isOpen: Bool) {
        events[id] = isOpen ? event : nil
        if id == 0 || event.kind.isEnd {
            state.remove(event.desktopAlert)
        } else {
            state.set(id, of: event.desktopAlert)
        }
        // Servers do not always report that a notification was closed.
        if events.count > DesktopState.limit { events = events.filter { state.contains($0.key) } }
        save()
    }

    /// Shows a notification. `number` is the number of its last event.
    ///
    /// - Returns: the number of the notification, 0 if the server refuses it; nil if there is no server.
    private func show(_ notification: DesktopNotification, through number: Int) throws(DesktopError) -> UInt32? {
        let before = state.last
        state.last = number
        save()
        do throws(DesktopError) {
            return try server.show(notification)
        } catch {
            if case .noBus = error { throw error }
            guard try server.name == nil else {
                context.warn("alertctl: event #\(number) was not shown: \(ClientError(error).message)")
                return 0
            }
            isWaiting = true
            state.last = before
            save()
            return nil
        }
    }

    /// Asks each new server for its capabilities and name. If the server is a different one, the notification numbers
    /// of the previous server are dropped.
    private func meetServer() throws(DesktopError) {
        guard !knowsServer else { return }
        do throws(DesktopError) {
            text.hasMarkup = try server.hasMarkup
        } catch {
            if case .noBus = error { throw error }
            return
        }
        let name = try server.name
        if name != state.server {
            state.server = name
            state.shown = []
            events = [:]
        }
        knowsServer = name != nil
    }

    private func save() {
        if !context.environment.replace(path, state.content) {
            context.warn("alertctl: \(path) cannot be written; notifications may be shown again after a restart")
        }
    }
}

// MARK: Actions

extension DesktopFollower {
    private func perform(_ key: String, on event: EventRecord) {
        let subject = [event.symbol, event.rule].compactMap(\.self).joined(separator: ", ")
        do throws(ClientError) {
            let connection = try context.connect()
            switch key {
            case DesktopText.acknowledge.key:
                _ = try connection.call(
                    .acknowledge, AcknowledgeParameters(event: event.number), returning: AcknowledgeReply.self)
                report("Acknowledged", subject)
            case DesktopText.silence.key:
                let parameters = AddSilenceParameters(
                    source: event.source, symbol: event.symbol, rule: event.rule,
                    durationMilliseconds: Int(Self.silence.count), comment: "from the desktop")
                _ = try connection.call(.addSilence, parameters, returning: AddSilenceReply.self)
                report("Silenced for 1h", subject)
            default: break
            }
        } catch {
            report("Failed", "\(subject): \(error.message)")
        }
    }

    private func report(_ summary: String, _ body: String) {
        _ = try? server.show(text.feedback(summary, body))
    }
}

extension ClientError {
    /// True if the daemon is away and may come back.
    fileprivate var isAbsence: Bool {
        switch self {
        case .notRunning, .socketRemoved, .closed, .connection, .timedOut: true
        default: false
        }
    }
}
