internal import Market

/// How amounts of one currency become amounts of another: × `factors` ÷ `divisor`, all exact.
struct CurrencyPath: Equatable, Sendable {
    /// The price of a coin in the response, when one takes part.
    var coinPrice: Price?
    /// The reference rates of both ends, when they take part.
    var rates: (to: Price, from: Price)?
    /// The currencies on the way, first and last included.
    var steps: [Currency]
    var sources: [String]
    var date: CivilDate?

    static func == (left: Self, right: Self) -> Bool {
        left.coinPrice == right.coinPrice && left.rates?.to == right.rates?.to && left.rates?.from == right.rates?.from
            && left.steps == right.steps && left.sources == right.sources && left.date == right.date
    }

    var divisor: Price { rates?.from ?? .one }

    /// The amount × ``divisor``, in the other currency.
    func raised(_ amount: WideDecimal) -> WideDecimal {
        let inCoin = coinPrice.map(amount.multiplied) ?? amount
        return rates.map { inCoin.multiplied(by: $0.to) } ?? inCoin
    }

    /// The amount in the other currency, rounded for showing.
    func shown(_ amount: Price) -> Price? {
        raised(WideDecimal(amount)).rounded(dividedBy: divisor)
    }

    /// What an event says of it.
    var evidence: Conversion? {
        shown(.one).map {
            Conversion(
                rate: $0, date: date, source: sources.joined(separator: " + "),
                path: steps.map(\.description).joined(separator: ">"))
        }
    }
}

/// Why there is no path, or the path.
enum CurrencyRoute: Equatable, Sendable {
    /// Both are the same.
    case none
    case path(CurrencyPath)
    case unconvertible
    /// Only over rates that are too old.
    case stale
}

/// Finds paths between currencies with what one response and one table of rates offer.
struct CurrencyRouter {
    let rates: ReferenceRates?
    let peg: Peg?
    /// The usable last price of a symbol in the response.
    let lastPrice: (Symbol) -> Price?

    func route(from quote: Asset, to target: Currency) -> CurrencyRoute {
        let origin = quote.currency
        if origin == target { return .none }
        if origin == peg?.coin || rates?.rate(of: origin) != nil || origin == .rupee {
            return route(CurrencyPath(steps: [origin], sources: []), to: target)
        }
        // A coin: through the market of the same response.
        for name in ["inr", "usdt"] {
            guard let symbol = Symbol("\(quote)\(name)"), let price = lastPrice(symbol),
                let currency = Currency(name)
            else { continue }
            return route(
                CurrencyPath(coinPrice: price, steps: [origin, currency], sources: ["exchange"]), to: target)
        }
        return .unconvertible
    }

    /// Goes on from the last step of the path, by peg and reference rates.
    private func route(_ start: CurrencyPath, to target: Currency) -> CurrencyRoute {
        var path = start
        guard let last = path.steps.last else { return .unconvertible }
        if last == target { return .path(path) }
        let from = fiat(last)
        let to = fiat(target)
        if from != last { path.steps.append(from) }
        if from != last || to != target { path.sources.append("peg") }
        if from != to {
            guard let rates, let fromRate = rates.rate(of: from), let toRate = rates.rate(of: to) else {
                return .unconvertible
            }
            if rates.isStale { return .stale }
            path.rates = (toRate, fromRate)
            if from != .euro, to != .euro { path.steps.append(.euro) }
            path.steps.append(to)
            path.sources.append(rates.source)
            path.date = rates.date
        }
        if to != target { path.steps.append(target) }
        return .path(path)
    }

    private func fiat(_ currency: Currency) -> Currency {
        peg.flatMap { $0.coin == currency ? $0.currency : nil } ?? currency
    }
}
