internal import Market
internal import Time

/// What the engine remembers of one symbol.
struct SymbolState: Sendable {
    // What every poll reads comes first, so that it shares cache lines.
    var presence = SymbolPresence()
    /// In the order of the rules, and of a rule the order of its bounds.
    var alerts: [Alert] = []
    /// Its place among the symbols that are stored; nil when it is not.
    var slot: Int?
    /// Whether one of its alerts has yet to process the expiry of its rule.
    var mustEnd = false
    private(set) var quote: Asset?
    var wake = WakeThresholds()
    /// The first is the last price in the market's own currency.
    var inputs = [PriceInput(.last, in: nil)]
    var activity = MarketActivity()
    let symbol: Symbol
    private(set) var quoteCurrency: Currency?
    /// Whether it lacks the alerts of patterns, because there were too many alerts when it was given its own.
    var isBeyondLimit = false
    /// Its place in the engine's watches; nil unless a rule names it exactly.
    var watch: Int?

    /// Whether a threshold may have been passed, or a rule has expired.
    var mustCheckAlerts: Bool { !wake.isSettled || mustEnd }

    /// Whether it is stored: symbols without an alert that no rule names are not.
    var isRemembered: Bool { watch != nil || !alerts.isEmpty }

    init(symbol: Symbol) {
        self.symbol = symbol
    }

    /// The market as people write it: `BTC/INR`.
    var marketName: String { symbol.marketName(quotedIn: quote) }

    /// The last usable last price, in the market's own currency.
    var previous: PriceSample? { inputs[0].previous }

    /// Notes the last price of a symbol whose inputs nobody reads.
    mutating func notePrice(at time: Instant) {
        guard activity.frozenSince == nil, let lastPrice = presence.lastPrice else { return }
        inputs[0].previous = PriceSample(price: lastPrice, time: time)
    }

    /// The first ticker of a symbol may have lacked the quote asset; conversion depends on it.
    mutating func setQuote(_ asset: Asset) {
        quote = asset
        quoteCurrency = asset.currency
        for index in inputs.indices { inputs[index].routeVersion = nil }
        openWakeThresholds()
    }

    /// Has every alert checked with the next price.
    mutating func openWakeThresholds() { wake.open(for: alerts) }

    /// The place of an input; a new one, with what `old` ones remember, when there is none yet.
    mutating func place(of kind: PriceKind, in currency: Currency?, from old: [PriceInput]) -> Int {
        let isSame = { (input: PriceInput) in input.kind == kind && input.currency == currency }
        if let place = inputs.firstIndex(where: isSame) { return place }
        var input = PriceInput(kind, in: currency)
        if let before = old.first(where: isSame) { input.takeOver(from: before) }
        if let currency, currency == quoteCurrency { input.route = .none }
        inputs.append(input)
        return inputs.count - 1
    }
}

/// When responses had a symbol.
struct SymbolPresence: Sendable {
    /// The number of the last response that had it.
    var lastPoll = 0
    /// Its last price of that response, where it is greater than 0.
    var lastPrice: Price?
    /// When a response first lacked it; nil while the last response has it.
    var goneSince: Instant?
    /// Whether it was forgotten, and its number is free.
    var isVacant = false
}

// MARK: Prices

extension SymbolState {
    /// Takes what the ticker says of the market.
    ///
    /// - Returns: whether what is remembered of a market without volume has changed.
    mutating func observe(_ ticker: Ticker, inPoll poll: Int, at time: Instant, frozenAfter: Milliseconds) -> Bool {
        (presence.lastPoll, presence.lastPrice) = (poll, ticker.price(.last))
        return activity.update(ticker, at: time, frozenAfter: frozenAfter)
    }

    /// Gives the inputs their prices, and notes those that differ from the last ones.
    ///
    /// - Parameters:
    ///   - ticker: the symbol's, of the response being evaluated.
    ///   - poll: the time of the response, and that of the one before.
    ///   - maximumGap: what is longer between two prices is a gap.
    ///   - slot: the symbol's slot in the change log; nil when nothing is to be noted.
    ///   - changes: the change log.
    /// - Returns: whether one of the inputs has its first price after a gap; it may be the same price as before.
    mutating func take(
        _ ticker: Ticker, at poll: (time: Instant, previous: Instant?), maximumGap: Milliseconds, slot: Int?,
        noting changes: inout ChangeLog
    ) -> Bool {
        let isFrozen = activity.frozenSince != nil
        var endsGap = false
        for index in inputs.indices {
            let new = isFrozen ? nil : ticker.price(inputs[index].kind)
            if inputs[index].take(new, at: poll.time, maximumGap: maximumGap) { wake.unsettle() }
            if inputs[index].endsGap { endsGap = true }
            guard let slot else { continue }
            let (price, last) = (inputs[index].price, inputs[index].last)
            changes.note(price, after: last, poll.previous, input: index, slot: slot)
        }
        return endsGap
    }
}
