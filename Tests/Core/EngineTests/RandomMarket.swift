import Engine
import Events
import ExchangeRates
import Market
import NaiveRules
import Rules
import TestSupport
import Time

/// Rules and polls made from a seed: small numbers that meet limits often, and all that can go wrong with a market.
struct RandomMarket {
    static let symbols = ["btcinr", "ethusdt", "abcwrx", "wrxinr", "wrxusdt"]

    let naive: NaiveRules
    private(set) var polls: [NaiveRules.Poll] = []
    private var random: SplitMix
    private var prices: [String: Int64] = [:]

    init(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var rules = try (0..<Int.random(in: 1...4, using: &random)).map { try Self.rule($0, &random) }
        Self.linger(&rules, seed: seed)
        naive = NaiveRules(
            rules: rules,
            settings: EngineSettings(
                maximumGap: .seconds(90), frozenAfter: .seconds(90), staleAfter: .seconds(1_000_000)))
        self.random = random
        let order = Self.symbols.shuffled(using: &self.random)
        let silences = (0..<Int64.random(in: 0...2, using: &self.random)).map { silence($0 + 1) }
        var time = Self.start
        for _ in 0..<Int.random(in: 8...30, using: &self.random) {
            let length = chance(12, 1) == 1 ? Int64.random(in: 60...300, using: &self.random) : 30
            time = time.advanced(bySeconds: length)
            polls.append(try poll(time, order, silences))
        }
    }

    /// Two and a half minutes before midnight.
    static let start = Instant(
        boot: BootTime(milliseconds: 1_000_000), wall: WallTime(milliseconds: 1_700_006_250_000))

    /// `hit`, 0 or 1, with a probability of one in `odds`; else the other one.
    private mutating func chance(_ odds: Int, _ hit: Int) -> Int {
        Int.random(in: 0..<odds, using: &random) == 0 ? hit : 1 - hit
    }

    private mutating func silence(_ number: Int64) -> Silence {
        let end = Self.start.advanced(bySeconds: Int64.random(in: 60...900, using: &random))
        return Silence(
            number: number,
            symbols: [nil, nil, SymbolPattern("btc*"), SymbolPattern("*wrx")].randomElement(using: &random) ?? nil,
            rule: [nil, nil, "rule 0"].randomElement(using: &random) ?? nil,
            severity: [nil, nil, .critical].randomElement(using: &random) ?? nil,
            end: Bool.random(using: &random) ? .after(end.boot) : .at(end.wall))
    }

    private mutating func poll(
        _ time: Instant, _ order: [String], _ silences: [Silence]
    ) throws -> NaiveRules.Poll {
        let tickers = try order.compactMap { try ticker($0) }
        let names = naive.rules.map(\.name)
        return NaiveRules.Poll(
            time: time, tickers: tickers, rates: try rates(), silences: silences,
            acknowledged: chance(10, 1) == 1 ? names.filter { _ in Bool.random(using: &random) } : [],
            armed: chance(10, 1) == 1 ? names.filter { _ in Bool.random(using: &random) } : [])
    }

    private mutating func rates() throws -> ReferenceRates? {
        guard chance(10, 1) == 0, let dollar = Currency("USD"), let rupee = Currency("INR"),
            let krona = Currency("SEK"), let date = CivilDate("2026-11-20")
        else { return nil }
        let rates = [
            (dollar, try Price(Bool.random(using: &random) ? "1.25" : "1.1")), (rupee, try Price("2.5")),
            (krona, try Price("3")),
        ]
        let isStale = chance(10, 1) == 1
        return RateTable(date: date, source: "ecb", rates: rates).map { ReferenceRates($0, isStale: isStale) }
    }

    private mutating func ticker(_ name: String) throws -> Ticker? {
        let fate = Int.random(in: 0..<20, using: &random)
        let step = [0, 0, 0, -1, 1, -5, 5, -12, 12].randomElement(using: &random) ?? 0
        let cents = max(50, min(150, (prices[name] ?? Int64.random(in: 90...110, using: &random)) + Int64(step)))
        prices[name] = cents
        guard fate != 0, let symbol = Symbol(name) else { return nil }
        let quote = name.hasSuffix("inr") ? "inr" : name.hasSuffix("usdt") ? "usdt" : "wrx"
        var ticker = Ticker(
            symbol: symbol, quote: Asset(quote), last: Price(mantissa: cents * 10, scale: 1),
            volume: Price(mantissa: fate == 1 || fate == 2 ? 0 : 5, scale: 1),
            bid: Price(mantissa: cents - 1, scale: 0), ask: Price(mantissa: cents + 2, scale: 0))
        if fate == 2 { (ticker.bid, ticker.ask) = (Price.zero, Price.zero) }
        if fate == 3 { ticker.last = [nil, Price.zero, try Price("-1")].randomElement(using: &random) ?? nil }
        if fate == 4 { ticker.bid = [nil, Price.zero].randomElement(using: &random) ?? nil }
        return ticker
    }
}

