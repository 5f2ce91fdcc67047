import Foundation

private let launchLock = NSLock()

/// Makes pipes and starts processes one at a time.
///
/// Foundation notices the end of a process by a socket that is closed with it, and a test notices the end of output by
/// a pipe. A process that another test starts at that moment inherits both and keeps them open while it runs, so a wait
/// for the first would also wait for the other.
package func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try launchLock.withLock(body)
}
