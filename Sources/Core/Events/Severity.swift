/// The urgency of an event.
package enum Severity: String, CaseIterable, Sendable {
    case info
    case warning
    case critical
}
