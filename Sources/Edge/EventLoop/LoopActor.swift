/// The actor of the daemon's state. All code isolated to it runs on the thread of ``Loop/shared``.
@globalActor
@usableFromInline
package actor LoopActor {
    @usableFromInline package static let shared = LoopActor()

    @usableFromInline
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Loop.shared.asUnownedSerialExecutor()
    }
}

// Where a closure could escape, the compiler writes the length of this file's path into the program. A file name
// without a directory is the same in every build.
#sourceLocation(file:"LoopActor+Isolation.swift",line:1)
extension LoopActor {
    /// Runs `operation` immediately as code of this actor. For callbacks from the loop, because the compiler cannot
    /// prove that they run on the loop's thread.
    ///
    /// Traps if called on another thread.
    @inlinable
    package nonisolated static func assumeIsolated<Result: Sendable>(
        _ operation: @LoopActor () throws -> Result
    ) rethrows -> Result {
        Loop.shared.checkIsolated()
        // The standard library does the same, but only for the main actor.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafe unsafeBitCast(operation, to: (() throws -> Result).self)()
        }
    }
}
#sourceLocation()
