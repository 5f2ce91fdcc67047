internal import EventLoop
internal import Foundation
internal import Synchronization

private let started = Mutex(false)

/// Ensures that a thread runs the event loop, so that code of ``LoopActor`` can run in a test.
package func startLoop() {
    started.withLock {
        guard !$0 else { return }
        $0 = true
        startThread {
            _ = Loop.shared.run {
                while true { try? await sleep(for: .seconds(3_600)) }
            }
        }
    }
}

/// Runs a test's body on the event loop.
package func onLoop<Result: Sendable>(
    _ body: @escaping @LoopActor @Sendable () async throws -> Result
) async throws -> Result {
    startLoop()
    // Not on the test's own task: its continuations would be resumed through the pool that all tests share.
    return try await Loop.shared.start { () -> sending Swift.Result<Result, any Error> in
        do { return .success(try await body()) } catch { return .failure(error) }
    }.value.get()
}

/// Runs blocking code on a separate thread, so that it does not occupy one of the pool that all tests share.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: body()) }
    }
}
