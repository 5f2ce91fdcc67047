import Market
import Testing
import Time

@testable import AlertDaemon

struct BadElementReporterTests {
    private func batch(bad: Int, atHour hour: Int64) -> TickerBatch {
        let time = Instant(boot: BootTime(milliseconds: hour * 3_600_000), wall: WallTime(milliseconds: 0))
        var batch = TickerBatch(tickers: [], badElementCount: bad, received: time)
        batch.badExample = bad > 0 ? "7: not well-formed" : nil
        return batch
    }

    @Test func theFirstAreReportedAndThenOnlyManyMoreOrOnceADay() {
        var reporter = BadElementReporter()
        let polls: [(bad: Int, hour: Int64, isReported: Bool)] = [
            (0, 100, false), (3, 101, true), (3, 102, false), (0, 103, false), (3, 104, false), (5, 105, false),
            (6, 106, true), (7, 107, false), (7, 130, true), (7, 131, false),
        ]
        for poll in polls {
            #expect((reporter.report(batch(bad: poll.bad, atHour: poll.hour)) != nil) == poll.isReported)
        }
    }

    @Test func theMessageHasCountAndExample() {
        #expect(batch(bad: 1, atHour: 1).badElementsMessage == "1 of 1 elements is ignored, such as 7: not well-formed")
        #expect(batch(bad: 0, atHour: 1).badElementsMessage == nil)
    }
}
