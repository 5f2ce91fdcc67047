/// How urgent an event is.
package enum Severity: String, CaseIterable, Sendable {
    case info
    case warning
    case critical
}
