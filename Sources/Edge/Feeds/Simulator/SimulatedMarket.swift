internal import Market
internal import Time

/// One simulated market. Prices are in ticks, the smallest step of the market.
struct SimulatedMarket {
    private enum Character {
        /// Traded in most seconds.
        case lively
        /// Traded every few minutes, while its order book keeps moving.
        case thin
        /// Without trades and without an order book.
        case frozen
        /// See ``SimulatedFeed/swingingSymbol``.
        case swinging
    }

    private let symbol: Symbol
    private let base: Asset?
    private let quote: Asset?
    /// Digits after the decimal point: a tick is 10^-decimals.
    private let decimals: UInt8
    private let character: Character
    /// The smallest trade, in hundredths of the base asset.
    private let lot: Int64
    private let startTicks: Int64
    /// The middle of the order book.
    private var middle: Int64
    private var last: Int64
    /// The random part of a swinging market's movement, in millionths of its price.
    private var noise: Int64 = 0
    private var day: SimulatedDay

    /// Creates a market. Nil if its name is invalid.
    init?(_ listing: Listing, random: inout SplitMix64) {
        guard let symbol = Symbol(listing.base + listing.quote) else { return nil }
        self.symbol = symbol
        base = Asset(listing.base)
        quote = Asset(listing.quote)
        (startTicks, decimals) = Self.ticks(of: listing.level)
        lot = max(1, Int64(min(50 / listing.dollars, 1e12)))
        character = Self.character(of: symbol.description, random: &random)
        middle = startTicks
        last = character == .thin ? moved(startTicks, by: Int64.random(in: -6_000...6_000, using: &random)) : startTicks
        let open = character == .swinging ? startTicks : moved(last, by: .random(in: -50_000...50_000, using: &random))
        let volume = character == .frozen ? 0 : lot * Int64.random(in: 100...50_000, using: &random)
        day = SimulatedDay(open: character == .frozen ? last : open, last: last, volume: volume)
    }

    /// Converts a price to ticks, with four to five significant digits and at most eight decimals.
    private static func ticks(of level: Double) -> (ticks: Int64, decimals: UInt8) {
        var decimals: UInt8 = 0
        var scaled = level
        while scaled < 1_000, decimals < 8 {
            scaled *= 10
            decimals += 1
        }
        return (max(1, Int64(scaled.rounded())), decimals)
    }

    private static func character(of name: String, random: inout SplitMix64) -> Character {
        let isLively = random.next() % 5 < 2
        if name == SimulatedFeed.swingingSymbol { return .swinging }
        if name == SimulatedFeed.frozenSymbol { return .frozen }
        return isLively || name.hasPrefix("btc") || name.hasPrefix("eth") ? .lively : .thin
    }

    /// Simulates one second.
    mutating func step(second: Int64, random: inout SplitMix64) {
        let draw = random.next()
        // Separate parts of one random number: the movement, the rounding, the trade, the jump.
        let movement = Int64(draw & 0x3FF) - 512
        let rounding = Int64((draw >> 10) & 0xF_FFFF) % 1_000_000
        let trade = Int64((draw >> 30) & 0xFFF)
        let jump = Int64((draw >> 42) & 0xF_FFFF)
        switch character {
        case .frozen: return
        case .swinging:
            noise = movement
            day.add(last: last, volume: lot * (1 + trade % 20), second: second)
        case .lively, .thin:
            if character == .lively || trade & 0xF == 0 {
                middle = kept(moved(middle, by: movement, rounding: rounding))
            }
            // The chance is one in 52,000 per second and market: with 450 markets, one jump every two minutes.
            if jump < 20 { middle = kept(moved(middle, by: (jump % 2 == 0 ? 1 : -1) * (50_000 + jump * 7_500))) }
            guard trade < (character == .lively ? 2_458 : 14) || jump < 20 else { return }
            last = max(1, middle + trade % 3 - 1)
            day.add(last: last, volume: lot * (1 + trade % 100), second: second)
        }
    }

    /// Limits a price to between a quarter of the initial price and four times that price, so that no run of luck
    /// changes the shape of the market.
    private func kept(_ ticks: Int64) -> Int64 {
        min(max(ticks, max(1, startTicks / 4)), startTicks * 4)
    }

    /// Moves a swinging market to its price at a time since the start. Leaves any other market unchanged.
    mutating func swing(at elapsed: Milliseconds) {
        guard character == .swinging else { return }
        last = moved(startTicks, by: wave(elapsed.count) + noise)
        middle = last
        day.add(last: last, volume: 0, second: elapsed.count / 1_000)
    }

    func ticker(made: WallTime) -> Ticker {
        let spread = character == .thin ? middle / 200 : middle / 2_000
        let bid = max(1, middle - spread / 2)
        let isFrozen = character == .frozen
        return Ticker(
            symbol: symbol, base: base, quote: quote, open: Price(mantissa: day.open, scale: decimals),
            low: price(day.low), high: price(day.high), last: price(last),
            volume: Price(mantissa: day.volume, scale: isFrozen ? 0 : 2), bid: isFrozen ? Self.none : price(bid),
            ask: isFrozen ? Self.none : price(bid + max(1, spread)), exchangeTime: made)
    }

    private static let none = Price(mantissa: 0, scale: 1)

    /// Returns a price as the exchange writes it: `73216.0`. The opening price has no such zero.
    private func price(_ ticks: Int64) -> Price? {
        decimals == 0 ? Price(mantissa: ticks * 10, scale: 1) : Price(mantissa: ticks, scale: decimals)
    }
}

/// Returns the ticks after a movement in millionths. `rounding`, 0 to 999,999, decides how a fraction of a tick is
/// rounded.
private func moved(_ ticks: Int64, by millionths: Int64, rounding: Int64 = 500_000) -> Int64 {
    // At most 4 × 10^9 ticks by 2 × 10^5 millionths: far from overflow.
    let change = ticks * millionths + rounding
    return max(1, ticks + (change - (change < 0 ? 999_999 : 0)) / 1_000_000)
}

/// Returns a wave of 10,000 millionths with a period of 42 s, made of two parabolas: it rises first, then falls below
/// zero.
private func wave(_ milliseconds: Int64) -> Int64 {
    let half: Int64 = 21_000
    let phase = milliseconds % (2 * half)
    let place = phase % half
    let height = 4 * place * (half - place) * 10_000 / (half * half)
    return phase < half ? height : -height
}
