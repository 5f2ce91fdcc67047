import Control
import Engine
import EventLoop
import Events
import ExchangeRates
import History
import Market
import Rules
import Storage
import TestSupport
import Testing
import Time
import Varlink

@testable import AlertDaemon

@LoopActor
private func poll(_ daemon: SmallDaemon, _ prices: [(String, String)], at seconds: Int64 = 0) throws {
    let tickers = try prices.map { name, price in
        var ticker = Ticker(symbol: try required(Symbol(name)), quote: Asset(String(name.suffix(3))))
        (ticker.last, ticker.bid, ticker.ask) = (try Price(price), try Price("1"), try Price("1"))
        ticker.volume = try Price("5")
        return ticker
    }
    _ = daemon.pipeline.accept(
        TickerBatch(tickers: tickers, received: SmallDaemon.start.advanced(bySeconds: seconds)))
}

private func band(_ name: String, _ symbols: String..., min: String? = nil, max: String? = nil) throws -> Rule {
    Rule(
        name: name, symbols: symbols.compactMap(SymbolPattern.init),
        condition: .band(try Band(min: min.map { try Price($0) }, max: max.map { try Price($0) })))
}

@Suite(.timeLimit(.minutes(10)))
struct PipelineQueryTests {
    private let folder = StateFolderForTest()

