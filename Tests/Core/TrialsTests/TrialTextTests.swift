import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import Trials

/// How events and expectations are written for people.
@Suite struct TrialTextTests {
    @Test func anExpectationSaysAllThatItAsksFor() throws {
        var event = ExpectedEvent(time: .zero, kind: .fired)
        #expect(event.words == "fired")
        event.bound = .max
        event.rule = "btc band"
        event.symbol = Symbol("btcinr")
        #expect(event.words == "fired max of \"btc band\" on btcinr")
        event.price = try Price("110.50")
        event.limit = .price(try Price("110"))
        event.currency = Currency("INR")
        event.severity = .critical
        event.notified = false
        event.reason = .cooldown
        event.text = "t"
        #expect(
            event.words == "fired max of \"btc band\" on btcinr, price 110.50, limit 110, INR, critical, not notified, "
                + "cooldown, text \"t\"")
        event.notified = true
        #expect(event.words.contains(", critical, notified, cooldown, "))
    }

    @Test func anEventSaysWhetherItIsNotifiedAndWhyNot() throws {
        let event = { (notified: Bool, reason: Reason?) throws -> String in
            var occurrence = try fullEvent().occurrence
            (occurrence.notified, occurrence.reason) = (notified, reason)
            return TrialEvent(time: .zero, occurrence: occurrence).words
        }
        let head = "fired max of \"btc band\" on btcinr, price 7500100"
        #expect(try event(true, nil) == head)
        #expect(try event(true, .afterGap) == head + ", after_gap")
        #expect(try event(false, nil) == head + ", not notified")
        #expect(try event(false, .cooldown) == head + ", not notified: cooldown")
        #expect(TrialEvent(time: .zero, occurrence: bareEvent(.feedStale).occurrence).words == "feed_stale")
    }

    @Test func theAssetIsPresumedFromTheEndOfTheName() throws {
        let quotes = [
            "fdusd", "usdt", "usdc", "busd", "tusd", "inr", "usd", "eur", "gbp", "sek", "jpy", "try", "brl", "btc",
            "eth", "bnb", "wrx",
        ]
        for quote in quotes {
            #expect(try #require(Symbol("a0" + quote)).presumedQuote?.description == quote)
        }
    }
}

/// What somebody does during a trial, and when.
@Suite struct TrialTimesTests {
    private static let start: Int64 = 1_767_225_600_000
    private static let interval = Milliseconds.seconds(30)

    private static func story(
        _ text: String, staleAfter: Milliseconds = .seconds(90), _ change: (inout RuleTrial) -> Void = { _ in }
    ) throws -> [String] {
        let symbol = try #require(Symbol("btcinr"))
        let rule = Rule(
            name: "r", symbols: [try #require(SymbolPattern("btcinr"))],
            condition: .band(try Band(min: nil, max: try Price("110"))))
        let series = try PriceScript(text, interval: interval)
        var trial = RuleTrial(name: "t", markets: [TrialMarket(symbol: symbol, series: series)])
        change(&trial)
        let settings = TrialSettings(
            rules: [rule], interval: interval, start: WallTime(milliseconds: start),
            engine: EngineSettings(
                maximumGap: interval.times(3), frozenAfter: .seconds(1_800), staleAfter: staleAfter))
        return trial.events(settings).map {
            "\($0.time) \($0.occurrence.kind.rawValue)\($0.occurrence.notified ? "" : " -")"
        }
    }

    /// A silence holds from its moment on, that of a poll included, and until its end.
    @Test(
        arguments: [
            (0, 600, "30s fired -"), (30, 600, "30s fired -"), (31, 600, "30s fired"), (0, 30, "30s fired"),
            (0, 31, "30s fired -"),
        ] as [(Int64, Int64, String)])
    func silencesBeginAndEnd(begin: Int64, end: Int64, first: String) throws {
        let story = try Self.story("100 110") { trial in
            let end = SilenceEnd.at(WallTime(milliseconds: Self.start + end * 1_000))
            trial.silences = [TrialSilence(begin: .seconds(begin), silence: Silence(number: 1, end: end))]
        }
        #expect(story == [first])
    }

    /// A response that comes a moment too late does not hide that there was none.
    @Test(
        arguments: [
            (59_999, ["59s999ms feed_stale", "1m feed_recovered"]), (60_000, []), (60_001, []),
        ] as [(Int64, [String])])
    func aFeedIsStaleAtItsMoment(staleAfter: Int64, expected: [String]) throws {
        #expect(try Self.story("100 gap 30s 100", staleAfter: Milliseconds(staleAfter)) == expected)
    }
}
