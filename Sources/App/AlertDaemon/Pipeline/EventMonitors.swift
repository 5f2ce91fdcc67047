package import EventLoop
internal import Events
internal import Market

/// The clients that follow the events, and where each of them is.
@LoopActor
package final class EventMonitors {
    private var monitors: [ObjectIdentifier: EventMonitor] = [:]

    /// Nobody follows events yet.
    package init() {}

    /// Adds a client, which wants the events after the given number.
    func add(_ client: ObjectIdentifier, after number: Int64) -> EventMonitor {
        let monitor = EventMonitor(after: number)
        monitors[client] = monitor
        return monitor
    }

    func remove(_ client: ObjectIdentifier) {
        monitors[client] = nil
    }

    /// There are new events.
    func wake() {
        for monitor in monitors.values { monitor.wake() }
    }

    /// Events that were sent have other numbers now.
    func renumber(_ shift: NumberShift) {
        for monitor in monitors.values { monitor.position = shift.applied(monitor.position + 1) - 1 }
    }
}

/// A client that follows the events.
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
