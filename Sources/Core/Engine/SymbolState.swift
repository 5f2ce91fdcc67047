internal import Market
internal import Time

/// The engine's state of one symbol.
struct SymbolState: Sendable {
    // Members that every poll reads come first, so that they share cache lines.
    var presence = SymbolPresence()
    /// In the order of the rules, then of their bounds.
    var alerts: [Alert] = []
    /// Index among the stored symbols; nil if the symbol is not stored.
    var slot: Int?
    /// True while an alert of the symbol has yet to process the expiry of its rule.
    var mustEnd = false
    private(set) var quote: Asset?
    var wake = WakeThresholds()
    /// The first input is the last price in the market's currency.
    var inputs = [PriceInput(.last, in: nil)]
    var activity = MarketActivity()
    let symbol: Symbol
    private(set) var quoteCurrency: Currency?
    /// True if the symbol has no alerts of pattern rules, because there were too many alerts when its own were
    /// created.
    var isBeyondLimit = false
    /// The indices of its alerts in the order of evaluation; empty if they are evaluated in their own order.
    var order: [Int] = []
    /// Index in the engine's watches; nil unless a rule names the symbol exactly.
    var watch: Int?

    /// True if the price may have passed a threshold, or a rule has expired.
    var mustCheckAlerts: Bool { !wake.isQuiet || mustEnd }

    /// True if the symbol is stored: it has alerts, or a rule names it exactly.
    var isRemembered: Bool { watch != nil || !alerts.isEmpty }

    init(symbol: Symbol) {
        self.symbol = symbol
    }

    /// The market's name for people: `BTC/INR`.
    var marketName: String { symbol.marketName(quotedIn: quote) }

    /// The last usable last price, in the market's currency.
    var previous: PriceSample? { inputs[0].previous }

    /// Records the last price of a symbol that has no alerts and is not recorded in the change log.
    mutating func recordLastPrice(at time: Instant) {
        guard activity.frozenSince == nil, let lastPrice = presence.lastPrice else { return }
        inputs[0].previous = PriceSample(price: lastPrice, time: time)
    }

    /// Sets the quote asset, which the first ticker of a symbol may have lacked. Conversions depend on it, so routes
    /// are found again.
    mutating func setQuote(_ asset: Asset) {
        quote = asset
        quoteCurrency = asset.currency
        for index in inputs.indices { inputs[index].routeVersion = nil }
        openWakeThresholds()
    }

    /// Makes the next price check every alert.
    mutating func openWakeThresholds() { wake.open(for: alerts) }

    /// Returns the index of an input. If there is none, creates one with the state of the same input in `old`.
    mutating func index(of kind: PriceKind, in currency: Currency?, from old: [PriceInput]) -> Int {
        let isSame = { (input: PriceInput) in input.kind == kind && input.currency == currency }
        if let index = inputs.firstIndex(where: isSame) { return index }
        var input = PriceInput(kind, in: currency)
        if let before = old.first(where: isSame) { input.takeOver(from: before) }
        if let currency, currency == quoteCurrency { input.route = .none }
        inputs.append(input)
        return inputs.count - 1
    }
}

/// The presence of a symbol in responses.
struct SymbolPresence: Sendable {
    /// Number of the last response with the symbol.
    var lastPoll = 0
    /// The last price in that response, if it is greater than 0.
    var lastPrice: Price?
    /// Time of the first response without the symbol; nil while the last response has it.
    var goneSince: Instant?
    /// True if the symbol was forgotten and its number is free.
    var isVacant = false
}

// MARK: Prices

extension SymbolState {
    /// Updates the presence and activity of the market from a ticker.
    ///
    /// - Returns: true if the state of a market without volume has changed.
    mutating func observe(_ ticker: Ticker, inPoll poll: Int, at time: Instant, frozenAfter: Milliseconds) -> Bool {
        (presence.lastPoll, presence.lastPrice) = (poll, ticker.price(.last))
        return activity.update(ticker, at: time, frozenAfter: frozenAfter)
    }

    /// Ingests the prices of a ticker into the inputs, and records those that differ from the last ones.
    ///
    /// - Parameters:
    ///   - ticker: the symbol's ticker in the response being evaluated.
    ///   - poll: the time of the response and of the previous one.
    ///   - maximumGap: two prices further apart have a gap between them.
    ///   - slot: the symbol's slot in the change log; nil to record nothing.
    ///   - changes: the change log.
    /// - Returns: true if one of the inputs has its first price after a gap, even if that price is unchanged.
    mutating func ingest(
        _ ticker: Ticker, at poll: (time: Instant, previous: Instant?), maximumGap: Milliseconds, slot: Int?,
        recording changes: inout ChangeLog
    ) -> Bool {
        let isFrozen = activity.frozenSince != nil
        var endsGap = false
        for index in inputs.indices {
            let new = isFrozen ? nil : ticker.price(inputs[index].kind)
            if inputs[index].ingest(new, at: poll.time, maximumGap: maximumGap) { wake.markPassed() }
            if inputs[index].endsGap { endsGap = true }
            guard let slot else { continue }
            let (price, last) = (inputs[index].price, inputs[index].last)
            changes.recordPrice(price, after: last, poll.previous, input: index, slot: slot)
        }
        return endsGap
    }
}
