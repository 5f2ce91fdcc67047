internal import Delivery
internal import EventLoop
internal import Feeds
internal import Journal
internal import Market
internal import Time

/// The subject of failures and recoveries in the log.
enum FeedSubject {
    /// A source of prices, and whether it is one of several.
    case feed(SourceName, isAmongSeveral: Bool)
    case rates

    fileprivate var text: String {
        switch self {
        case .feed(_, isAmongSeveral: false): "feed"
        case .feed(let name, isAmongSeveral: true): "feed \(name)"
        case .rates: "exchange rates"
        }
    }

    /// The journal fields of all messages about this subject.
    fileprivate var values: [JournalField: String] {
        if case .feed(let name, _) = self { [.source: name.description] } else { [:] }
    }

    fileprivate var failed: MessageID { isRates ? .ratesFailed : .feedFailed }
    fileprivate var recovered: MessageID { isRates ? .ratesWork : .feedWorks }

    private var isRates: Bool { if case .rates = self { true } else { false } }
}

extension Log {
    /// Writes a failure or a recovery, such as `feed: request timed out after 20s; retrying in 1m`. Does nothing if
    /// `report` is nil.
    func write(_ report: FailureReporter.Report?, of subject: FeedSubject, retryingIn delay: Milliseconds) {
        guard let report else { return }
        switch report {
        case .failed(let failure, let count, _):
            warning(
                "\(subject.text): \(failure.sentence); \(report.text(retryingIn: delay))", id: subject.failed,
                subject.values.merging([.failure: failure.kind.rawValue, .count: String(count)]) { $1 })
        case .recovered(let failures, _):
            notice(
                "\(subject.text): \(report.text(retryingIn: delay))", id: subject.recovered,
                subject.values.merging([.count: String(failures)]) { $1 })
        }
    }
}

extension Log {
    /// Writes that elements of a response are ignored.
    func write(_ badElements: String, of subject: FeedSubject, _ count: Int) {
        warning(
            "\(subject.text): \(badElements)", id: .elementsIgnored,
            subject.values.merging([.count: String(count)]) { $1 })
    }
}

extension FailureReporter.Report {
    /// Returns `retrying in 1m (seen 31 times in 15m)` or `recovered after 3 failures over 4m`.
    func text(retryingIn delay: Milliseconds) -> String {
        switch self {
        case .failed(let failure, _, _) where failure.isFinal: return "no request is made until then"
        case .failed(_, let count, let over):
            let seen = count > 1 ? " (seen \(count) times in \(over.approximate))" : ""
            return "retrying in \(delay.approximate)\(seen)"
        case .recovered(let failures, let after):
            return "recovered after \(failures) failure\(failures == 1 ? "" : "s") over \(after.approximate)"
        }
    }
}
