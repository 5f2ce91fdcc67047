package import Time

/// A wait that can be cut short.
@safe
@LoopActor
package final class Pause {
    /// The task that waits. This is not a new ``OneShot`` per wait, because that type is generic and the runtime
    /// would look up its metadata each time one is freed.
    private var waiting: UnsafeContinuation<Bool, Never>?
    /// The number of waits that have begun.
    private var count: UInt64 = 0
    private var timer: LoopTimer?

    /// - Parameter accuracy: the time by which a wait may exceed the requested length.
    package init(accuracy: Duration) {
        timer = LoopTimer(accuracy: accuracy) { [weak self] in self?.end() }
    }

    /// Waits for this time, or until ``end()`` if it is nil. Only one task may wait.
    ///
    /// - Returns: false if the task was cancelled.
    package func wait(_ length: Milliseconds?) async -> Bool {
        precondition(unsafe waiting == nil, "two tasks wait for one pause")
        count += 1
        if let length { timer?.arm(after: length.duration) }
        return await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { unsafe waiting = $0 }
        } onCancel: { [count] in
            // By now this wait may have ended, and the next one may have begun.
            runOnLoop { if self.count == count { self.end(false) } }
        }
    }

    /// Ends the wait in progress, if any.
    package func end() { end(true) }

    private func end(_ result: Bool) {
        guard let ended = unsafe waiting.take() else { return }
        timer?.disarm()
        unsafe ended.resume(returning: result)
    }
}
