internal import Engine
internal import ExchangeRates
internal import Market
internal import Rules
internal import Time

/// What the responses until now say about markets.
struct NaiveMarket: Equatable {
    /// A price of a market that a rule may use, and when it was received.
    struct Sample: Equatable {
        var time: Instant
        var price: Fraction
    }

    /// A market's kind of price in the currency of rules; the market's own when nil.
    struct Price: Hashable {
        var symbol: Symbol
        var kind: PriceKind
        var currency: Currency?
    }

    private struct Seen: Equatable {
        var ticker: Ticker
        var quote: Asset?
        var unchangedSince: Instant
        var poll: Int
        /// Decided when it was received: other settings count from the next response on.
        var isFrozen = false
        /// When a response first lacked it.
        var goneSince: Instant?
    }

    private var markets: [Symbol: Seen] = [:]
    /// The last usable price of each kind.
    var last: [Price: Sample] = [:]
    private var polls = 0
    var rates: ReferenceRates?
    /// When the last poll was.
    private(set) var now: Instant?
    var frozenAfter: Milliseconds

    init(frozenAfter: Milliseconds) {
        self.frozenAfter = frozenAfter
    }

    /// All symbols that any response had.
    var symbols: [Symbol] { markets.keys.sorted() }

    mutating func take(_ poll: NaiveRules.Poll) {
        polls += 1
        now = poll.time
        rates = poll.rates
        for symbol in markets.keys where markets[symbol]?.goneSince == nil { markets[symbol]?.goneSince = poll.time }
        for ticker in poll.tickers {
            let old = markets[ticker.symbol]
            let isSame = old.map {
                $0.ticker.last == ticker.last && $0.ticker.bid == ticker.bid && $0.ticker.ask == ticker.ask
                    && $0.ticker.volume == ticker.volume
            }
            markets[ticker.symbol] = Seen(
                ticker: ticker, quote: ticker.quote ?? old?.quote,
                unchangedSince: isSame == true ? old?.unchangedSince ?? poll.time : poll.time, poll: polls)
            let isFrozen = isFrozen(markets[ticker.symbol], at: poll.time)
            markets[ticker.symbol]?.isFrozen = isFrozen
        }
    }

    mutating func translate(_ translated: (Instant) -> Instant) {
        for symbol in markets.keys {
            if let since = markets[symbol]?.unchangedSince { markets[symbol]?.unchangedSince = translated(since) }
            if let since = markets[symbol]?.goneSince { markets[symbol]?.goneSince = translated(since) }
        }
        for key in last.keys {
            if let time = last[key]?.time { last[key]?.time = translated(time) }
        }
        now = now.map(translated)
    }

    /// Forgets all markets but these, as a restart does.
    mutating func keepOnly(_ symbols: Set<Symbol>) {
        markets = markets.filter { symbols.contains($0.key) }
        last = last.filter { symbols.contains($0.key.symbol) }
    }

    /// Forgets one market.
    mutating func forget(_ symbol: Symbol) {
        markets[symbol] = nil
        last = last.filter { $0.key.symbol != symbol }
    }

    /// For how long responses have lacked the market; nil when the last one has it.
    func absence(of symbol: Symbol, at now: Instant) -> Milliseconds? {
        markets[symbol]?.goneSince.map { now.boot.since($0.boot) }
    }

    /// The market in the last response; nil when that lacks it.
    func ticker(_ symbol: Symbol) -> Ticker? {
        markets[symbol].flatMap { $0.poll == polls ? $0.ticker : nil }
    }

    func quote(_ symbol: Symbol) -> Currency? { markets[symbol]?.quote?.currency }

    /// Whether a market of the last response is frozen.
    func isFrozen(_ symbol: Symbol) -> Bool {
        markets[symbol].map { $0.poll == polls && $0.isFrozen } ?? false
    }

    private func isFrozen(_ seen: Seen?, at now: Instant) -> Bool {
        guard let seen, seen.ticker.volume == .zero else { return false }
        if seen.ticker.bid == .zero, seen.ticker.ask == .zero { return true }
        return now.boot.since(seen.unchangedSince.boot) >= frozenAfter
    }

    /// The price that a rule names; nil when it is not usable.
    func price(_ kind: PriceKind, _ symbol: Symbol) -> Fraction? {
        guard let ticker = ticker(symbol), !isFrozen(symbol) else { return nil }
        let price: Fraction? =
            switch kind {
            case .last: ticker.last.map(Fraction.init)
            case .bid: ticker.bid.map(Fraction.init)
            case .ask: ticker.ask.map(Fraction.init)
            case .mid: middle(ticker)
            }
        return price.flatMap { $0 > Fraction(0) ? $0 : nil }
    }

    private func middle(_ ticker: Ticker) -> Fraction? {
        guard let bid = ticker.bid, let ask = ticker.ask, bid.isPositive, ask.isPositive else { return nil }
        return (Fraction(bid) + Fraction(ask)) / Fraction(2)
    }

    /// How much of a currency one unit of the market's is, and nil when there is no way.
    func rate(to target: Currency?, _ symbol: Symbol) -> Fraction? {
        guard let quote = quote(symbol) else { return target == nil ? Fraction(1) : nil }
        guard let target, target != quote else { return Fraction(1) }
        if let direct = fiatRate(quote, target) { return direct }
        let isFiat = ["INR", "EUR", "USDT"].contains(quote.description)
        guard !isFiat, rates?.table[quote] == nil else { return nil }
        for (name, currency) in [("inr", "INR"), ("usdt", "USDT")] {
            guard let market = Symbol("\(quote)".lowercased() + name), !isFrozen(market),
                let last = ticker(market)?.last, last.isPositive
            else { continue }
            return Currency(currency).flatMap { fiatRate($0, target) }.map { $0 * Fraction(last) }
        }
        return nil
    }

    private func fiatRate(_ from: Currency, _ to: Currency) -> Fraction? {
        let pegged = { (currency: Currency) in currency.description == "USDT" ? "USD" : currency.description }
        if pegged(from) == pegged(to) { return Fraction(1) }
        guard let rates, !rates.isStale else { return nil }
        let perEuro = { (name: String) -> Fraction? in
            name == "EUR" ? Fraction(1) : Currency(name).flatMap { rates.table[$0] }.map(Fraction.init)
        }
        guard let source = perEuro(pegged(from)), let target = perEuro(pegged(to)) else { return nil }
        return target / source
    }
}
