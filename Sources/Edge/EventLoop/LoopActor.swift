/// The one place where the daemon's state lives: everything isolated to it runs on the thread of ``Loop/shared``.
@globalActor
@usableFromInline
package actor LoopActor {
    @usableFromInline package static let shared = LoopActor()

    @usableFromInline
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Loop.shared.asUnownedSerialExecutor()
    }
}

// The compiler writes the length of this file's path into the program, where a closure could escape. Without a
// directory, it is the same in every build.
#sourceLocation(file:"LoopActor+Isolation.swift",line:1)
extension LoopActor {
    /// Runs `operation` at once as code of this actor. For callbacks from the loop, which the compiler cannot prove to
    /// be on its thread.
    ///
    /// Traps when it is called on another thread.
    @inlinable
    package nonisolated static func assumeIsolated<Result: Sendable>(
        _ operation: @LoopActor () throws -> Result
    ) rethrows -> Result {
        Loop.shared.checkIsolated()
        // The same as the standard library does, which has it for the main actor only.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafe unsafeBitCast(operation, to: (() throws -> Result).self)()
        }
    }
}
#sourceLocation()
