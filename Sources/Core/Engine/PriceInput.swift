internal import ExchangeRates
internal import Market
internal import Time

/// A usable price, and when it was received.
struct PriceSample: Sendable {
    var price: Price
    var time: Instant
}

/// One kind of price of a symbol in one currency. All rules with the same kind and currency share it.
struct PriceInput: Sendable {
    let kind: PriceKind
    /// The rules' currency; nil for the market's currency.
    let currency: Currency?
    /// The last usable price, in the market's currency.
    var previous: PriceSample?
    /// The usable price before ``previous``.
    private var before: PriceSample?
    /// One per length and start time.
    var windows: [RollingWindow] = []
    /// True if a response has had the symbol since the input, or its predecessor before a reload, was created.
    private(set) var wasRead = false
    /// True if ``previous`` is the price of the response being evaluated.
    private var isCurrent = false
    private var isAfterGap = false
    /// The conversion in the last response that had the symbol.
    var route: CurrencyRoute
    /// The ``CurrencyRoutes/version`` that the route is valid for; nil if it must be found again with each response.
    var routeVersion: Int?

    init(_ kind: PriceKind, in currency: Currency?) {
        self.kind = kind
        self.currency = currency
        route = currency == nil ? .none : .unconvertible
    }

    /// Adopts the state of another input of the same kind and currency, except its windows.
    mutating func takeOver(from old: PriceInput) {
        (previous, before, route) = (old.previous, old.before, old.route)
        (isCurrent, isAfterGap, wasRead) = (old.isCurrent, old.isAfterGap, old.wasRead)
    }

    /// True if prices can be converted.
    private var hasRoute: Bool { route.isNone || route.path != nil }

    /// The price of the response being evaluated; nil if it is not usable.
    var now: ReadPrice? {
        guard isCurrent, hasRoute, let sample = previous else { return nil }
        return ReadPrice(
            price: sample.price, time: sample.time, previous: before, isAfterGap: isAfterGap, path: route.path)
    }

    /// The price of ``now`` in the market's currency, even if it cannot be converted.
    var price: Price? { isCurrent ? previous?.price : nil }

    /// True if the response being evaluated has the first usable price after a gap.
    var endsGap: Bool { isCurrent && isAfterGap }

    /// The last usable price before the response being evaluated.
    var last: PriceSample? { isCurrent ? before : previous }

    /// Replays a price from before a restart.
    mutating func replay(_ price: Price, at time: Instant) {
        previous = PriceSample(price: price, time: time)
        for index in windows.indices { windows[index].append(price, at: time) }
    }

    /// Translates all times to the clock of another boot.
    mutating func translate(by clock: ClockTranslation) {
        if let sample = previous { previous = PriceSample(price: sample.price, time: clock.translated(sample.time)) }
        for index in windows.indices { windows[index].translate(by: clock) }
    }

    /// Marks that the response being evaluated does not have the symbol.
    mutating func forgetNow() {
        isCurrent = false
    }

    /// Returns the index of the window that continues an old one, or of a window without samples if there is no old
    /// one. Adds the window if it does not exist.
    mutating func index(ofWindow length: Milliseconds, from old: RollingWindow?) -> Int {
        if let index = windows.firstIndex(where: { $0.length == length && $0.start == old?.start }) { return index }
        windows.append(old ?? RollingWindow(length: length))
        return windows.count - 1
    }

    /// Ingests the symbol's price in a response; nil if it is not usable.
    ///
    /// - Returns: true if it differs from the price in the last response.
    mutating func ingest(_ price: Price?, at time: Instant, maximumGap: Milliseconds) -> Bool {
        wasRead = true
        guard hasRoute, let price else {
            defer { isCurrent = false }
            return isCurrent
        }
        let isSame = isCurrent && previous.map { $0.price == price } ?? false
        isAfterGap = previous.map { time.boot.since($0.time.boot).count > maximumGap.count } ?? false
        (before, previous, isCurrent) = (previous, PriceSample(price: price, time: time), true)
        for index in windows.indices { windows[index].append(price, at: time) }
        return !isSame
    }
}

/// A usable price that alerts are evaluated with, and the previous one.
struct ReadPrice: Sendable {
    /// In the market's currency.
    let price: Price
    let time: Instant
    let previous: PriceSample?
    let isAfterGap: Bool
    /// The conversion into the rules' currency; nil if that is the market's currency.
    let path: RulePath?

    func isAtLeast(_ limit: Price) -> Bool {
        path.map { $0.ratio.compare(price, to: limit) != .less } ?? (price >= limit)
    }

    func isAtMost(_ limit: Price) -> Bool {
        path.map { $0.ratio.compare(price, to: limit) != .greater } ?? (price <= limit)
    }

    func side(of limit: Price) -> Side {
        if !isAtLeast(limit) { return .below }
        return isAtMost(limit) ? .at : .above
    }

    /// Returns a market price in the rules' currency, for display.
    func shown(_ price: Price) -> Price? {
        path.map { $0.shown(price) } ?? price
    }
}
