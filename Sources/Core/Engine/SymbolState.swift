internal import Market
internal import Time

/// What the engine remembers of one symbol.
struct SymbolState: Sendable {
    // What every poll reads comes first, so that it shares cache lines.
    /// The number of the last response that had it.
    var lastPoll = 0
    /// When it will be frozen if its ticker stays the same.
    private(set) var freezesAt = BootTime(milliseconds: .max)
    /// In the order of the rules, and of a rule the order of its bounds.
    var alerts: [Alert] = []
    /// Its place among the symbols that are stored; nil when it is not.
    var slot: Int?
    /// Whether it was forgotten, and its number is free.
    var isVacant = false
    /// Whether the last response that had it said the same as the one before, which had it, too.
    private var isRepeated = false
    /// Whether the same prices again would change nothing but the times of the inputs.
    private var isSteady = false
    /// Whether none of the thresholds was passed by the present prices; with the same prices, none will be.
    private(set) var isSettled = false
    /// Whether one of its alerts has yet to process the expiry of its rule.
    var mustEnd = false
    /// The last two polls, if they had the prices that the inputs have.
    private var unreadPolls: (before: Instant, last: Instant)?
    /// Its last price of that response, where it is greater than 0.
    var lastPrice: Price?
    /// Its last usable price, until its inputs are read: those of a symbol that has no alert and is not stored are not.
    private var unreadPrice: PriceSample?
    private(set) var quote: Asset?
    /// When a response first lacked it; nil while the last response has it.
    var goneSince: Instant?
    /// One an alert.
    private(set) var wakeThresholds: [WakeThreshold] = []
    /// The bid and ask price that the inputs were read from.
    private var book: (bid: Price?, ask: Price?)
    /// The inputs without what was not read.
    private var readInputs = [PriceInput(.last, in: nil)]
    var activity = MarketActivity()
    let symbol: Symbol
    private(set) var quoteCurrency: Currency?
    /// Whether it lacks the alerts of patterns, because there were too many alerts when it was given its own.
    var isBeyondLimit = false
    /// Its place in the engine's watches; nil unless a rule names it exactly.
    var watch: Int?

    /// Whether a threshold may have been passed, or a rule has expired.
    var mustCheckAlerts: Bool { !isSettled || mustEnd }

    /// Whether it is stored: symbols without an alert that no rule names are not.
    var isRemembered: Bool { watch != nil || !alerts.isEmpty }

    init(symbol: Symbol) {
        self.symbol = symbol
    }

    /// The market as people write it: `BTC/INR`.
    var marketName: String { symbol.marketName(quotedIn: quote) }

    /// The first is the last price in the market's own currency.
    var inputs: [PriceInput] {
        get {
            guard unreadPrice != nil || unreadPolls != nil else { return readInputs }
            var inputs = readInputs
            readRest(into: &inputs)
            return inputs
        }
        _modify {
            readRest()
            isSteady = false
            yield &readInputs
        }
    }

    /// The last usable last price, in the market's own currency.
    var previous: PriceSample? { unreadPrice ?? inputs[0].previous }

    /// Notes the last price of a symbol whose inputs nobody reads.
    mutating func notePrice(at time: Instant) {
        isSteady = false
        guard activity.frozenSince == nil, let lastPrice else { return }
        unreadPrice = PriceSample(price: lastPrice, time: time)
    }

    /// Gives the inputs what was noted of responses for which they were not read.
    private mutating func readRest() {
        guard unreadPrice != nil || unreadPolls != nil else { return }
        readRest(into: &readInputs)
        (unreadPrice, unreadPolls) = (nil, nil)
    }

    private func readRest(into inputs: inout [PriceInput]) {
        if let unreadPrice { inputs[0].previous = unreadPrice }
        guard let (before, last) = unreadPolls else { return }
        for index in inputs.indices { inputs[index].repeatPrice(at: before, last) }
    }

