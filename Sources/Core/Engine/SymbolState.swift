internal import Market
internal import Time

/// What the engine remembers of one symbol.
struct SymbolState: Sendable {
    let symbol: Symbol
    private(set) var quote: Asset?
    private(set) var quoteCurrency: Currency?
    /// In the order of the rules, and of a rule the order of its bounds.
    var alerts: [Alert] = []
    /// One an alert.
    var wakeThresholds: [WakeThreshold] = []
    /// The first is the last price in the market's own currency.
    var inputs = [PriceInput(.last, in: nil)]
    var activity = MarketActivity()
    /// The number of the last response that had it.
    var lastPoll = 0
    /// When a response first lacked it; nil while the last response has it.
    var goneSince: Instant?
    /// Whether it was forgotten, and its number is free.
    var isVacant = false
    /// Its last price of that response, where it is greater than 0.
    var lastPrice: Price?
    /// Its place in the engine's watches; nil unless a rule names it exactly.
    var watch: Int?
    /// Whether one of its alerts has yet to process the expiry of its rule.
    var mustEnd = false
    /// Its place among the symbols that are stored; nil when it is not.
    var slot: Int?

    /// Whether it is stored: symbols without an alert that no rule names are not.
    var isRemembered: Bool { watch != nil || !alerts.isEmpty }

    init(symbol: Symbol) {
        self.symbol = symbol
    }

    /// The market as people write it: `BTC/INR`.
    var marketName: String { symbol.marketName(quotedIn: quote) }

    /// The last usable last price, in the market's own currency.
    var previous: PriceSample? { inputs[0].previous }

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
