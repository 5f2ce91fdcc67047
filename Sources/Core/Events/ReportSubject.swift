/// The subject of an event that is not about an alert. A report and the event that ends it have the same subject.
package enum ReportSubject: Sendable {
    case feed, symbol, store, receiver, check, rules, drill

    /// True if a report lasts until another event ends it.
    package var lasts: Bool { self != .rules && self != .drill }
}

extension EventKind {
    /// The subject of the event; nil for events about alerts.
    package var subject: ReportSubject? {
        switch self {
        case .feedStale, .feedRecovered: .feed
        case .symbolFrozen, .symbolMissing, .symbolReturned: .symbol
        case .storeFailed, .storeRecovered: .store
        case .receiverFailed, .receiverRecovered: .receiver
        case .diverged, .converged: .check
        case .rulesChanged: .rules
        case .test: .drill
        case .fired, .resolved, .repeated, .touched: nil
        }
    }
}