    /// The first ticker of a symbol may have lacked the quote asset; conversion depends on it.
    mutating func setQuote(_ asset: Asset) {
        quote = asset
        quoteCurrency = asset.currency
        for index in inputs.indices { inputs[index].routeVersion = nil }
        openWakeThresholds()
    }

    /// Has every alert checked with the next price.
    mutating func openWakeThresholds() {
        wakeThresholds = alerts.map { WakeThreshold.open($0.input) }
        isSettled = false
    }

    mutating func setWakeThreshold(_ threshold: WakeThreshold, ofAlert index: Int) {
        wakeThresholds[index] = threshold
        isSettled = false
    }

    /// Notes that no threshold was passed.
    mutating func settle() {
        isSettled = true
    }

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

// MARK: Prices

extension SymbolState {
    /// Takes what the ticker says of the market.
    ///
    /// - Returns: whether what is remembered of a market without volume has changed.
    mutating func observe(_ ticker: Ticker, inPoll poll: Int, at time: Instant, frozenAfter: Milliseconds) -> Bool {
        let price = ticker.price(.last)
        let isChanged = activity.update(ticker, at: time, frozenAfter: frozenAfter)
        freezesAt = activity.freezes(after: frozenAfter) ?? BootTime(milliseconds: .max)
        isRepeated = lastPoll == poll - 1 && !isChanged && price.isWritten(like: lastPrice)
        (lastPoll, lastPrice) = (poll, price)
        return isChanged
    }

    /// Takes responses that repeat its ticker; only while it is calm.
    mutating func take(_ repetition: SymbolRepetition) {
        (lastPoll, isRepeated) = (repetition.last, true)
        if hasReaders(isRecording: repetition.isRecording) {
            unreadPolls = repetition.times
        } else {
            notePrice(at: repetition.times.last)
        }
    }

    /// Whether somebody wants to know what its inputs are with each response.
    func hasReaders(isRecording: Bool) -> Bool { !alerts.isEmpty || isRecording && slot != nil }

    /// Whether its ticker, repeated before ``freezesAt`` and without a gap, changes nothing but times.
    func isCalm(isRecording: Bool) -> Bool {
        !hasReaders(isRecording: isRecording) || isSteady && !mustCheckAlerts
    }

    /// Notes that the inputs take the same prices as before, if that changes nothing but their times.
    ///
    /// - Parameters:
    ///   - ticker: the symbol's, of the response being evaluated.
    ///   - poll: the time of the response, and that of the one before.
    ///   - maximumGap: what is longer between two prices is a gap.
    /// - Returns: whether that is so; otherwise they have to be read.
    mutating func takeRepeated(
        _ ticker: Ticker, at poll: (time: Instant, previous: Instant?), maximumGap: Milliseconds
    ) -> Bool {
        guard isRepeated, isSteady, !mustCheckAlerts, let before = poll.previous,
            poll.time.boot.since(before.boot) <= maximumGap,
            ticker.price(.bid).isWritten(like: book.bid), ticker.price(.ask).isWritten(like: book.ask)
        else { return false }
        unreadPolls = (before, poll.time)
        return true
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
        readRest()
        isSteady = true
        book = (ticker.price(.bid), ticker.price(.ask))
        let isFrozen = activity.frozenSince != nil
        var endsGap = false
        for index in readInputs.indices {
            let new = isFrozen ? nil : ticker.price(readInputs[index].kind)
            if readInputs[index].take(new, at: poll.time, maximumGap: maximumGap) { isSettled = false }
            if readInputs[index].endsGap { endsGap = true }
            if !readInputs[index].isSteady { isSteady = false }
            guard let slot else { continue }
            let (price, last) = (readInputs[index].price, readInputs[index].last)
            changes.note(price, after: last, poll.previous, input: index, slot: slot)
        }
        return endsGap
    }
}

extension Price? {
    /// Whether both are missing, or the same number with the same scale.
    fileprivate func isWritten(like other: Price?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.mantissa == other.mantissa && self.scale == other.scale
    }
}