// Candles.
extension RandomMarket {
    /// One for most minutes around the gap.
    static func candles(of gap: PriceGap, _ random: inout SplitMix) throws -> [Candle] {
        let first = gap.id.since.milliseconds / 60_000 - 1
        let last = gap.until.milliseconds / 60_000 + 1
        return (first...last).compactMap { minute -> Candle? in
            guard Int.random(in: 0..<6, using: &random) > 0 else { return nil }
            let low = Int64.random(in: 80...112, using: &random)
            let high = low + Int64.random(in: 0...12, using: &random)
            let volume = Int64.random(in: 0..<5, using: &random)
            let price = { (cents: Int64) in Price(mantissa: cents * 10, scale: 1) ?? .zero }
            return Candle(
                start: WallTime(milliseconds: minute * 60_000), open: price(low), high: price(high), low: price(low),
                close: price(high), volume: price(volume))
        }
    }
}

// Rules.
extension RandomMarket {
    private static func rule(_ number: Int, _ random: inout SplitMix) throws -> Rule {
        let condition = try condition(&random)
        let isCrossing = if case .cross = condition { true } else { false }
        let pick = { (values: [Int64], random: inout SplitMix) in
            Milliseconds.seconds(values.randomElement(using: &random) ?? 0)
        }
        let symbols =
            [["btcinr"], ["ethusdt"], ["abcwrx"], ["*"], ["btc*", "abcwrx"], ["*inr", "gone"]]
            .randomElement(using: &random) ?? []
        let repeatAfter = isCrossing || Bool.random(using: &random) ? nil : pick([30, 60, 100], &random)
        let expires =
            Int.random(in: 0..<8, using: &random) == 0
            ? start.advanced(bySeconds: Int64.random(in: 60...900, using: &random)).wall : nil
        return Rule(
            name: "rule \(number)", symbols: symbols.compactMap(SymbolPattern.init), condition: condition,
            currency: [nil, nil, "INR", "USD", "SEK", "USDT"].randomElement(using: &random)?.flatMap(Currency.init),
            price: [.last, .last, .last, .bid, .ask, .mid].randomElement(using: &random) ?? .last,
            hold: isCrossing ? .zero : pick([0, 0, 30, 60, 75], &random),
            notification: NotificationPolicy(
                repeatAfter: repeatAfter, cooldown: pick([0, 0, 60, 200], &random),
                once: Int.random(in: 0..<6, using: &random) == 0),
            expires: expires, severity: Severity.allCases.randomElement(using: &random) ?? .info)
    }

    /// Lets rules stay firing, and depend on each other without a circle; of its own seed, so that all else stays as
    /// it is without.
    private static func linger(_ rules: inout [Rule], seed: UInt64) {
        var random = SplitMix(seed: ~seed)
        let places = rules.indices.shuffled(using: &random)
        for (number, place) in places.enumerated() {
            if !rules[place].condition.kind.isMomentary, Int.random(in: 0..<3, using: &random) == 0 {
                rules[place].keepFiring = .seconds([30, 60, 75, 150].randomElement(using: &random) ?? 30)
            }
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let others = places.prefix(number).filter { !rules[$0].condition.kind.isMomentary }
            rules[place].notification.onlyWhile = others.randomElement(using: &random).map { rules[$0].name }
        }
    }

    private static func relative(
        _ prices: (Price, Price), _ hysteresis: Distance?, _ random: inout SplitMix
    ) throws -> RelativeBand {
        let change = { (random: inout SplitMix) in
            DeclaredLimit.percent(try Price("\(Int.random(in: 2...9, using: &random)).5"))
        }
        let down = DeclaredLimit.percent(try Price("-\(Int.random(in: 2...9, using: &random)).25"))
        let base: LimitBase =
            Bool.random(using: &random)
            ? .price : .day(CivilDate(daysSinceEpoch: start.wall.milliseconds / 86_400_000 + 1))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return try RelativeBand(min: down, max: change(&random), hysteresis: nil, base: base)
        case 1: return try RelativeBand(min: nil, max: change(&random), hysteresis: hysteresis, base: base)
        case 2:
            return try RelativeBand(min: .amount(prices.0), max: change(&random), hysteresis: hysteresis, base: base)
        default: return try RelativeBand(min: down, max: .amount(prices.1), hysteresis: hysteresis, base: base)
        }
    }

    private static func condition(_ random: inout SplitMix) throws -> Condition {
        let low = Int64.random(in: 90...100, using: &random)
        let high = low + Int64.random(in: 6...16, using: &random)
        let prices = try (Price("\(low)"), Price("\(high).0"))
        let hysteresis: Distance? =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: nil
            case 1: .amount(try Price("\(Int.random(in: 0...3, using: &random))"))
            default: .percent(try Price("\(Int.random(in: 1...3, using: &random)).5"))
            }
        let direction = Direction.allCases.randomElement(using: &random) ?? .both
        switch Int.random(in: 0..<8, using: &random) {
        case 6, 7: return .relative(try relative(prices, hysteresis, &random))
        case 0: return .band(try Band(min: prices.0, max: prices.1, hysteresis: hysteresis))
        case 1: return .band(try Band(min: nil, max: prices.1, hysteresis: hysteresis))
        case 2: return .within(try Zone(low: prices.0, high: prices.1, hysteresis: hysteresis))
        case 3: return .cross(try Crossing(direction, over: prices.0))
        default:
            let distance = Bool.random(using: &random) ? Distance.amount(try Price("6")) : .percent(try Price("5.5"))
            let window = Milliseconds.seconds([60, 90, 100, 300].randomElement(using: &random) ?? 60)
            return .move(try Move(direction, by: distance, window: window))
        }
    }
}
