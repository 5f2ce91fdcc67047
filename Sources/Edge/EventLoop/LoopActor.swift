/// The one place where the daemon's state lives: everything isolated to it runs on the thread of ``Loop/shared``.
@globalActor
package actor LoopActor {
    package static let shared = LoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Loop.shared.asUnownedSerialExecutor()
    }

    /// Runs `operation` as code of this actor, at once. For callbacks that the loop makes, which the compiler cannot
    /// see to be on its thread.
    ///
    /// Traps when it is called on another thread.
    package nonisolated static func assumeIsolated<Result: Sendable>(
        _ operation: @LoopActor () throws -> Result
    ) rethrows -> Result {
        Loop.shared.checkIsolated()
        // The standard library's own form, which it offers for the main actor only.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafe unsafeBitCast(operation, to: (() throws -> Result).self)()
        }
    }
}
