import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time

/// What the end of a firing says when no price causes it: the last usable price, converted as it was then.
@Suite("Firings that end with their rule")
struct RuleEndTests {
    private struct Market {
        var engine: RuleEngine
        var poll: Int64 = 0

        init(_ drafts: [Draft], symbol: String = "btcinr") throws {
            let rules = try drafts.enumerated().map { try $1.rule("rule \($0)", symbols: [symbol]) }
            engine = RuleEngine(rules: rules, settings: Self.settings, start: Timeline.start)
        }

        static let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))

        var now: Instant { Timeline.start.advanced(bySeconds: poll * 30) }

        /// One response: `symbol quote last` each.
        mutating func take(_ markets: String..., rates: ReferenceRates?) throws -> [Occurrence] {
            poll += 1
            let tickers = try markets.map { text -> Ticker in
                let parts = text.split(separator: " ").map(String.init)
                return Ticker(
                    symbol: try required(Symbol(parts[0])), quote: Asset(parts[1]), last: try? Price(parts[2]),
                    volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
            }
            return engine.evaluate(TickerBatch(tickers: tickers, received: now), rates: rates)
        }

        /// Restarts with other rules; or, if `isReload`, reloads them.
        mutating func change(to rules: [Rule], isReload: Bool) -> [Occurrence] {
            if isReload { return engine.reload(rules: rules, settings: Self.settings, at: now).occurrences }
            let old = engine.snapshot()
            engine = RuleEngine(rules: rules, settings: Self.settings, start: now)
            return engine.restore(old, at: now, isSameBoot: true).occurrences
        }

        mutating func restart() {
            #expect(change(to: engine.rules, isReload: false).isEmpty)
        }
    }

    private static let publisher = "European Central Bank, a+b @ 100%_25"

    private func rates(_ krona: String, isStale: Bool = false) throws -> ReferenceRates {
        let rates = try [("USD", "1.1"), ("INR", "110"), ("SEK", krona)].map { name, rate in
            (currency: try required(Currency(name)), rate: try Price(rate))
        }
        let table = RateTable(date: try required(CivilDate("2026-11-20")), source: Self.publisher, rates: rates)
        return ReferenceRates(try required(table), isStale: isStale)
    }

    @Test(arguments: [true, false])
    func theLastPriceIsConvertedAsItWas(isReload: Bool) throws {
        var market = try Market([Draft(kind: .max("50"), currency: "SEK")])
        _ = try market.take("btcinr inr 400", rates: rates("11"))
        #expect(try market.take("btcinr inr 700", rates: rates("11")).map(\.kind) == [.fired])
        _ = try market.take("btcinr inr 800", rates: rates("12.1"))
        // Neither a price that cannot be used nor rates that are too old change what was.
        _ = try market.take("btcinr inr x", rates: rates("22"))
        _ = try market.take("btcinr inr 900", rates: rates("22", isStale: true))
        if !isReload { market.restart() }
        let end = try #require(market.change(to: [], isReload: isReload).first)
        #expect(end.kind == .resolved && end.reason == .ruleRemoved)
        #expect(end.price == (try Price("88")))
        #expect(end.previous?.price == end.price)
        #expect(end.conversion?.rate == (try Price("0.11")))
        #expect(end.conversion?.path == "INR>EUR>SEK")
        #expect(end.conversion?.source == Self.publisher)
        #expect(end.conversion?.date == CivilDate("2026-11-20"))
    }

    @Test(arguments: [true, false])
    func soIsThatOfACoin(isReload: Bool) throws {
        var market = try Market([Draft(kind: .max("1000"), currency: "USD")], symbol: "ethwrx")
        #expect(
            try market.take("ethwrx wrx 30000.5", "wrxusdt usdt 0.25", rates: rates("11")).map(\.kind) == [.fired])
        _ = try market.take("ethwrx wrx 30000.5", "wrxusdt usdt 0.2", rates: rates("11"))
        _ = try market.take("wrxusdt usdt 0.1", rates: rates("11"))
        let end = try #require(market.change(to: [], isReload: isReload).first)
        #expect(end.price == (try Price("6000.1")))
        #expect(end.conversion?.path == "WRX>USDT>USD")
        #expect(end.conversion?.source == "exchange + peg")
        #expect(end.conversion?.date == nil)
    }

    @Test func anExpiryAfterARestartSaysItToo() throws {
        var market = try Market([Draft(kind: .max("50"), expires: "2m", currency: "SEK")])
        _ = try market.take("btcinr inr 700", rates: rates("11"))
        market.restart()
        market.poll += 4
        let end = try #require(try market.take("btcinr inr x", rates: rates("22")).first)
        #expect(end.reason == .ruleExpired)
        #expect(end.price == (try Price("70")))
    }

    /// The rule expires while the daemon is down, or just before a reload, and its market is gone as well.
    @Test(arguments: [true, false]) func anExpiryThatAReloadOrRestartFindsEndsAMissingMarket(isReload: Bool) throws {
        var market = try Market([Draft(kind: .max("50"), expires: "2m")])
        #expect(try market.take("btcinr inr 70", rates: nil).map(\.kind) == [.fired])
        market.poll += 4
        #expect(market.change(to: market.engine.rules, isReload: isReload).isEmpty)
        let ends = try market.take("ethinr inr 5", rates: nil).filter { $0.kind == .resolved }
        #expect(ends.map(\.reason) == [.ruleExpired])
        #expect(try market.take("ethinr inr 5", rates: nil).isEmpty)
    }

    /// The limit of a rise or fall is the current threshold.
    @Test(arguments: [true, false])
    func aMoveKeepsItsThreshold(isReload: Bool) throws {
        var market = try Market([
            Draft(kind: .rise("5%", "5m")), Draft(kind: .rise("5", "5m"), currency: "SEK"),
        ])
        _ = try market.take("btcinr inr 1000", rates: rates("11"))
        #expect(try market.take("btcinr inr 1100", rates: rates("11")).map(\.kind) == [.fired, .fired])
        _ = try market.take("btcinr inr 990", rates: rates("11"))
        #expect(try market.take("btcinr inr 1200", rates: rates("11")).map(\.kind) == [.fired, .fired])
        let ends = market.change(to: [], isReload: isReload).filter { $0.kind == .resolved }
        #expect(ends.map { $0.limit?.description } == ["1039.5", "104"])
    }

    /// What is stored changes with each rate, and with nothing else.
    @Test func aNewRateIsAChangeOfTheAlert() throws {
        var market = try Market([Draft(kind: .max("50"), currency: "SEK")])
        _ = try market.take("btcinr inr 700", rates: rates("11"))
        _ = market.engine.takeChanges()
        _ = try market.take("btcinr inr 700", rates: rates("11"))
        #expect(changedRules(market.engine.takeChanges()) == [])
        _ = try market.take("btcinr inr 700", rates: rates("12"))
        #expect(changedRules(market.engine.takeChanges()) == ["rule 0"])
    }

    private func changedRules(_ changes: EngineChanges) -> [String]? {
        if case .part(let alerts, _) = changes { alerts.map(\.rule) } else { nil }
    }

    @Test(arguments: [
        "via=", "via=INR>SEK@*x@@ecb", "via=INR>SEK@*0@@ecb", "via=INR>SEK@*1*2@@ecb", "via=INR>SEK@*1@tomorrow@ecb",
        "via=INR>>SEK@*1*2@@ecb", "via=INR>SEK@1@@ecb", "via=INR>SEK@*1@@ecb@more",
    ])
    func aConversionThatCannotBeReadIsReported(_ via: String) throws {
        var market = try Market([Draft(kind: .max("50"), currency: "SEK")])
        _ = try market.take("btcinr inr 700", rates: rates("11"))
        var old = market.engine.snapshot()
        #expect(old.alerts[0].encodedState.contains(" via=INR>EUR>SEK@/110*11@2026-11-20@European_Central_Bank,"))
        old.alerts[0].encodedState = "firing since=1@1 notified=1@1 \(via)"
        var engine = RuleEngine(rules: market.engine.rules, settings: Market.settings, start: market.now)
        #expect(engine.restore(old, at: market.now, isSameBoot: true).unreadable.count == 1)
    }
}
