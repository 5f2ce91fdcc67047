import Feeds
import Market
import Testing
import Time

@Suite struct FailureReporterTests {
    private static let refused = FeedFailure(.refused, "refused", advice: "look")
    private static let timeout = FeedFailure(.timeout, "timeout", advice: "look")

    private func at(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1_000) }

    @Test func aFailureIsSaidAtOnceAndThenEveryQuarterOfAnHour() {
        var reporter = FailureReporter()
        var said: [Int64: FailureReporter.Report] = [:]
        for second in stride(from: Int64(0), through: 1_900, by: 10) {
            said[second] = reporter.failed(Self.refused, at: at(second))
        }
        #expect(
            said == [
                0: .failed(Self.refused, count: 1, over: .zero),
                900: .failed(Self.refused, count: 90, over: .seconds(900)),
                1_800: .failed(Self.refused, count: 90, over: .seconds(900)),
            ])
    }

    @Test func aNewKindIsSaidAtOnceButTwoThatAlternateAreNot() {
        var reporter = FailureReporter()
        #expect(reporter.failed(Self.refused, at: at(0)) != nil)
        #expect(reporter.failed(Self.timeout, at: at(1)) == .failed(Self.timeout, count: 1, over: .zero))
        for second in Int64(2)..<100 {
            #expect(reporter.failed(second % 2 == 0 ? Self.refused : Self.timeout, at: at(second)) == nil)
        }
    }

    @Test func recoveryIsSaidOnce() {
        var reporter = FailureReporter()
        #expect(reporter.succeeded(at: at(0)) == nil)
        _ = reporter.failed(Self.refused, at: at(10))
        _ = reporter.failed(Self.timeout, at: at(20))
        #expect(reporter.succeeded(at: at(50)) == .recovered(failures: 2, after: .seconds(40)))
        #expect(reporter.succeeded(at: at(60)) == nil)
    }

    /// A user corrects the address, and wants to know whether that has helped.
    @Test func failuresAndSuccessOfAnotherServerAreSaidAtOnce() {
        var reporter = FailureReporter()
        _ = reporter.failed(Self.refused, at: at(10))
        reporter.forgetReports()
        #expect(reporter.failed(Self.refused, at: at(20)) == .failed(Self.refused, count: 1, over: .zero))
        reporter.forgetReports()
        #expect(reporter.succeeded(at: at(50)) == .recovered(failures: 2, after: .seconds(40)))
    }

    /// Every other poll fails for an hour: four outages are reported with their ends, not a hundred and eighty.
    @Test func aFeedThatComesAndGoesIsNotNoisy() {
        var reporter = FailureReporter()
        var said: [FailureReporter.Report] = []
        for second in stride(from: Int64(0), to: 3_600, by: 20) {
            if let report = reporter.failed(Self.refused, at: at(second)) { said.append(report) }
            if let report = reporter.succeeded(at: at(second + 10)) { said.append(report) }
        }
        let end = FailureReporter.Report.recovered(failures: 1, after: .seconds(10))
        let again = FailureReporter.Report.failed(Self.refused, count: 45, over: .seconds(900))
        #expect(said == [.failed(Self.refused, count: 1, over: .zero), end, again, end, again, end, again, end])
    }

    @Test func anOutageAfterOneThatWasSaidIsSaidWhenItLasts() {
        var reporter = FailureReporter()
        _ = reporter.failed(Self.refused, at: at(0))
        _ = reporter.succeeded(at: at(10))
        let said = stride(from: Int64(300), through: 1_000, by: 10).first {
            reporter.failed(Self.refused, at: at($0)) != nil
        }
        #expect(said == 900)
        #expect(reporter.succeeded(at: at(1_000)) == .recovered(failures: 61, after: .seconds(700)))
    }
}
