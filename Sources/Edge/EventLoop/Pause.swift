package import Time

/// A wait that can be cut short.
@LoopActor
package final class Pause {
    private var current: OneShot<Void, CancellationError>?
    private var timer: LoopTimer?

    /// - Parameter accuracy: how much later than requested a wait may end.
    package init(accuracy: Duration) {
        timer = LoopTimer(accuracy: accuracy) { [weak self] in self?.end() }
    }

    /// Waits for this time, or until ``end()`` when it is nil.
    ///
    /// - Returns: false when the task was cancelled.
    package func wait(_ length: Milliseconds?) async -> Bool {
        let pause = OneShot<Void, CancellationError>()
        current = pause
        if let length { timer?.arm(after: length.duration) }
        defer {
            timer?.disarm()
            current = nil
        }
        do {
            try await pause.value(onCancel: CancellationError())
            return true
        } catch {
            return false
        }
    }

    /// Ends the wait that is in progress, if there is one.
    package func end() {
        current?.finish(.success(()))
    }
}
