import Foundation

private let launchLock = NSLock()

/// Makes pipes and starts processes one at a time.
///
/// Foundation learns of the end of a process from a socket that closes with it, and a test learns of the end of an
/// output from a pipe. A process that another test starts in that very moment inherits both and keeps them open as long
/// as it lives: who waits for the end then waits for that one, too.
package func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try launchLock.withLock(body)
}
