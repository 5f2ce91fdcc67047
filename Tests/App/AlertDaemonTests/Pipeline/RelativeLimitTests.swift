import Control
import Engine
import EventLoop
import Events
import ExchangeRates
import History
import Market
import Replay
import Rules
import Storage
import TestSupport
import Testing
import Time

@testable import AlertDaemon

@Suite("Limits relative to a recorded price")
struct RelativeLimitTests {
    private let folder = StateFolderForTest()
    /// The day after the one on which daemons of tests start.
    private static let day = CivilDate(
        daysSinceEpoch: ReplaySeries.time(of: 0).wall.milliseconds / 86_400_000 + 1)

    private func rule(_ base: LimitBase, name: String = "relative") throws -> Rule {
        var rule = try SmallDaemon.rule(name)
        rule.condition = .relative(try RelativeBand(min: nil, max: .percent(Price("10")), base: base))
        return rule
    }

    @LoopActor
    private func limits(_ daemon: SmallDaemon) async throws -> [String?] {
        try await daemon.query.allAlerts().map(\.limit)
    }

    /// A daemon with the price 100 at the end of a day and 120 on the next.
    @LoopActor
    private func daemonWithPrices() throws -> SmallDaemon {
        let daemon = try SmallDaemon(folder)
        try daemon.poll("90 100")
        daemon.wait(86_400)
        try daemon.poll("120")
        return daemon
    }

    @Test func theLastRecordedPriceBeforeTheDaySetsThem() async throws {
        try await onLoop { [self] in
            let daemon = try daemonWithPrices()
            let rules = try [rule(.day(Self.day))]
            daemon.pipeline.stateStore.close()
            let next = try SmallDaemon(folder, rules: rules, at: daemon.now.advanced(bySeconds: 1))
            #expect(try await limits(next) == ["110"], "known before the first poll")
            try next.poll("121 105")
            #expect(next.story.suffix(2) == ["fired:already_breached", "resolved"])
            #expect(next.sink.occurrences.last?.limit == .price(try Price("110")))
            next.pipeline.stateStore.close()
            let last = try SmallDaemon(folder, rules: rules, at: next.now.advanced(bySeconds: 1))
            #expect(try await limits(last) == ["110"])
        }
    }

    @Test func withoutOneTheAlertWaitsUntilPricesAreImported() async throws {
        try await onLoop { [self] in
            let before = CivilDate(daysSinceEpoch: Self.day.daysSinceEpoch - 1)
            let daemon = try SmallDaemon(folder, rules: [rule(.day(before))])
            try daemon.poll("90")
            let alert = try #require(try await daemon.query.allAlerts().first)
            #expect(alert.state == .waiting && alert.limit == nil)
            #expect(alert.note == "no price before \(before) is known")
            let old = WallTime(milliseconds: before.begin.milliseconds - 60_000)
            let symbol = try #require(Symbol("btcinr"))
            _ = daemon.pipeline.importPrices(
                [SymbolSample(symbol: symbol, time: old, price: try Price("80"))], of: daemon.pipeline.lanes[0])
            try daemon.poll("88")
            #expect(try await limits(daemon) == ["88"])
            #expect(daemon.story.last == "fired:already_breached")
        }
    }

    /// The rates of a day apply from its afternoon on; days are counted from the one that limits refer to.
    @Test(
        arguments: [
            (80_000, [-9, -2, -1, 0], 0, "1.375"), (60, [-9, -2, -1, 0], 0, "1.1"), (80_000, [], -1, "1.375"),
            (60, [], -1, nil), (60, [], -2, "1.1"), (80_000, [], 0, nil), (80_000, [-9], 0, nil),
        ] as [(Int64, [Int64], Int64, String?)])
    func thePriceIsConvertedByTheRatesOfThatTime(
        seconds: Int64, kept: [Int64], present: Int64, limit: String?
    ) async throws {
        try await onLoop { [self] in
            let daemon = try SmallDaemon(folder)
            try daemon.poll("90")
            daemon.wait(seconds)
            try daemon.poll("100")
            daemon.wait(86_400)
            try daemon.poll("120")
            for day in kept {
                let rates = try rates(day).stored(fetched: daemon.now.wall)
                daemon.pipeline.stateStore.commit(Transaction(time: daemon.now.wall, rates: rates), at: daemon.now)
            }
            daemon.pipeline.stateStore.close()
            var rule = try rule(.day(Self.day))
            rule.currency = Currency("USD")
            let next = try SmallDaemon(
                folder, rules: [rule], at: daemon.now.advanced(bySeconds: 1), rates: ReferenceRates(rates(present)))
            try next.poll("120 120")
            let limits = try await limits(next)
            #expect(limits == [limit], "\(limits)")
        }
    }

    /// The rates of a day, counted from the one that limits refer to.
    private func rates(_ day: Int64) throws -> ExchangeRates.RateTable {
        let rupees = [-9: "400", -2: "100", -1: "80", 0: "50"][day] ?? "1"
        let rates = try [("USD", "1"), ("INR", rupees)].map { (try required(Currency($0)), try Price($1)) }
        let date = CivilDate(daysSinceEpoch: Self.day.daysSinceEpoch + day)
        return try required(ExchangeRates.RateTable(date: date, source: "test", rates: rates))
    }

    /// The current price is not that of a day to come.
    @Test func aDayToComeIsNotThePresentOne() async throws {
        try await onLoop { [self] in
            let daemon = try SmallDaemon(folder, rules: [rule(.day(Self.day))])
            try daemon.poll("90 100")
            #expect(try await limits(daemon) == [nil])
            daemon.wait(86_400)
            try daemon.poll("105")
            #expect(try await limits(daemon) == ["110"])
        }
    }
}
