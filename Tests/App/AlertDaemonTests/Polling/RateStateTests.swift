import ExchangeRates
import Feeds
import Market
import Testing
import Time

@testable import AlertDaemon

/// A table of the given day of November 2026.
func rates(_ day: Int64, usd: String = "1.1684") throws -> RateTable {
    let date = try #require(CivilDate(year: 2026, month: 11, day: day))
    let usdRate = (currency: try #require(Currency("USD")), rate: try Price(usd))
    let sekRate = (currency: try #require(Currency("SEK")), rate: try Price("10.8920"))
    return try #require(RateTable(date: date, source: "made up", rates: [usdRate, sekRate]))
}

@Suite("Rate state")
struct RateStateTests {
    /// Noon of the 20th.
    private let now = WallTime(milliseconds: 1_795_176_000_000)

    @Test func goodRatesComeIntoForce() throws {
        var state = RateState()
        #expect(try state.apply(rates(20), at: now))
        #expect(state.rates == (try rates(20)))
        #expect(state.fetched == now && state.lastAttempt == now && state.failure == nil)
    }

    @Test func theSameRatesAreNothingNew() throws {
        var state = RateState()
        _ = try state.apply(rates(19), at: now)
        #expect(try !state.apply(rates(19), at: now))
        #expect(try !state.apply(nil, at: now))
        #expect(try state.apply(rates(19, usd: "1.17"), at: now))
        #expect(try state.apply(rates(20), at: now))
    }

    @Test func olderRatesFromAnotherSourceAreTaken() throws {
        var state = RateState()
        let made = try rates(20)
        let rate = (currency: try #require(Currency("USD")), rate: try Price("1.2"))
        let other = try #require(RateTable(date: made.date, source: "simulated", rates: [rate]))
        _ = try state.apply(other, at: now)
        #expect(try state.apply(rates(19), at: now))
        #expect(throws: FeedFailure.self) { try state.apply(rates(18), at: now) }
    }

    @Test func aFailureNeverTakesGoodRatesAway() throws {
        var state = RateState()
        let later = WallTime(milliseconds: now.milliseconds + 1)
        _ = try state.apply(rates(19), at: now)
        state.fail(FeedFailure(.timeout, "m", advice: "a"), at: later)
        #expect(state.rates == (try rates(19)))
        #expect(state.fetched == now && state.lastAttempt == later && state.failure?.kind == .timeout)
        #expect(try !state.apply(nil, at: later))
        #expect(state.failure == nil && state.fetched == later)
    }

    @Test(arguments: [18, 22, 30]) func ratesThatCannotBeRightChangeNothing(day: Int64) throws {
        var state = RateState()
        _ = try state.apply(rates(19), at: now)
        let before = state.fetched
        #expect(throws: FeedFailure.self) { try state.apply(rates(day), at: now) }
        #expect(state.rates == (try rates(19)) && state.fetched == before)
    }

    @Test func eastOfGreenwichItIsTomorrow() throws {
        var state = RateState()
        #expect(try state.apply(rates(21), at: now))
    }
}
