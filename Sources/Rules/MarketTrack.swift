internal import Market

/// What the engine remembers of one symbol.
struct MarketTrack: Sendable {
    let symbol: Symbol
    var quote: Asset?
    /// In the order of the rules, and of a rule the order of its bounds.
    var alerts: [Alert] = []
    /// The last usable sample.
    var previous: (price: Price, time: Instant)?
    var activity: MarketActivity
    /// Which response it was in last.
    var lastPoll = 0
    /// Whether its sample of that response had a price greater than 0.
    var hasPrice = false
    /// Its place in the engine's watches, when a rule names it exactly.
    var watch: Int?
    /// Whether it stands in the change log.
    var isChanged = false

    init(symbol: Symbol, at time: Instant) {
        self.symbol = symbol
        activity = MarketActivity(at: time)
    }
}

/// One rule on one symbol and bound.
struct Alert: Sendable {
    /// The rule's place in the set.
    var rule: Int
    let bound: Bound
    let limit: Limit
    var machine = AlertMachine.waiting
    /// Whether the rule's currency is the market's own.
    var isConvertible: Bool
    /// Whether it stands in the change log.
    var isChanged = false
}

/// Tells a frozen market from a quiet one.
struct MarketActivity: Sendable {
    private var last: Price?
    private var bid: Price?
    private var ask: Price?
    private var volume: Price?
    /// When the four numbers were first seen as they are now.
    private var unchangedSince: Instant
    /// When the market was first seen frozen; nil while it is not.
    private(set) var frozenSince: Instant?

    /// A market that nothing is known of yet.
    init(at time: Instant) {
        unchangedSince = time
    }

    /// Takes a ticker and decides whether the market is frozen.
    mutating func update(_ ticker: Ticker, at time: Instant, frozenAfter: Milliseconds) {
        if ticker.last != last || ticker.bid != bid || ticker.ask != ask || ticker.volume != volume {
            (last, bid, ask, volume) = (ticker.last, ticker.bid, ticker.ask, ticker.volume)
            unchangedSince = time
        }
        let isFrozen = hasNoTrade && (hasNoBook || time.boot.since(unchangedSince.boot) >= frozenAfter)
        frozenSince = isFrozen ? frozenSince ?? time : nil
    }

    private var hasNoTrade: Bool { volume?.isZero ?? false }
    private var hasNoBook: Bool { (bid?.isZero ?? false) && (ask?.isZero ?? false) }
}

extension MarketTrack {
    static let memoryKeys: Set<String> = ["quote", "last", "seen", "unchanged", "frozen"]

    func write(to writer: inout MemoryWriter) {
        writer.field("quote", quote?.description)
        writer.field("last", previous)
        activity.write(to: &writer)
    }

    /// What was written; nil when the symbol was never in a response.
    init?(_ symbol: Symbol, reading reader: inout MemoryReader, at time: Instant) {
        self.init(symbol: symbol, at: time)
        quote = reader.value("quote", Asset.init)
        previous = reader.sample("last")
        hasPrice = previous != nil
        guard activity.read(from: &reader) else { return nil }
    }
}

extension MarketActivity {
    fileprivate func write(to writer: inout MemoryWriter) {
        writer.field("seen", [last, bid, ask, volume].map { $0?.description ?? "-" }.joined(separator: "/"))
        writer.field("unchanged", unchangedSince)
        writer.field("frozen", frozenSince)
    }

    /// Reads what was written; false when there was nothing.
    fileprivate mutating func read(from reader: inout MemoryReader) -> Bool {
        let seen = reader.value("seen") { text -> [Price?]? in
            let parts = text.split(separator: "/").map(String.init)
            let prices = parts.map { try? Price($0) }
            let isGood = zip(parts, prices).allSatisfy { $0 == "-" || $1 != nil }
            return parts.count == 4 && isGood ? prices : nil
        }
        guard let seen, let since = reader.instant("unchanged") else { return false }
        (last, bid, ask, volume) = (seen[0], seen[1], seen[2], seen[3])
        unchangedSince = since
        frozenSince = reader.instant("frozen")
        return true
    }
}
