import Engine
import Events
import ExchangeRates
import Market
import TestSupport
import Testing
import Time

@Suite("Rules in another currency")
struct CurrencyTests {
    /// One response of a few markets, each `symbol quote last`.
    private func batch(_ markets: String..., poll: Int64 = 1) throws -> TickerBatch {
        let tickers = try markets.map { text -> Ticker in
            let parts = text.split(separator: " ").map(String.init)
            return Ticker(
                symbol: try required(Symbol(parts[0])), quote: Asset(parts[1]), last: try? Price(parts[2]),
                volume: try Price("5"), bid: try Price("1"), ask: try Price("1"))
        }
        return TickerBatch(tickers: tickers, received: Timeline.start.advanced(bySeconds: poll * 30))
    }

    private func rates(isStale: Bool = false) throws -> ReferenceRates {
        let rates = try [("USD", "1.1"), ("INR", "110"), ("SEK", "11"), ("JPY", "7")].map { name, rate in
            (currency: try required(Currency(name)), rate: try Price(rate))
        }
        let table = RateTable(date: try required(CivilDate("2026-11-20")), source: "ecb", rates: rates)
        return ReferenceRates(try required(table), isStale: isStale)
    }

    private func engine(
        _ draft: Draft, _ symbol: String, _ settings: EngineSettings = Self.settings
    ) throws -> RuleEngine {
        RuleEngine(
            rules: [try draft.rule(symbols: [symbol])], settings: settings, start: Timeline.start)
    }

    private static let settings = EngineSettings(
        maximumGap: .seconds(90), frozenAfter: .seconds(1_800), staleAfter: .seconds(90))
    private static var settingsWithoutPeg: EngineSettings {
        var settings = settings
        settings.pegs = []
        return settings
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let market: String
        let others: [String]
        let currency: String
        /// What 1000 of the quote are, as the event shows it; nil where there is no way.
        let price: String?
        var path = ""
        var source = ""
        var rate = ""
    }

    static let cases = [
        Case(
            testDescription: "through the euro, exactly", market: "btcinr inr", others: [], currency: "SEK",
            price: "100", path: "INR>EUR>SEK", source: "ecb", rate: "0.1"),
        Case(
            testDescription: "to the euro", market: "btcinr inr", others: [], currency: "EUR", price: "9.09090909091",
            path: "INR>EUR", source: "ecb", rate: "0.00909090909091"),
        Case(
            testDescription: "USDT counts as USD", market: "btcusdt usdt", others: [], currency: "USD", price: "1000",
            path: "USDT>USD", source: "peg", rate: "1"),
        Case(
            testDescription: "and continues from there", market: "btcusdt usdt", others: [], currency: "INR",
            price: "100000", path: "USDT>USD>EUR>INR", source: "peg + ecb", rate: "100"),
        Case(
            testDescription: "a rule in USDT on a market in rupees", market: "btcinr inr", others: [],
            currency: "USDT", price: "10", path: "INR>EUR>USD>USDT", source: "peg + ecb", rate: "0.01"),
        Case(
            testDescription: "a coin through its market in rupees", market: "ethwrx wrx",
            others: ["wrxusdt usdt 5", "wrxinr inr 12.5"], currency: "INR", price: "12500", path: "WRX>INR",
            source: "exchange", rate: "12.5"),
        Case(
            testDescription: "and from there", market: "ethwrx wrx", others: ["wrxinr inr 12.5"], currency: "SEK",
            price: "1250", path: "WRX>INR>EUR>SEK", source: "exchange + ecb", rate: "1.25"),
        Case(
            testDescription: "else in USDT", market: "ethwrx wrx", others: ["wrxinr inr 0", "wrxusdt usdt 0.2"],
            currency: "USD", price: "200", path: "WRX>USDT>USD", source: "exchange + peg", rate: "0.2"),
        Case(
            testDescription: "a coin without a market has no way", market: "ethwrx wrx", others: ["wrxinr inr x"],
            currency: "USD", price: nil),
        Case(
            testDescription: "nor has a currency that nobody knows", market: "btcinr inr", others: [],
            currency: "XYZ", price: nil),
        Case(
            testDescription: "nothing is guessed about a coin as target", market: "btcinr inr",
            others: ["wrxinr inr 12.5"], currency: "WRX", price: nil),
    ]

