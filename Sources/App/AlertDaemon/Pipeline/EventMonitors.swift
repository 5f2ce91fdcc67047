package import EventLoop
internal import Events
internal import Market

/// The clients that follow the events, and their positions.
@LoopActor
package final class EventMonitors {
    private var monitors: [ObjectIdentifier: EventMonitor] = [:]

    package init() {}

    /// Adds a client, which gets the events after the given number.
    func add(_ client: ObjectIdentifier, after number: Int64) -> EventMonitor {
        let monitor = EventMonitor(after: number)
        monitors[client] = monitor
        return monitor
    }

    func remove(_ client: ObjectIdentifier) {
        monitors[client] = nil
    }

    /// Wakes all clients, because there are new events.
    func wake() {
        for monitor in monitors.values { monitor.wake() }
    }

    /// Adjusts the positions of the clients after events that were already sent have been renumbered.
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
