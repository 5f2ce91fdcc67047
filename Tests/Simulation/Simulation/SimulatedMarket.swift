internal import Market
internal import TestSupport
internal import Time

/// The markets of the simulated exchange: walks, jumps, ticks, thin and frozen ones, halts, delistings and listings.
struct SimulatedMarket {
    private enum Character: CaseIterable {
        case walking, jumping, ticking, thin, frozen, halted, delisted, broken
    }

    private struct Coin {
        let symbol: Symbol
        let base: Asset?
        let quote: Asset?
        /// A tenth of a hundredth of the unit that rules are about.
        var level: Int64
        var character = Character.walking
        let scale: UInt8
    }

    static let names = ["btcinr", "ethusdt", "abcwrx", "wrxinr", "wrxusdt", "1inchinr"]

    private var coins: [Coin] = []
    /// Whether each response has all markets.
    private var isWhole = false
    private var random: SplitMix

    init(size: Int, seed: UInt64) {
        random = SplitMix(seed: seed)
        var names = Array(Self.names.shuffled(using: &random).prefix(size))
        if size > names.count { names += (0..<size - names.count).map { "c\($0)inr" } }
        coins = names.compactMap { name in
            let quote = ["inr", "usdt", "wrx"].first { name.hasSuffix($0) } ?? "inr"
            guard let symbol = Symbol(name) else { return nil }
            return Coin(
                symbol: symbol, base: Asset(String(name.dropLast(quote.count))), quote: Asset(quote),
                level: .random(in: 900...1_100, using: &random), scale: name.hasPrefix("wrx") ? 3 : 1)
        }
        change(random.next())
    }

    var symbols: [Symbol] { coins.map(\.symbol) }

    /// Gives some markets another character, and sometimes the whole exchange.
    mutating func change(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let isRelaunch = Int.random(in: 0..<10, using: &random) == 0
        for index in coins.indices where isRelaunch || Bool.random(using: &random) {
            coins[index].character =
                isRelaunch || Int.random(in: 0..<3, using: &random) > 0
                ? [.walking, .jumping, .ticking].randomElement(using: &random) ?? .walking
                : Character.allCases.randomElement(using: &random) ?? .walking
            if isRelaunch { coins[index].level = .random(in: 700...1_300, using: &random) }
        }
        if isRelaunch { coins.shuffle(using: &random) }
    }

    /// Lists all markets again, for good.
    mutating func recover() {
        isWhole = true
        for index in coins.indices { coins[index].character = .walking }
    }

    /// The markets of the next response.
    mutating func next(at now: Instant) -> [Ticker] {
        coins.indices.compactMap { next($0, now) }
    }

    private mutating func next(_ index: Int, _ now: Instant) -> Ticker? {
        let fate = Int.random(in: 0..<60, using: &random)
        let step: Int64 =
            switch coins[index].character {
            case .walking: .random(in: -15...15, using: &random)
            case .jumping: [0, 0, -120, 120, 60, -60, -10, 10].randomElement(using: &random) ?? 0
            case .ticking: [0, 0, -10, 10].randomElement(using: &random) ?? 0
            case .thin: fate < 6 ? .random(in: -200...200, using: &random) : 0
            default: 0
            }
        let coin = coins[index]
        let level = max(700, min(1_300, coin.level + step))
        coins[index].level = level
        guard coin.character != .delisted, fate != 59 || isWhole else { return nil }
        var ticker = Ticker(
            symbol: coin.symbol, base: coin.base, quote: coin.quote, last: price(level, coin),
            volume: Price(mantissa: Int64(fate) + 1, scale: 1), bid: price(level - 3, coin),
            ask: price(level + 4, coin), exchangeTime: exchangeTime(now, fate))
        switch coin.character {
        case .frozen: (ticker.volume, ticker.bid, ticker.ask) = (.zero, .zero, .zero)
        case .halted: ticker.volume = .zero
        case .broken where fate < 30:
            ticker.last = [nil, .zero, Price(mantissa: -5, scale: 0)].randomElement(using: &random) ?? nil
            ticker.bid = [nil, .zero, ticker.bid].randomElement(using: &random) ?? nil
        default: break
        }
        return ticker
    }

    private func price(_ level: Int64, _ coin: Coin) -> Price? { Price(mantissa: level, scale: coin.scale) }

    /// A second or two ago; sometimes absent, or far off, which counts as absent.
    private func exchangeTime(_ now: Instant, _ fate: Int) -> WallTime? {
        if fate == 10 { return nil }
        return WallTime(milliseconds: (now.wall.milliseconds / 1_000 - Int64(fate % 4) + (fate == 11 ? 5 : 0)) * 1_000)
    }
}