    @Test(arguments: cases) func converts(_ row: Case) throws {
        var engine = try engine(
            Draft(kind: .max("0.000001"), currency: row.currency), String(row.market.prefix { $0 != " " }))
        let tickers = try batch(row.market + " 1000").tickers + row.others.flatMap { try batch($0).tickers }
        let notified = engine.evaluate(TickerBatch(tickers: tickers, received: Timeline.start), rates: try rates())
        guard let price = row.price else {
            #expect(notified.isEmpty)
            #expect(engine.alerts().map(\.condition) == [.unconvertible])
            return
        }
        let event = try #require(notified.first)
        #expect(event.price?.description == price)
        #expect(event.currency == Currency(row.currency))
        #expect(event.conversion?.path == row.path)
        #expect(event.conversion?.source == row.source)
        #expect(event.conversion?.rate.description == row.rate)
        #expect(event.conversion?.date == (row.source.contains("ecb") ? CivilDate("2026-11-20") : nil))
        #expect(engine.alerts().first?.price?.description == price)
    }

    @Test func theMarketsOwnCurrencyNeedsNoConversion() throws {
        var engine = try engine(Draft(kind: .max("5"), currency: "INR"), "btcinr")
        let event = try #require(engine.evaluate(try batch("btcinr inr 7.0")).first)
        #expect(event.conversion == nil)
        #expect(event.price?.description == "7.0")
    }

    /// 4.05 yen are 63.642857142857… rupees: 445.5 ÷ 7.
    @Test(arguments: [("63.64285714285714285", 0), ("63.64285714285714286", 1), ("63.64", 0), ("63.65", 1)])
    func aLimitIsComparedExactly(_ price: String, _ count: Int) throws {
        var engine = try engine(Draft(kind: .max("4.05"), currency: "JPY"), "btcinr")
        #expect(try engine.evaluate(batch("btcinr inr \(price)"), rates: rates()).count == count)
    }

    @Test func staleRatesStopTheRuleAndAreSeen() throws {
        var engine = try engine(Draft(kind: .max("50"), currency: "SEK"), "btcinr")
        #expect(try engine.evaluate(batch("btcinr inr 400"), rates: rates()).isEmpty)
        #expect(try engine.evaluate(batch("btcinr inr 900", poll: 2), rates: rates(isStale: true)).isEmpty)
        #expect(engine.alerts().map(\.condition) == [.staleRate])
        #expect(try engine.evaluate(batch("btcinr inr 900", poll: 3), rates: rates()).map(\.kind) == [.fired])
        #expect(try engine.evaluate(batch("btcinr inr 100", poll: 4), rates: rates(isStale: true)).isEmpty)
        #expect(engine.alerts().map(\.condition) == [.firing])
    }

    @Test func staleRatesDoNotStopAPeg() throws {
        var engine = try engine(Draft(kind: .max("50"), currency: "USD"), "btcusdt")
        #expect(try engine.evaluate(batch("btcusdt usdt 60"), rates: rates(isStale: true)).count == 1)
    }

    @Test func aFrozenMarketConvertsNothing() throws {
        var engine = try engine(Draft(kind: .max("1"), currency: "INR"), "ethwrx")
        var tickers = try batch("ethwrx wrx 1000", "wrxinr inr 12.5").tickers
        (tickers[1].volume, tickers[1].bid, tickers[1].ask) = (.zero, .zero, .zero)
        #expect(engine.evaluate(TickerBatch(tickers: tickers, received: Timeline.start)).isEmpty)
        #expect(engine.alerts().map(\.note) == ["no conversion path WRX → INR"])
    }

    @Test func anAmountOfAMoveIsInTheRulesCurrency() throws {
        var engine = try engine(Draft(kind: .rise("5", "5m"), currency: "SEK"), "btcinr")
        #expect(try engine.evaluate(batch("btcinr inr 1000"), rates: rates()).isEmpty)
        #expect(try engine.evaluate(batch("btcinr inr 1049.9", poll: 2), rates: rates()).isEmpty)
        let event = try #require(try engine.evaluate(batch("btcinr inr 1050", poll: 3), rates: rates()).first)
        #expect(event.price?.description == "105")
        #expect(event.limit?.description == "105")
        #expect(event.previous?.price.description == "104.99")
    }

