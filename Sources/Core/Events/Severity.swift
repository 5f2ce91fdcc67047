/// How much an event matters.
package enum Severity: String, CaseIterable, Sendable {
    case info
    case warning
    case critical
}
