/// A value that one task waits for and that code on the loop delivers once.
///
/// The class is inlinable so that each module specializes it for the module's types. A poll waits several times, and
/// without specialization the runtime would look up the generic types each time.
@LoopActor
@usableFromInline
package final class OneShot<Success: Sendable, Failure: Error> {
    @safe
    @usableFromInline enum State {
        case empty
        /// The continuation is unchecked because it is resumed at the only place where it leaves this state. A
        /// checked continuation has no fixed layout, so the runtime would copy it through generic metadata.
        case waiting(UnsafeContinuation<Result<Success, Failure>, Never>)
        case finished(Result<Success, Failure>)
    }

    @usableFromInline var state = State.empty

    @inlinable
    package init() {}

    /// True after the value was delivered.
    package var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Delivers the value; later values are ignored.
    @inlinable
    package func finish(_ result: Result<Success, Failure>) {
        switch state {
        case .empty: state = .finished(result)
        case .waiting(let continuation):
            state = .finished(result)
            unsafe continuation.resume(returning: result)
        case .finished: break
        }
    }

    /// Waits for the value. Only one task may wait.
    ///
    /// - Parameter cancelled: the error to throw if the task is cancelled before the value is delivered.
    /// - Returns: the value that was delivered.
    /// - Throws: the failure that was delivered, or `cancelled`.
    @inlinable
    package func value(onCancel cancelled: Failure) async throws(Failure) -> Success {
        let result = await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Result<Success, Failure>, Never>) in
                switch state {
                case .empty: state = unsafe .waiting(continuation)
                case .finished(let result): unsafe continuation.resume(returning: result)
                case .waiting: preconditionFailure("two tasks wait for one value")
                }
            }
        } onCancel: {
            runOnLoop { self.finish(.failure(cancelled)) }
        }
        return try result.get()
    }
}

extension OneShot where Failure == Never {
    /// Waits for the value, even if the task is cancelled. Only one task may wait.
    @inlinable
    package func wait() async -> Success {
        await unsafe withUnsafeContinuation { (continuation: UnsafeContinuation<Result<Success, Never>, Never>) in
            switch state {
            case .empty: state = unsafe .waiting(continuation)
            case .finished(let result): unsafe continuation.resume(returning: result)
            case .waiting: preconditionFailure("two tasks wait for one value")
            }
        }.get()
    }
}

/// Runs `operation` on the loop soon; callable from any thread.
@usableFromInline
func runOnLoop(_ operation: @escaping @LoopActor @Sendable () -> Void) {
    Loop.shared.start { operation() }
}