    /// The difference of the two prices has 20 digits: no price holds it.
    @Test(arguments: [("100.5", 0), ("100.49", 1)])
    func amountsOfAMoveAreComparedExactly(_ amount: String, _ count: Int) throws {
        for (currency, prices) in [(nil, ("1.000000000000000001", "101.5")), ("SEK", ("10.00000000000000001", "1015"))]
        {
            var engine = try engine(Draft(kind: .rise(amount, "5m"), currency: currency), "btcinr")
            #expect(try engine.evaluate(batch("btcinr inr \(prices.0)"), rates: rates()).isEmpty)
            #expect(try engine.evaluate(batch("btcinr inr \(prices.1)", poll: 2), rates: rates()).count == count)
        }
    }

    @Test func aThresholdBelowZeroIsShownAsSuch() throws {
        var engine = try engine(Draft(kind: .fall("200", "5m"), currency: "SEK"), "btcinr")
        for poll in 1...2 as ClosedRange<Int64> {
            _ = try engine.evaluate(batch("btcinr inr 1000", poll: poll), rates: rates())
        }
        #expect(engine.alerts().map { $0.limit?.description } == ["-100"])
    }

    @Test func newRatesHoldFromTheNextResponseOn() throws {
        var engine = try engine(Draft(kind: .max("50"), currency: "SEK"), "btcinr")
        #expect(try engine.evaluate(batch("btcinr inr 400"), rates: rates()).isEmpty)
        #expect(engine.alerts().map { $0.price?.description } == ["40"])
        #expect(try engine.evaluate(batch("btcinr inr 400", poll: 2), rates: nil).isEmpty)
        #expect(engine.alerts().map(\.condition) == [.unconvertible])
        var other = try rates()
        other.table = try required(
            RateTable(
                date: other.table.date, source: "ecb",
                rates: [
                    (try required(Currency("SEK")), try Price("11")), (try required(Currency("INR")), try Price("55")),
                ]))
        #expect(try engine.evaluate(batch("btcinr inr 400", poll: 3), rates: other).map(\.price) == [Price("80")])
    }

    @Test func aCoinsPriceIsTakenFromEachResponse() throws {
        var engine = try engine(Draft(kind: .max("1000"), currency: "INR"), "ethwrx")
        for (poll, price, count) in [(1 as Int64, "9", 0), (2, "x", 0), (3, "10", 1)] {
            let notified = try engine.evaluate(batch("ethwrx wrx 100", "wrxinr inr \(price)", poll: poll))
            #expect(notified.count == count, "poll \(poll)")
        }
    }

    @Test func withoutThePegUSDTIsACoinLikeOthers() throws {
        let draft = Draft(kind: .max("1"), currency: "USD")
        var engine = try engine(draft, "btcusdt", Self.settingsWithoutPeg)
        #expect(try engine.evaluate(batch("btcusdt usdt 1000"), rates: rates()).isEmpty)
        #expect(engine.alerts().map(\.note) == ["no conversion path USDT → USD"])
        let event = try engine.evaluate(batch("btcusdt usdt 1000", "usdtinr inr 105", poll: 2), rates: rates()).first
        #expect(event?.price?.description == "1050")
        #expect(event?.conversion?.path == "USDT>INR>EUR>USD")
        #expect(event?.conversion?.source == "exchange + ecb")
    }

    @Test func aReloadThatTakesThePegAwayIsSeenAtOnce() throws {
        let draft = Draft(kind: .max("5000"), currency: "USD")
        var engine = try engine(draft, "btcusdt")
        #expect(try engine.evaluate(batch("btcusdt usdt 1000"), rates: rates()).isEmpty)
        #expect(engine.alerts().map(\.condition) == [.inactive])
        _ = engine.reload(rules: engine.rules, settings: Self.settingsWithoutPeg, at: Timeline.start)
        #expect(engine.alerts().map(\.condition) == [.unconvertible])
        _ = engine.reload(rules: engine.rules, settings: Self.settings, at: Timeline.start)
        #expect(engine.alerts().map(\.condition) == [.inactive])
    }

    @Test func aNewRuleIsConvertibleAtOnce() throws {
        var engine = try engine(Draft(kind: .max("5000")), "btcinr")
        #expect(try engine.evaluate(batch("btcinr inr 1000"), rates: rates()).isEmpty)
        let rule = try Draft(kind: .max("5000"), currency: "SEK").rule(symbols: ["btcinr"])
        _ = engine.reload(rules: [rule], settings: Self.settings, at: Timeline.start)
        #expect(engine.alerts().map(\.condition) == [.waiting])
    }
}
