/// What a test waited for did not happen in time.
package struct NothingCame: Error {
    package init() {}
}

/// Polls until the body returns a value. For what cannot be awaited, such as another process or a file.
///
/// - Throws: ``NothingCame`` when there is none within the time limit.
package func waitFor<Result>(
    _ limit: Duration = .seconds(120), _ look: () throws -> Result?
) async throws -> Result {
    let end = ContinuousClock.now + limit
    while true {
        if let found = try look() { return found }
        guard ContinuousClock.now < end else { throw NothingCame() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
