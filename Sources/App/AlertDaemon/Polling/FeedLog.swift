internal import Delivery
internal import EventLoop
internal import Feeds
internal import Journal
internal import Market
internal import Time

/// What fails and recovers in the log.
enum FeedSubject: String {
    case feed
    case rates = "exchange rates"

    fileprivate var failed: MessageID { self == .feed ? .feedFailed : .ratesFailed }
    fileprivate var recovered: MessageID { self == .feed ? .feedWorks : .ratesWork }
}

extension Log {
    /// Writes a failure or a recovery; nothing when there is nothing to report:
    /// `feed: request timed out after 20s; retrying in 1m`.
    func write(_ report: FailureReporter.Report?, of subject: FeedSubject, retryingIn delay: Milliseconds) {
        guard let report else { return }
        switch report {
        case .failed(let failure, let count, _):
            warning(
                "\(subject.rawValue): \(failure.sentence); \(report.text(retryingIn: delay))", id: subject.failed,
                [.failure: failure.kind.rawValue, .count: String(count)])
        case .recovered(let failures, _):
            notice(
                "\(subject.rawValue): \(report.text(retryingIn: delay))", id: subject.recovered,
                [.count: String(failures)])
        }
    }
}

extension FailureReporter.Report {
    /// `retrying in 1m (seen 31 times in 15m)` or `recovered after 3 failures over 4m`
    func text(retryingIn delay: Milliseconds) -> String {
        switch self {
        case .failed(_, let count, let over):
            let seen = count > 1 ? " (seen \(count) times in \(over.approximate))" : ""
            return "retrying in \(delay.approximate)\(seen)"
        case .recovered(let failures, let after):
            return "recovered after \(failures) failure\(failures == 1 ? "" : "s") over \(after.approximate)"
        }
    }
}
