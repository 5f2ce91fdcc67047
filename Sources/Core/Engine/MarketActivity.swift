internal import Market
internal import Time

/// The activity of a market, which distinguishes a frozen market from a quiet one.
///
/// Only a market without volume can be frozen, so active markets need no state.
struct MarketActivity: Sendable {
    /// Nil while there is volume, or the volume is unknown.
    private(set) var quiet: QuietMarket?

    /// When the market was first seen frozen; nil while it is not.
    var frozenSince: Instant? { quiet?.frozenSince }

    init(quiet: QuietMarket? = nil) {
        self.quiet = quiet
    }

    /// Processes a ticker and decides if the market is frozen.
    ///
    /// - Returns: true if the state has changed.
    mutating func update(_ ticker: Ticker, at time: Instant, frozenAfter: Milliseconds) -> Bool {
        guard ticker.volume?.isZero ?? false else {
            guard quiet != nil else { return false }
            quiet = nil
            return true
        }
        var new = QuietMarket(last: ticker.last, bid: ticker.bid, ask: ticker.ask, unchangedSince: time)
        let isSame = quiet.map { new.hasPrices(of: $0) } ?? false
        if isSame, let quiet { new = quiet }
        let isFrozen = new.hasNoBook || time.boot.since(new.unchangedSince.boot) >= frozenAfter
        let frozenSince = isFrozen ? quiet?.frozenSince ?? time : nil
        guard !isSame || (new.frozenSince == nil) != (frozenSince == nil) else { return false }
        new.frozenSince = frozenSince
        quiet = new
        return true
    }
}

/// A market without volume.
struct QuietMarket: Sendable {
    var last: Price?
    var bid: Price?
    var ask: Price?
    /// When the prices last changed, or the volume became 0.
    var unchangedSince: Instant
    /// When the market was first seen frozen; nil while it is not.
    var frozenSince: Instant?

    var hasNoBook: Bool { (bid?.isZero ?? false) && (ask?.isZero ?? false) }

    /// True if the market has the same prices as `other`.
    func hasPrices(of other: QuietMarket) -> Bool {
        last == other.last && bid == other.bid && ask == other.ask
    }
}
