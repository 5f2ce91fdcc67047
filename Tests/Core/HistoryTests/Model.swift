import History
import Market
import TestSupport
import Testing
import Time

/// The expected contents of a history as a plain array, compared with it after each step.
struct Model {
    var samples: [Symbol: [Sample]] = [:]

    mutating func append(_ tickers: [Ticker], at time: WallTime) {
        for ticker in tickers {
            guard let price = ticker.last, price.isPositive else { continue }
            samples[ticker.symbol, default: []].append(Sample(time: time, price: price))
        }
    }

    /// The samples in the order of time, those of one instant in the order of arrival.
    func sorted(_ symbol: Symbol, since start: WallTime = .distantPast, until end: WallTime = .distantFuture)
        -> [Sample]
    {
        (samples[symbol] ?? []).sorted { $0.time < $1.time }.filter { $0.time >= start && $0.time < end }
    }

    func statistics(_ symbol: Symbol, since start: WallTime, until end: WallTime) -> WindowStatistics? {
        let window = sorted(symbol, since: start, until: end)
        guard let first = window.first, let last = window.last else { return nil }
        let lowest = window.dropFirst().reduce(first) { $1.price < $0.price ? $1 : $0 }
        let highest = window.dropFirst().reduce(first) { $1.price > $0.price ? $1 : $0 }
        return WindowStatistics(count: window.count, first: first, last: last, lowest: lowest, highest: highest)
    }

    func bars(_ symbol: Symbol, since start: WallTime, until end: WallTime, step: Int64) -> [Bar] {
        let steps = Dictionary(grouping: sorted(symbol, since: start, until: end)) { sample in
            var start = sample.time.milliseconds / step * step
            if start > sample.time.milliseconds { start -= step }
            return start
        }
        return steps.sorted { $0.key < $1.key }.compactMap { start, samples in
            guard let first = samples.first, let last = samples.last else { return nil }
            return Bar(
                start: WallTime(milliseconds: start), count: samples.count, open: first.price,
                high: samples.map(\.price).max() ?? first.price, low: samples.map(\.price).min() ?? first.price,
                close: last.price)
        }
    }
}

extension WallTime {
    static let distantPast = WallTime(milliseconds: .min)
    static let distantFuture = WallTime(milliseconds: .max)
}

extension History {
    func all(
        _ symbol: Symbol, since start: WallTime = .distantPast, until end: WallTime? = nil
    ) -> [Sample] {
        var samples: [Sample] = []
        forEachSample(of: symbol, since: start, until: end) { samples.append($0) }
        return samples
    }
}

/// Whether the samples are the same to the last digit: two prices that are the same number may differ in their digits.
func areIdentical(_ left: [Sample], _ right: [Sample]) -> Bool {
    left.elementsEqual(right) {
        $0.time == $1.time && $0.price.mantissa == $1.price.mantissa && $0.price.scale == $1.price.scale
    }
}

/// A market with symbols that come and go and a clock that is set back at times.
struct MadeUpMarket {
    var history: History
    var model = Model()
    let symbols: [Symbol]
    private(set) var time: Int64
    private let series: [[Price]]
    private var polls = 0
    private let jumps: Bool

    init(symbols count: Int, polls: Int, start: Int64 = 1_000_000, jumps: Bool, _ random: inout SplitMix) throws {
        let day = Milliseconds(86_400_000_000)
        history = History(HistoryCapacity(keep: day, interval: .seconds(30), bytes: 256 << 20))
        symbols = try (0..<count).map { try #require(Symbol("s\($0)")) }
        series = (0..<count).map { Style.allCases[$0 % Style.allCases.count].prices(polls, &random) }
        time = start
        self.jumps = jumps
    }

    mutating func poll(_ random: inout SplitMix) {
        time += Int64.random(in: 29_900...30_100, using: &random)
        if jumps, Int.random(in: 0..<700, using: &random) == 0 {
            time += Int64.random(in: -7_200_000...7_200_000, using: &random)
        }
        let tickers = symbols.indices.compactMap { number -> Ticker? in
            let isAway = number % 4 == 1 && polls / 300 % 3 == 1 || number % 7 == 3 && (polls + number) % 5 == 0
            return isAway ? nil : Ticker(symbol: symbols[number], last: series[number][polls])
        }
        history.append(tickers, at: WallTime(milliseconds: time))
        model.append(tickers, at: WallTime(milliseconds: time))
        polls += 1
    }
}

/// Prices of many kinds, all made from the seed.
enum Style: CaseIterable {
    case walk, extremes, equal, eighteenDigits, anything, tenths, fixedScale, changingScale, tinyToHuge

    func prices(_ count: Int, _ random: inout SplitMix) -> [Price] {
        var before: Int64 = 1_000_000
        return (0..<count).map { number in
            before = mantissa(number, before, &random)
            return Price(mantissa: before, scale: scale(number, &random)) ?? .zero
        }
    }

    private func mantissa(_ number: Int, _ before: Int64, _ random: inout SplitMix) -> Int64 {
        switch self {
        case .walk, .fixedScale, .changingScale:
            return max(1, before + Int64.random(in: -3...3, using: &random) * Int64.random(in: 0...1, using: &random))
        case .tenths: return max(10, before + Int64.random(in: -5...5, using: &random) * 10)
        case .extremes: return number % 2 == 0 ? .max : 1
        case .equal: return 7_321_600
        case .eighteenDigits: return Int64.random(in: 100_000_000_000_000_000...999_999_999_999_999_999, using: &random)
        case .anything: return Int64.random(in: 1 ... .max, using: &random)
        case .tinyToHuge: return 1 << Int64.random(in: 0...62, using: &random)
        }
    }

    private func scale(_ number: Int, _ random: inout SplitMix) -> UInt8 {
        switch self {
        case .walk, .tenths, .equal: 2
        case .fixedScale: 8
        case .changingScale: UInt8(number / 100 % 4)
        case .extremes: number % 3 == 0 ? 18 : 0
        case .eighteenDigits: 18
        case .anything, .tinyToHuge: UInt8.random(in: 0...18, using: &random)
        }
    }
}
