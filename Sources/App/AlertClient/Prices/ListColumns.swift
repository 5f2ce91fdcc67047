internal import Control
internal import ExchangeRates
internal import Market

/// The data that the columns of `alertctl list` need in addition to the symbol.
struct ListContext {
    var isStale: Bool
    var formatter: HumanFormatter
    var display: PriceDisplay
    var staleSources: Set<String> = []
}

/// A column of `alertctl list`, as data.
struct ListColumn: Sendable {
    var sortName: String
    var column: Column
    var isAge = false
    var cell: @Sendable (SymbolStatus, ListContext) -> Cell
}

let listColumns = [
    ListColumn(sortName: "symbol", column: Column("symbol", "SYMBOL")) { symbol, _ in
        Cell(.text(symbol.symbol), .strong)
    },
    ListColumn(sortName: "base", column: Column("base", nil)) { symbol, _ in Cell(.text(symbol.base)) },
    price("last", "LAST", rank: 0) { $0.last },
    ListColumn(sortName: "change", column: Column("change_percent", "CHANGE %", isNumeric: true, rank: 1)) {
        $1.formatter.change($0.changePercent)
    },
    price("bid", "BID", rank: 6) { $0.bid },
    price("ask", "ASK", rank: 6) { $0.ask },
    ListColumn(sortName: "spread", column: Column("spread_percent", "SPREAD %", isNumeric: true, rank: 7)) {
        symbol, _ in
        Cell(.decimal(symbol.spreadPercent?.description))
    },
    price("low", "LOW", rank: 5) { $0.low },
    price("high", "HIGH", rank: 5) { $0.high },
    ListColumn(sortName: "open", column: Column("open", nil)) { $1.display.cell($0.open, in: $0.quote) },
    ListColumn(sortName: "volume", column: Column("volume", "VOLUME", isNumeric: true, rank: 7)) { symbol, _ in
        Cell(.decimal(symbol.volume))
    },
    ListColumn(sortName: "turnover", column: Column("turnover", "TURNOVER", isNumeric: true, rank: 7)) {
        $1.display.cell($0.dailyTurnover, in: $0.quote)
    },
    ListColumn(sortName: "quote", column: Column("quote", "QUOTE", rank: 9)) { symbol, _ in Cell(.text(symbol.quote)) },
    ListColumn(sortName: "min", column: Column("min", "MIN", isNumeric: true, rank: 3)) {
        $1.display.cell($0.min, in: $0.minCurrency ?? $0.quote)
    },
    ListColumn(sortName: "max", column: Column("max", "MAX", isNumeric: true, rank: 3)) {
        $1.display.cell($0.max, in: $0.maxCurrency ?? $0.quote)
    },
    ListColumn(sortName: "age", column: Column("received", "AGE", isNumeric: true, rank: 8), isAge: true) {
        Cell(.time($0.received), human: $1.formatter.age($0.received))
    },
    ListColumn(sortName: "exchange-time", column: Column("exchange_time", nil)) { symbol, _ in
        Cell(.time(symbol.exchangeTime))
    },
    ListColumn(sortName: "state", column: Column("state", "STATE", rank: 2)) {
        symbolStateCell($0, isStale: $1.isStale || $1.staleSources.contains($0.source))
    },
    ListColumn(sortName: "firing", column: Column("firing", nil)) { symbol, _ in Cell(.count(symbol.firing)) },
    ListColumn(sortName: "currency", column: Column("currency", nil)) {
        Cell(.text($1.display.name(of: $0.quote)))
    },
    ListColumn(sortName: "min-currency", column: Column("min_currency", nil)) { Cell($0.currencyOfMin($1.display)) },
    ListColumn(sortName: "max-currency", column: Column("max_currency", nil)) { Cell($0.currencyOfMax($1.display)) },
    ListColumn(sortName: "rank", column: Column("rank", nil, isNumeric: true)) { symbol, _ in
        Cell(.count(symbol.rank))
    },
    ListColumn(sortName: "market-cap", column: Column("market_cap", nil, isNumeric: true, rank: 5)) {
        $1.display.cell($0.marketCap, in: $0.quote)
    },
    ListColumn(sortName: "source", column: Column("source", nil)) { symbol, _ in Cell(.text(symbol.source)) },
]

private func price(
    _ name: String, _ title: String, rank: Int, _ value: @escaping @Sendable (SymbolStatus) -> String?
) -> ListColumn {
    ListColumn(sortName: name, column: Column(name, title, isNumeric: true, rank: rank)) {
        $1.display.cell(value($0), in: $0.quote)
    }
}

extension SymbolStatus {
    /// Returns the currency in which programs get the lower limit.
    func currencyOfMin(_ display: PriceDisplay) -> Value {
        .text(min.flatMap { _ in display.name(of: minCurrency ?? quote) })
    }

    /// Returns the currency in which programs get the upper limit.
    func currencyOfMax(_ display: PriceDisplay) -> Value {
        .text(max.flatMap { _ in display.name(of: maxCurrency ?? quote) })
    }

    /// The difference between ask and bid in percent of the price halfway between them, with two decimals.
    fileprivate var spreadPercent: Price? {
        guard let bid = bid.flatMap({ try? Price($0) }), let ask = ask.flatMap({ try? Price($0) }), bid.isPositive,
            ask.isPositive, let middle = bid.midpoint(to: ask)
        else { return nil }
        return ask.subtracting(bid).flatMap { middle.adding($0) }?.percentChange(from: middle)
    }

    /// The turnover of the last 24 hours in the quote currency: the turnover that the price service reports, or else
    /// the volume times the last price, to 12 significant digits.
    var dailyTurnover: Price? {
        if let turnover { return try? Price(turnover) }
        guard let volume = volume.flatMap({ try? Price($0) }), let last = last.flatMap({ try? Price($0) }),
            volume.mantissa >= 0, last.mantissa >= 0
        else { return nil }
        return try? Ratio.one.multiplied(by: volume).convert(last, digits: ConversionPath.significantDigits).0
    }
}

/// Returns a cell with `ok`, `stale` or another problem. For people, it also says if alerts are firing.
func symbolStateCell(_ symbol: SymbolStatus, isStale: Bool) -> Cell {
    let isOK = symbol.state == .ok && !isStale
    let state = isStale && symbol.state == .ok ? "stale" : symbol.state.rawValue
    guard symbol.firing > 0 else { return Cell(.text(state), isOK ? .none : .muted) }
    return Cell(.text(state), human: isOK ? "FIRING" : "FIRING, \(state)", .alarm)
}

/// The columns that people see only for markets of an exchange.
let exchangeColumns = ["bid", "ask", "spread", "low", "high", "volume"]
/// The columns that people see only for coins, with their titles.
let coinColumns = ["rank": "RANK", "market-cap": "MARKET CAP"]
