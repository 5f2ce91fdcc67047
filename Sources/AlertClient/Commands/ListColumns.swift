internal import Control

/// What a column of `alertctl list` needs to know beside the symbol.
struct ListCircumstances {
    var isStale: Bool
    var formatter: HumanFormatter
}

/// A column of `alertctl list`, as data.
struct ListColumn: Sendable {
    var sortName: String
    var column: Column
    var isAge = false
    var cell: @Sendable (SymbolState, ListCircumstances) -> Cell
}

let listColumns = [
    ListColumn(sortName: "symbol", column: Column("symbol", "SYMBOL")) { symbol, _ in
        Cell(.text(symbol.symbol), .strong)
    },
    ListColumn(sortName: "base", column: Column("base", nil)) { symbol, _ in Cell(.text(symbol.base)) },
    number("last", "LAST", rank: 0, \.last),
    ListColumn(sortName: "change", column: Column("change_percent", "CHANGE %", isNumeric: true, rank: 1)) {
        $1.formatter.change($0.changePercent)
    },
    number("bid", "BID", rank: 6, \.bid),
    number("ask", "ASK", rank: 6, \.ask),
    number("low", "LOW", rank: 5, \.low),
    number("high", "HIGH", rank: 5, \.high),
    ListColumn(sortName: "open", column: Column("open", nil)) { symbol, _ in Cell(.decimal(symbol.open)) },
    number("volume", "VOLUME", rank: 7, \.volume),
    ListColumn(sortName: "quote", column: Column("quote", "QUOTE", rank: 9)) { symbol, _ in Cell(.text(symbol.quote)) },
    number("min", "MIN", rank: 3, \.min),
    number("max", "MAX", rank: 3, \.max),
    ListColumn(sortName: "age", column: Column("received", "AGE", isNumeric: true, rank: 8), isAge: true) {
        Cell(.time($0.received), human: $1.formatter.age($0.received))
    },
    ListColumn(sortName: "exchange-time", column: Column("exchange_time", nil)) { symbol, _ in
        Cell(.time(symbol.exchangeTime))
    },
    ListColumn(sortName: "state", column: Column("state", "STATE", rank: 2)) {
        symbolStateCell($0, isStale: $1.isStale)
    },
    ListColumn(sortName: "firing", column: Column("firing", nil)) { symbol, _ in Cell(.count(symbol.firing)) },
]

private func number(
    _ name: String, _ title: String, rank: Int, _ value: @escaping @Sendable (SymbolState) -> String?
) -> ListColumn {
    ListColumn(sortName: name, column: Column(name, title, isNumeric: true, rank: rank)) { symbol, _ in
        Cell(.decimal(value(symbol)))
    }
}

/// `ok`, `stale` or what else is the matter; people are told of firing alerts in the same place.
func symbolStateCell(_ symbol: SymbolState, isStale: Bool) -> Cell {
    let word = isStale && symbol.state == "ok" ? "stale" : symbol.state
    guard symbol.firing > 0 else { return Cell(.text(word), word == "ok" ? .none : .muted) }
    return Cell(.text(word), human: word == "ok" ? "FIRING" : "FIRING, \(word)", .alarm)
}
