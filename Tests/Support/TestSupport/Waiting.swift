/// What was waited for did not come in time.
package struct NothingCame: Error {
    package init() {}
}

/// Looks again and again until there is something. For what cannot be awaited: another process, a file.
///
/// - Throws: ``NothingCame`` when there is nothing within the limit.
package func waitFor<Result>(
    _ limit: Duration = .seconds(20), _ look: () throws -> Result?
) async throws -> Result {
    let end = ContinuousClock.now + limit
    while true {
        if let found = try look() { return found }
        guard ContinuousClock.now < end else { throw NothingCame() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
