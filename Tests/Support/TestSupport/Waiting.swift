internal import EventLoop

/// What a test waited for did not happen in time.
package struct NothingCame: Error {
    package init() {}
}

/// Polls until the body returns a value. For what cannot be awaited, such as another process or a file.
///
/// - Throws: ``NothingCame`` when there is none within the time limit.
package func waitFor<Result>(
    _ limit: Duration = .seconds(600), _ look: () throws -> Result?
) async throws -> Result {
    let end = ContinuousClock.now + limit
    while true {
        if let found = try look() { return found }
        guard ContinuousClock.now < end else { throw NothingCame() }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Waits until something holds on the loop.
///
/// - Throws: ``NothingCame`` when it does not within ten minutes.
@LoopActor
package func until(_ condition: @LoopActor () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while !condition() {
        guard ContinuousClock.now < end else { throw NothingCame() }
        try await sleep(for: .milliseconds(1))
    }
}
