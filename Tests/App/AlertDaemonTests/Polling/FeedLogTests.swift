import Feeds
import Market
import Testing
import Time

@testable import AlertDaemon

/// What the log says about a feed that fails and recovers.
struct FeedLogTests {
    private static let failure = FeedFailure(.timeout, "request timed out after 20s")
    /// Not tried again before somebody does something.
    private static let refused = {
        var failure = FeedFailure(.unauthorized, "the key is not accepted", advice: "get a key")
        failure.isFinal = true
        return failure
    }()

    @Test(
        arguments: [
            (.failed(failure, count: 1, over: .zero), "retrying in 1m"),
            (.failed(refused, count: 31, over: .seconds(900)), "no request is made until then"),
            (.failed(failure, count: 31, over: .seconds(900)), "retrying in 1m (seen 31 times in 15m)"),
            (.recovered(failures: 1, after: .seconds(30)), "recovered after 1 failure over 30s"),
            (.recovered(failures: 3, after: .seconds(240)), "recovered after 3 failures over 4m"),
        ] as [(FailureReporter.Report, String)])
    func reportsAreOneSentence(report: FailureReporter.Report, text: String) {
        #expect(report.text(retryingIn: Milliseconds(60_400)) == text)
    }

    @Test func adviceFollowsTheMessage() {
        #expect(Self.failure.sentence == "request timed out after 20s")
        #expect(
            FeedFailure(.refused, "connection refused", advice: "check it").sentence == "connection refused; check it")
    }
}
