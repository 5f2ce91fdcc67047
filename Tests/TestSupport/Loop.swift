internal import EventLoop
internal import Foundation
internal import Synchronization

private let started = Mutex(false)

/// Sees to it that a thread runs the event loop, so that code of ``LoopActor`` can run in a test.
package func startLoop() {
    started.withLock {
        guard !$0 else { return }
        $0 = true
        Thread.detachNewThread {
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
    return try await body()
}
