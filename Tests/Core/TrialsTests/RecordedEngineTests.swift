import Engine
import Events
import ExchangeRates
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import Trials

/// Compares skipping prices with evaluating each of them.
struct RecordedEngineTests {
    /// Prices of up to three symbols that mostly move a little, with gaps, absences and other rates each day.
    private struct RandomRecording {
        var moments: [(prices: [RecordedPrice], time: WallTime, rates: ReferenceRates?)] = []

        init(_ random: inout SplitMix) throws {
            let symbols = try ["btcusdt", "ethusdt", "dogeusd"].prefix(Int.random(in: 1...3, using: &random))
                .map { try #require(Symbol($0)) }
            var levels = symbols.map { _ in Int64(10_000) }
            var time: Int64 = 1_767_225_600_000
            let hasRates = Bool.random(using: &random)
            for _ in 0..<400 {
                time += Int.random(in: 0..<60, using: &random) == 0 ? 600_000 : 60_000
                var prices: [RecordedPrice] = []
                for place in symbols.indices {
                    levels[place] += Int64.random(in: -60...60, using: &random)
                    if Int.random(in: 0..<50, using: &random) == 0 {
                        levels[place] = .random(in: 9_000...11_000, using: &random)
                    }
                    guard Int.random(in: 0..<60, using: &random) > 0 else { continue }
                    let isLong = Bool.random(using: &random)
                    let price = Price(mantissa: levels[place] * (isLong ? 10 : 1), scale: isLong ? 3 : 2)
                    prices.append(RecordedPrice(symbol: symbols[place], price: try #require(price)))
                }
                let usd = time / 7_200_000 % 2 == 0 ? "1.1" : "1.2"
                let rates = hasRates ? try Recording.rates(usd: usd, sek: "11") : nil
                moments.append((prices, WallTime(milliseconds: time), rates))
            }
        }
    }

    private static func price(_ random: inout SplitMix) throws -> Price {
        try #require(Price(mantissa: .random(in: 95...105, using: &random), scale: 0))
    }

    private static func condition(_ random: inout SplitMix) throws -> Condition {
        let limit = try price(&random)
        let hysteresis = Bool.random(using: &random) ? Distance.amount(try Price("0.5")) : nil
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: return .band(try Band(min: nil, max: limit, hysteresis: hysteresis))
        case 2: return .band(try Band(min: limit, max: nil, hysteresis: hysteresis))
        case 3: return .cross(try Crossing(Bool.random(using: &random) ? .up : .down, over: limit))
        case 4: return .within(try Zone(low: limit, high: try #require(limit.adding(.one)), hysteresis: hysteresis))
        default:
            let direction = Direction.allCases.randomElement(using: &random) ?? .both
            return .move(try Move(direction, by: .percent(Price("2")), window: .seconds(1_200)))
        }
    }

    private static func rules(_ random: inout SplitMix) throws -> [Rule] {
        try (0..<Int.random(in: 1...4, using: &random)).map { number in
            var policy = NotificationPolicy()
            switch Int.random(in: 0..<6, using: &random) {
            case 0: policy = NotificationPolicy(cooldown: .seconds(1_800))
            case 1: policy = NotificationPolicy(repeatAfter: .seconds(600))
            case 2: policy = NotificationPolicy(once: true)
            default: break
            }
            let pattern = ["*", "btc*", "btcusdt"][Int.random(in: 0..<3, using: &random)]
            let isConverted = Int.random(in: 0..<4, using: &random) == 0
            let expires = WallTime(milliseconds: 1_767_225_600_000 + Int64.random(in: 0..<24_000_000, using: &random))
            if number > 0, Int.random(in: 0..<3, using: &random) == 0 { policy.onlyWhile = "r\(number - 1)" }
            var rule = Rule(
                name: "r\(number)", symbols: [try #require(SymbolPattern(pattern))], condition: try condition(&random),
                currency: isConverted ? Currency("EUR") : nil, price: Bool.random(using: &random) ? .last : .bid,
                hold: .seconds([0, 0, 120][Int.random(in: 0..<3, using: &random)]), notification: policy,
                expires: Int.random(in: 0..<4, using: &random) == 0 ? expires : nil)
            if !rule.condition.kind.isMomentary, Int.random(in: 0..<3, using: &random) == 0 {
                rule.keepFiring = .seconds(600)
            }
            return rule
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func skippingChangesNothing(part: UInt64) throws {
        var (evaluated, all, events) = (0, 0, 0)
        for seed in stride(from: part, to: UInt64(LongRun.count(20_000, otherwise: 200)), by: 8) {
            var random = SplitMix(seed: seed)
            let recording = try RandomRecording(&random)
            let rules = try Self.rules(&random)
            var fast = RecordedEngine(rules: rules, settings: Recording.settings)
            var slow = RuleEngine(rules: rules, settings: Recording.settings, start: .beforeRecordings)
            for (place, (prices, time, rates)) in recording.moments.enumerated() {
                let batch = TickerBatch(recorded: prices, at: time)
                let expected = slow.evaluate(batch, rates: rates).filter(\.isOfAlert)
                let found = fast.evaluate(prices, at: time, rates: rates)
                #expect(found == expected, "seed \(seed), moment \(place): \(rules)")
                guard found == expected else { return }
                events += found.count
            }
            let finished = fast.finished
            #expect(finished.alerts() == slow.alerts(), "seed \(seed): \(rules)")
            evaluated += finished.pollCount
            all += recording.moments.count
        }
        // It has to skip something, and not what matters.
        #expect(evaluated < all * 2 / 3 && events > 200, "\(evaluated) of \(all), \(events) events")
    }

    /// A limit far away, and a price that comes near, reaches it and goes away.
    @Test func fewPricesAreEvaluated() throws {
        var engine = RecordedEngine(
            rules: [try Recording.rule(Recording.max("110", hysteresis: "2"))], settings: Recording.settings)
        var events: [EventKind] = []
        try Recording("100x1000 109x1000 110x1000 109x1000 107x1000").forEach {
            events += engine.evaluate($0, at: $1, rates: nil).map(\.kind)
        }
        #expect(events == [.fired, .resolved])
        #expect(engine.finished.pollCount < 20, "\(engine.finished.pollCount)")
    }
}
