import Events
import Market
import Replay
import Rules
import TestSupport
import Testing

@testable import AlertDaemon
@testable import Storage

@Suite(.timeLimit(.minutes(10)))
struct ManyEventsTests {
    /// More than may wait while nothing can be saved: they are all saved with the poll that causes them.
    @Test func aPollThatCausesManyEventsLosesNone() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let rules = try ["a", "b"].map { try Rule.band($0, max: "50", symbols: ["*"]) }
            let daemon = try SmallDaemon(folder, rules: rules)
            let count = WaitingChanges.eventLimit / 2 + 100
            let tickers = try (0..<count).map { number in
                Ticker(
                    symbol: try required(Symbol("a\(number)inr")), quote: Asset("inr"), last: try Price("100"),
                    volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
            }
            #expect(daemon.pipeline.accept(TickerBatch(tickers: tickers, received: daemon.now)) == 2 * count)
            let store = daemon.pipeline.stateStore.store
            let database = try store.openDatabase()
            #expect(try database.number("SELECT count(*) FROM event") == Int64(2 * count))
            #expect(try database.number("SELECT min(number) FROM event") == 1 && store.lastNumber == Int64(2 * count))
            #expect(daemon.pipeline.stateStore.unsaved.isEmpty)
            daemon.pipeline.stop()
        }
    }
}
