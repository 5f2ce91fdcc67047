internal import Market
internal import Time

/// The rule for logging bad elements, which are elements of responses that are not valid tickers. They are logged when
/// they first appear, when there are twice as many as last reported, and once a day.
struct BadElementReporter {
    private static let interval = Milliseconds(86_400_000)

    private var reported = (count: 0, time: BootTime(milliseconds: 0))

    /// Checks a response.
    ///
    /// - Returns: the message to log; nil if there is nothing to report.
    mutating func report(_ batch: TickerBatch) -> String? {
        guard let message = batch.badElementsMessage else { return nil }
        let isDue = batch.received.boot.since(reported.time) >= Self.interval
        guard reported.count == 0 || isDue || batch.badElementCount >= 2 * reported.count else { return nil }
        reported = (batch.badElementCount, batch.received.boot)
        return message
    }
}

extension TickerBatch {
    /// `3 of 450 elements are ignored, such as {"symbol":"a b"}: no valid symbol`; nil if all of them are tickers.
    var badElementsMessage: String? {
        guard badElementCount > 0 else { return nil }
        let all = badElementCount + tickers.count
        let example = badExample.map { ", such as \($0)" } ?? ""
        return "\(badElementCount) of \(all) elements \(badElementCount == 1 ? "is" : "are") ignored\(example)"
    }
}
