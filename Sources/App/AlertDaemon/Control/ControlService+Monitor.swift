internal import Control
internal import EventLoop
internal import Events
internal import Market
internal import Varlink

extension ControlService {
    /// 200 events of some 500 bytes: 100 kB a page, which take a few milliseconds to read and to write.
    private static let pageCount = 200

    /// Sends events from where the client is, stored ones and new ones in the same way: page by page, each when the
    /// client has taken the one before. So one that is slow costs no memory, and there is no seam at which an event
    /// could be left out or sent twice.
    func monitorEvents(_ call: VarlinkCall) async throws(VarlinkError) {
        let after = try call.decodeParameters(as: MonitorEventsParameters.self).after
        let last = daemon.pipeline.events.lastNumber
        let key = ObjectIdentifier(call)
        let position = after.map { min(max(0, Int64(clamping: $0)), last) } ?? last
        let monitor = daemon.pipeline.monitors.add(key, after: position)
        call.onClose { monitor.wake() }
        while !call.isClosed {
            if sendPage(to: call, monitor) { await call.untilRoom() } else { await monitor.untilWoken() }
        }
        daemon.pipeline.monitors.remove(key)
    }

    /// Whether there was something to send.
    private func sendPage(to call: VarlinkCall, _ monitor: EventMonitor) -> Bool {
        let (missed, events) = daemon.pipeline.events(after: monitor.position, limit: Self.pageCount)
        guard let last = events.last else { return false }
        if missed > 0 { call.reply(MonitorEventsReply(missed: Int(clamping: missed)), continues: true) }
        for event in events { call.reply(MonitorEventsReply(event: EventRecord(event)), continues: true) }
        monitor.position = last.number
        return true
    }
}
