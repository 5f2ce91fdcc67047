internal import Market

/// A usable price, and when it was received.
struct PriceSample: Sendable {
    var price: Price
    var time: Instant
}

/// One kind of price of a symbol in one currency: what all rules that ask for both share.
struct Reading: Sendable {
    let kind: PriceKind
    /// The rules' currency; the market's own when nil.
    let currency: Currency?
    /// The last usable price, in the market's currency.
    var previous: PriceSample?
    /// One for each length that alerts look at, and each start.
    var windows: [RollingWindow] = []
    /// The price of the response being evaluated; nil when it is not usable.
    var now: ReadPrice?
    /// Whether a response has had the symbol since the reading was made, or taken over from before a reload.
    private(set) var wasRead = false
    /// The price of ``now`` in units of 10^-18, for gates.
    private(set) var units: Int128?
    /// How it came into the currency in the last response that had the symbol.
    var route: CurrencyRoute

    init(_ kind: PriceKind, in currency: Currency?) {
        self.kind = kind
        self.currency = currency
        route = currency == nil ? .none : .unconvertible
    }

    /// Takes over what another reading of the same kind and currency knows, but for its windows.
    mutating func goOn(from old: Reading) {
        (previous, route) = (old.previous, old.route)
        (now, units, wasRead) = (old.now, old.units, old.wasRead)
    }

    /// Takes that the symbol is not in the response.
    mutating func forgetNow() {
        now = nil
        units = nil
    }

    /// The place of the window that goes on from an old one, or of a new one that has no sample yet.
    mutating func place(ofWindow length: Milliseconds, from old: RollingWindow?) -> Int {
        if let place = windows.firstIndex(where: { $0.length == length && $0.start == old?.start }) { return place }
        windows.append(old ?? RollingWindow(length: length))
        return windows.count - 1
    }

    /// Takes the symbol's price of a response; nil when it is not usable.
    mutating func take(_ price: Price?, at time: Instant, maximumGap: Milliseconds) {
        forgetNow()
        wasRead = true
        let path: CurrencyPath?
        switch route {
        case .none: path = nil
        case .path(let found): path = found
        case .unconvertible, .stale: return
        }
        guard let price else { return }
        units = price.units
        now = ReadPrice(
            price, at: time, previous: previous,
            isAfterGap: previous.map { time.boot.since($0.time.boot) > maximumGap } ?? false, path)
        previous = PriceSample(price: price, time: time)
        for index in windows.indices { windows[index].append(price, at: time) }
    }
}

/// A price that decides, with what came before it.
struct ReadPrice: Sendable {
    /// In the market's currency.
    let price: Price
    let time: Instant
    let previous: PriceSample?
    let isAfterGap: Bool
    /// Nil when the rules' currency is the market's own.
    private let converted: ConvertedPrice?

    init(_ price: Price, at time: Instant, previous: PriceSample?, isAfterGap: Bool, _ path: CurrencyPath?) {
        self.price = price
        self.time = time
        self.previous = previous
        self.isAfterGap = isAfterGap
        converted = path.map { ConvertedPrice(price, $0) }
    }

    /// Into the rules' currency; nil when it is the market's own.
    var path: CurrencyPath? { converted?.path }

    func isAtLeast(_ limit: Price) -> Bool {
        guard let converted else { return price >= limit }
        return converted.raised >= WideDecimal(limit).multiplied(by: converted.path.divisor)
    }

    func isAtMost(_ limit: Price) -> Bool {
        guard let converted else { return price <= limit }
        return converted.raised <= WideDecimal(limit).multiplied(by: converted.path.divisor)
    }

    func side(of limit: Price) -> Side {
        if !isAtLeast(limit) { return .below }
        return isAtMost(limit) ? .at : .above
    }

    /// A price of the market in the rules' currency, for showing.
    func shown(_ price: Price) -> Price? {
        path.map { $0.shown(price) } ?? price
    }
}

/// A price in another currency. A class, so that the many prices that need none carry a pointer and no more.
private final class ConvertedPrice: Sendable {
    let path: CurrencyPath
    /// The price × the divisor of the path, in the rules' currency.
    let raised: WideDecimal

    init(_ price: Price, _ path: CurrencyPath) {
        self.path = path
        raised = path.raised(WideDecimal(price))
    }
}
