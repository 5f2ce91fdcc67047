internal import Control
internal import EventLoop
internal import Events
internal import Market
internal import Varlink

/// The call `MonitorEvents`.
@LoopActor
struct MonitorHandlers: CallGroup {
    private let query: PipelineQuery
    private let monitors: EventMonitors

    init(_ query: PipelineQuery, _ monitors: EventMonitors) {
        self.query = query
        self.monitors = monitors
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.monitorEvents, .stream { call throws(VarlinkError) in try await self.monitorEvents(call) })
        ]
    }

    /// The number of events per page: 200 × about 500 bytes = 100 kB, which take a few milliseconds to read and
    /// write.
    private static let pageCount = 200

    /// Sends events from the position of the client, stored and new ones alike, page by page. Each page is sent after
    /// the client has read the previous page. A slow client therefore costs no memory, and no event can be skipped or
    /// sent twice.
    private func monitorEvents(_ call: VarlinkCall) async throws(VarlinkError) {
        let after = try call.decodeParameters(as: MonitorEventsParameters.self).after
        let last = query.events.lastNumber
        let key = ObjectIdentifier(call)
        let position = after.map { min(max(0, Int64(clamping: $0)), last) } ?? last
        let monitor = monitors.add(key, after: position)
        call.onClose { monitor.wake() }
        while !call.isClosed {
            if sendPage(to: call, monitor) { await call.untilRoom() } else { await monitor.untilWoken() }
        }
        monitors.remove(key)
    }

    /// Sends the next page; returns false if there was nothing to send.
    private func sendPage(to call: VarlinkCall, _ monitor: EventMonitor) -> Bool {
        let (missed, events) = query.events(after: monitor.position, limit: Self.pageCount)
        guard missed > 0 || !events.isEmpty else { return false }
        if missed > 0 { call.reply(MonitorEventsReply(missed: Int(clamping: missed)), continues: true) }
        for event in events { call.reply(MonitorEventsReply(event: EventRecord(event)), continues: true) }
        monitor.position = events.last?.number ?? monitor.position + missed
        return true
    }
}