    @Test func theOnlySourceNeedsNoName() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            let name = daemon.query.source
            #expect(try daemon.query.oneSource(nil).source == name)
            #expect(try daemon.query.oneSource("\(name)").source == name)
            #expect(throws: VarlinkError.self) { _ = try daemon.query.oneSource("nowhere") }
            daemon.pipeline.stop()
        }
    }

    /// None is not the same as unknown.
    @Test func candlesThatCannotBeReadAreAnError() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            let symbol = try required(Symbol("btcinr"))
            let times = WallTime(milliseconds: 0)..<WallTime(milliseconds: .max)
            #expect(try daemon.query.candles(of: symbol, in: times, limit: 10).isEmpty)
            daemon.pipeline.stateStore.store.close()
            let error = #expect(throws: VarlinkError.self) {
                _ = try daemon.query.candles(of: symbol, in: times, limit: 10)
            }
            #expect(error?.name == ControlInterface.ErrorName.storeFailed.qualifiedName)
            daemon.pipeline.stop()
        }
    }

    /// In the order of the last response, then those that it lacks by name.
    @Test func symbolsThatVanishedComeLast() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            #expect(try await daemon.query.allSymbols().isEmpty)
            try poll(daemon, [("solinr", "3"), ("ethinr", "2"), ("btcinr", "1"), ("adainr", "4")])
            try poll(daemon, [("solinr", "5"), ("btcinr", "6")], at: 30)
            let symbols = try await daemon.query.allSymbols()
            #expect(symbols.map(\.symbol) == ["solinr", "btcinr", "adainr", "ethinr"])
            #expect(symbols.map(\.last) == ["5", "6", "4", "2"])
            #expect(symbols.map(\.state) == [.ok, .ok, .missing, .missing])
            let (first, second) = (SmallDaemon.start.wall, SmallDaemon.start.advanced(bySeconds: 30).wall)
            #expect(symbols.map(\.received) == [second, second, first, first].map(\.description))
            try poll(daemon, [("ethinr", "7")], at: 60)
            #expect(
                try await daemon.query.allSymbols().map(\.symbol) == [
                    "ethinr", "adainr", "btcinr", "solinr",
                ])
            daemon.pipeline.stop()
        }
    }

    @Test(
        arguments: [
            (nil, nil, ["btcinr", "ethinr", "btcusd", "ethusd"]), ("btc*", nil, ["btcinr", "btcusd"]),
            (nil, "inr", ["btcinr", "ethinr"]), ("eth*", "usd", ["ethusd"]), ("sol*", nil, []), (nil, "eur", []),
        ] as [(String?, String?, [String])])
    func symbolsAreFilteredByNameAndQuote(match: String?, quote: String?, expected: [String]) async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            try poll(daemon, [("btcinr", "1"), ("ethinr", "1"), ("btcusd", "1"), ("ethusd", "1")])
            try poll(daemon, [("btcinr", "1"), ("ethinr", "1")])
            var slices = WorkSlices()
            let found = try await daemon.query.symbols(
                &slices, match: match.flatMap(SymbolPattern.init), quote: quote.flatMap { Asset($0) })
            #expect(found.symbols.map(\.symbol) == expected)
            daemon.pipeline.stop()
        }
    }

    /// Limits that were reached long ago do not hide the next one.
    @Test func theNearestLimitsAreThoseNextToThePrice() async throws {
        try await onLoop { [folder] in
            let rules = try [("a", "10", "100"), ("b", "60", "200"), ("c", "150", "300")].map { name, min, max in
                try band(name, "btcinr", min: min, max: max)
            }
            let daemon = try SmallDaemon(folder, rules: rules)
            for (price, limits) in [
                ("50", ["60", "100"]), ("30", ["10", "100"]), ("149", ["150", "100"]), ("151", ["150", "200"]),
                ("1000", ["150", "300"]), ("1", ["10", "100"]),
            ] {
                try poll(daemon, [("btcinr", price)])
                let symbol = try #require(try await daemon.query.allSymbols().first)
                #expect([symbol.min, symbol.max] == limits, "\(price)")
            }
            daemon.pipeline.stop()
        }
    }

    /// Of several rules, the limits that the price reaches first.
    @Test func theNearestLimitsOfASymbol() async throws {
        try await onLoop { [folder] in
            let rules = [
                try band("wide", "*inr", min: "10", max: "100"), try band("narrow", "btcinr", min: "20", max: "90"),
                try band("low", "ethinr", min: "5"),
            ]
            let daemon = try SmallDaemon(folder, rules: rules)
            try poll(daemon, [("btcinr", "95"), ("ethinr", "50"), ("btcusd", "50")])
            let symbols = try await daemon.query.allSymbols()
            #expect(symbols.map(\.min) == ["20", "10", nil])
            #expect(symbols.map(\.max) == ["90", "100", nil])
            #expect(symbols.map(\.firing) == [1, 0, 0])
            daemon.pipeline.stop()
        }
    }

    /// Limits in several currencies are compared in that of the market.
    @Test func theNearestLimitMayBeInAnotherCurrency() async throws {
        try await onLoop { [folder] in
            var rules = [
                try band("own", "ethinr", min: "10", max: "100"), try band("kronor", "ethinr", min: "2", max: "9.5"),
                try band("unknown", "ethinr", min: "1", max: "1.5"),
            ]
            rules[1].currency = Currency("SEK")
            rules[2].currency = Currency("NOK")
            let date = try #require(CivilDate("2026-11-20"))
            let rates = try [("INR", "100"), ("SEK", "10")].map { (try #require(Currency($0)), try Price($1)) }
            let table = RateTable(date: date, source: "test", rates: rates.map { (currency: $0, rate: $1) })
            let daemon = try SmallDaemon(
                folder, rules: rules, rates: ReferenceRates(try #require(table), isStale: false))
            try poll(daemon, [("ethinr", "50")])
            let symbol = try #require(try await daemon.query.allSymbols().first)
            #expect(symbol.min == "2" && symbol.minCurrency == "SEK")
            #expect(symbol.max == "9.5" && symbol.maxCurrency == "SEK")
            daemon.pipeline.stop()
        }
    }

    @Test func aSymbolIsKnownWhenItWasSeenOrIsWatched() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            #expect {
                try daemon.query.known("ethinr")
            } throws: {
                ($0 as? VarlinkError)?.name == ControlInterface.ErrorName.refused.qualifiedName
            }
            #expect(daemon.query.noSuchSymbol("btcinr").name == ControlInterface.ErrorName.refused.qualifiedName)
            try poll(daemon, [("ethinr", "50"), ("solinr", "50")])
            try poll(daemon, [("ethinr", "50")])
            for name in ["ethinr", "solinr", "btcinr"] {
                #expect(try daemon.query.known(name).symbol.description == name)
            }
            let btc = try #require(Symbol("btcinr"))
            #expect(daemon.query.symbol(btc) == nil, "it is watched, but was never seen")
            for name in ["ethusd", "ETH/INR", ""] {
                #expect {
                    try daemon.query.known(name)
                } throws: {
                    ($0 as? VarlinkError)?.name == ControlInterface.ErrorName.noSuchSymbol.qualifiedName
                }
            }
            #expect(
                text(daemon.query.noSuchSymbol("ETH").parametersJSON).contains("\"ethinr\""), "a market of the asset")
            #expect(text(daemon.query.noSuchSymbol("ETH").parametersJSON).contains("\"ETH\""), "as it was typed")
            let several = VarlinkError.noSuchSymbol("eth", among: ["ethwinr", "ethinr"])
            #expect(text(several.parametersJSON).contains("\"ethinr\""), "not that of another asset")
            let other = VarlinkError.noSuchSymbol("ethsek", among: ["etcinr", "ethusdt", "ethinr"])
            #expect(text(other.parametersJSON).contains("\"ethinr\""), "another market of the asset")
            #expect(!text(VarlinkError.noSuchSymbol("etxsek", among: ["ethinr"]).parametersJSON).contains("ethinr"))
            let error = daemon.query.noSuchSymbol("ethin")
            #expect(text(error.parametersJSON).contains("\"ethinr\""), "\(text(error.parametersJSON))")
            daemon.pipeline.stop()
        }
    }

    /// Prices outlive the process, unlike the last response.
    @Test func aSymbolWithPricesIsRecorded() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder, rules: [])
            try poll(first, [("ethinr", "50")])
            first.pipeline.stop()
            let second = try SmallDaemon(folder, rules: [], at: SmallDaemon.start.advanced(bySeconds: 60))
            #expect(try second.query.recorded("ethinr").symbol.description == "ethinr")
            #expect(throws: VarlinkError.self) { try second.query.known("ethinr") }
            #expect(throws: VarlinkError.self) { try second.query.recorded("btcinr") }
            second.pipeline.stop()
        }
    }

    @Test func aRuleIsFoundByItsExactName() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder, rules: [SmallDaemon.rule("a"), SmallDaemon.rule("band")])
            #expect(try daemon.query.rule("band").name == "band")
            #expect {
                try daemon.query.rule("bands")
            } throws: {
                guard let error = $0 as? VarlinkError else { return false }
                return error.name == ControlInterface.ErrorName.noSuchRule.qualifiedName
                    && text(error.parametersJSON).contains("\"band\"")
            }
            daemon.pipeline.stop()
        }
    }

    @Test func theStateOfARuleIsWhatPreventsItsAlerts() async throws {
        try await onLoop { [folder] in
            let rules = [
                try band("works", "*inr", max: "100"), try band("lacks", "btcinr", "solinr", "adainr", max: "100"),
                try band("nothing", "*eur", max: "100"),
            ]
            let daemon = try SmallDaemon(folder, rules: rules)
            #expect(try await daemon.query.allRules().map(\.state) == [.waiting, .waiting, .waiting])
            #expect(try await daemon.query.allRules().allSatisfy { $0.problems.isEmpty })
            try poll(daemon, [("btcinr", "101"), ("ethinr", "99")])
            let found = try await daemon.query.allRules()
            #expect(found.map(\.name) == ["works", "lacks", "nothing"])
            #expect(found.map(\.state) == [.ok, .impaired, .matchesNothing])
            #expect(found.map(\.problems) == [[], [SymbolProblem(state: .missing, symbols: 2)], []])
            #expect(found.map(\.firing) == [1, 1, 0])
            #expect(found.first?.matches == 2)
            #expect(try await daemon.query.allRules().filter { $0.name == "lacks" } == [found[1]])
            daemon.pipeline.stop()
        }
    }

    /// An override of one symbol makes the limit differ, so that the rule no longer has one.
    @Test func aRuleHasTheLimitsThatItsAlertsShare() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder, rules: [try band("wide", "*inr", min: "10", max: "100")])
            try poll(daemon, [("btcinr", "50"), ("ethinr", "50")])
            let limits = [
                RuleLimit(bound: .max, limit: "100", currency: "INR"),
                RuleLimit(bound: .min, limit: "10", currency: "INR"),
            ]
            let shown = try #require(try await daemon.query.allRules().first)
            #expect(Set(shown.limits.map(\.limit)) == Set(limits.map(\.limit)) && shown.limits.count == 2)
            #expect(shown.limits.allSatisfy(limits.contains))
            let change = LimitOverride(
                rule: "wide", source: daemon.pipeline.first.name, symbol: try #require(Symbol("ethinr")), bound: .max,
                limit: try Price("90"),
                currency: nil, author: SmallDaemon.anna, since: SmallDaemon.start.wall)
            daemon.pipeline.change(overrides: [change], notes: [])
            let changed = try #require(try await daemon.query.allRules().first)
            #expect(changed.limits.map(\.limit) == ["10"])
            #expect(changed.overrides?.count == 1)
            daemon.pipeline.stop()
        }
    }

    @Test func anAlertNamesItsLastEventAndItsSilence() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder, rules: [try band("wide", "*inr", max: "100")])
            try poll(daemon, [("btcinr", "101"), ("ethinr", "50")])
            let firing = try await daemon.query.allAlerts(firingOnly: true)
            #expect(firing.map(\.symbol) == ["btcinr"])
            #expect(firing.map(\.event) == [1] && firing.map(\.silence) == [nil])
            #expect(try await daemon.query.allAlerts().map(\.symbol) == ["btcinr", "ethinr"])
            #expect(try await daemon.query.allAlerts(of: Symbol("ethinr")).map(\.event) == [nil])
            let silence = try daemon.silence(60, "eth*")
            let silenced = try await daemon.query.allAlerts()
            #expect(silenced.map(\.silence) == [nil, Int(silence.number)])
            #expect(silenced.map(\.silenceEnds) == [nil, silence.ends.description])
            daemon.pipeline.stop()
        }
    }

    /// A chart gets at most 500 prices, at even distances, and always the last one.
    @Test(arguments: [(1, 1), (500, 500), (501, 251), (1_000, 500), (1_001, 334)])
    func aWindowHasFewEnoughPrices(polls: Int, shown: Int) async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder, rules: [])
            let symbol = try #require(Symbol("ethinr"))
            #expect(daemon.query.window(of: symbol, now: daemon.now) == nil)
            for number in 1...polls {
                let price = Ticker(symbol: symbol, last: Price(mantissa: Int64(number), scale: 0))
                daemon.pipeline.first.history.append(
                    [price], at: SmallDaemon.start.advanced(bySeconds: Int64(number)).wall)
            }
            let now = SmallDaemon.start.advanced(bySeconds: Int64(polls) + 10)
            let (summary, prices) = try #require(daemon.query.window(of: symbol, now: now))
            #expect(prices.count == shown && prices.last?.price == "\(polls)")
            #expect(summary.samples == polls && summary.windowMilliseconds == (polls + 9) * 1_000)
            #expect(summary.first == "1" && summary.min == "1")
            #expect(summary.last == "\(polls)" && summary.max == "\(polls)")
            daemon.pipeline.stop()
        }
    }
}
