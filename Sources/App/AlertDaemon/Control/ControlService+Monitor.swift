internal import Control
internal import EventLoop
internal import Events
internal import Market
internal import Varlink

/// One who follows the events.
@LoopActor
final class EventMonitor {
    /// The number of the last event that was sent.
    var position: Int64
    private var pause: OneShot<Void, Never>?

    init(after position: Int64) {
        self.position = position
    }

    /// Waits until ``wake()``.
    func untilWoken() async {
        let pause = OneShot<Void, Never>()
        self.pause = pause
        await pause.wait()
        self.pause = nil
    }

    func wake() {
        pause?.finish(.success(()))
    }
}

extension ControlService {
    /// 200 events of some 500 bytes: 100 kB a page, which take a few milliseconds to read and to write.
    private static let pageCount = 200

    /// Sends events from where the client is, stored ones and new ones in the same way: page by page, each when the
    /// client has taken the one before. So one that is slow costs no memory, and there is no seam at which an event
    /// could be left out or sent twice.
    func monitorEvents(_ call: VarlinkCall) async throws(VarlinkError) {
        let after = try call.decodeParameters(as: MonitorEventsParameters.self).after
        let last = daemon.pipeline.log.lastNumber
        let monitor = EventMonitor(after: after.map { min(max(0, Int64(clamping: $0)), last) } ?? last)
        let key = ObjectIdentifier(call)
        monitors[key] = monitor
        call.onClose { monitor.wake() }
        while !call.isClosed {
            if sendPage(to: call, monitor) { await call.untilRoom() } else { await monitor.untilWoken() }
        }
        monitors[key] = nil
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

    /// There are new events.
    func wakeMonitors() {
        for monitor in monitors.values { monitor.wake() }
    }

    /// Events that were sent have other numbers now.
    func renumber(_ shift: NumberShift) {
        for monitor in monitors.values { monitor.position = shift.applied(monitor.position + 1) - 1 }
    }
}
