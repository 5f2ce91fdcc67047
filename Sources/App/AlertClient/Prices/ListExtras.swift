internal import Arguments
internal import Charts
internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import Market
internal import Text
internal import Time

/// The columns that `alertctl list` adds to the daemon's list: names, an amount in each asset, changes and trends.
struct ListExtras {
    /// The width of the sparkline of `--trend` in columns: one per hour.
    static let trendColumns = 24

    private var names: AssetNames
    private let search: String?
    private let amount: ListAmount?
    private let hasTrend: Bool
    private let hasWeek: Bool
    /// The user's favourites; nil without `--favourites`.
    private let favourites: Set<String>?
    private let context: Context

    init(_ context: Context, _ connection: any ControlConnection, _ names: AssetNames) throws(ClientError) {
        self.context = context
        self.names = names
        search = context.arguments.operands.first?.lowercased()
        amount = try context.arguments.value("amount").map { text throws(ClientError) in
            try ListAmount(text, context, connection)
        }
        hasTrend = context.arguments.has("trend")
        hasWeek = context.arguments.showsWeek
        let isLimited = context.arguments.has("favourites")
        favourites = isLimited ? Set(try Favourites(context.environment).symbols) : nil
    }

    /// Adds the asset names that the daemon knows.
    mutating func learn(_ symbols: [SymbolStatus]) {
        names = names.adding(assetNames(of: symbols))
    }

    /// Returns the symbols whose own name, or whose asset's name, contains the search text. With `--favourites`, only
    /// favourites are searched.
    func found(_ all: [SymbolStatus]) -> [SymbolStatus] {
        let symbols =
            favourites.map { names in all.filter { names.contains($0.symbol) || names.contains($0.sourced) } } ?? all
        guard let search, !search.isEmpty else { return symbols }
        return symbols.filter { symbol in
            let name = symbol.base.flatMap(names.name) ?? ""
            return symbol.symbol.includes(search) || name.lowercased().includes(search)
        }
    }

    /// Returns the additional columns, which follow the standard columns.
    func columns(of symbols: [SymbolStatus]) -> [ListColumn] {
        let names = names
        let isNamed = symbols.contains { $0.base.flatMap(names.name) != nil }
        let name = ListColumn(sortName: "name", column: Column("name", isNamed ? "NAME" : nil, rank: 4)) { symbol, _ in
            Cell(.text(symbol.base.flatMap(names.name)))
        }
        var columns = names.isEmpty ? [] : [name]
        if hasWeek {
            let column = Column("change_7d_percent", "7 DAYS %", isNumeric: true, rank: 1)
            columns.append(
                ListColumn(sortName: "week", column: column) { $1.formatter.change($0.pastChangePercent) })
        }
        if let amount {
            let column = Column("amount", amount.title, isNumeric: true, rank: 1)
            columns.append(ListColumn(sortName: "amount", column: column) { symbol, _ in amount.cell(symbol) })
        }
        return columns
    }

    /// Adds a column with the last 24 hours of the symbol of each row.
    func addTrends(
        to table: inout Table, of symbols: ArraySlice<SymbolStatus>, from connection: any ControlConnection
    ) throws(ClientError) {
        guard hasTrend else { return }
        let now = context.formatter.now
        let span = WallTime(milliseconds: now.milliseconds - 86_400_000)..<now
        let step = Milliseconds(span.upperBound.since(span.lowerBound).count / Int64(Self.trendColumns))
        let reader = PriceReader(connection: connection, interval: .seconds(30))
        table.columns.append(Column("trend", "TREND", rank: 2))
        for (index, symbol) in zip(table.rows.indices, symbols) {
            var series = try reader.candles(symbol.sourced, step, in: span)
            series.gap = step.times(2)
            let line = sparkline(
                series, in: span, columns: Self.trendColumns, hasUnicode: context.formatter.hasUnicode)
            table.rows[index].append(
                line.isEmpty ? Cell(.missing, human: "no history yet", .muted) : Cell(.text(line)))
        }
    }
}

/// Returns the names of assets that a price service gave to the daemon.
func assetNames(of symbols: [SymbolStatus]) -> [String: String] {
    var names: [String: String] = [:]
    for symbol in symbols {
        if let base = symbol.base, let name = symbol.name { names[base] = name }
    }
    return names
}

extension SymbolStatus {
    /// Returns the name of the base asset; nil if unknown.
    func displayName(_ names: AssetNames) -> String? {
        base.flatMap { base in names.adding(assetNames(of: [self])).name(of: base) }
    }
}

extension ParsedArguments {
    /// True if the list has a column with the change of the last seven days.
    var showsWeek: Bool { has("week") || value("sort") == "week" }
}

extension Context {
    /// Reads the names of assets; faults in their files are reported on standard error.
    func assetNames() -> AssetNames {
        let names = AssetNames(environment.assetFiles(), files: environment.files)
        if !names.faults.isEmpty { warn(lines: names.faults.map { "alertctl: \($0)" }) }
        return names
    }
}

/// The amount of money of `--amount`, and what it buys of each asset.
private struct ListAmount: Sendable {
    private let number: Price
    private let currency: Currency
    private let converter: CurrencyConverter
    let title: String

    init(_ text: String, _ context: Context, _ connection: any ControlConnection) throws(ClientError) {
        var preferred: Currency?
        if case .currency(let chosen, _) = context.choice { preferred = chosen }
        let amount: WrittenAmount
        do throws(WrittenAmountError) {
            amount = try WrittenAmount(text, preferring: preferred)
        } catch {
            throw .usage("--amount takes an amount such as '1000 SEK', but got '\(visible(text))'; \(error.advice)")
        }
        guard amount.number.isPositive else { throw .usage("--amount takes an amount greater than 0") }
        let named = amount.currency ?? preferred
        let reply = try connection.call(
            .rates, RatesParameters(currency: named.map { "\($0)" }), returning: RatesReply.self)
        guard let currency = named ?? reply.displayCurrency.flatMap({ Currency($0) }) else {
            throw .usage("--amount needs a currency, such as '1000 SEK'")
        }
        number = amount.number
        self.currency = currency
        converter = DisplayRates(reply).converter
        title = moneyText(number, currency, isRounded: false, hasUnicode: context.formatter.hasUnicode) + " BUYS"
    }

    /// Returns the amount in the base asset, rounded to six significant digits.
    func cell(_ symbol: SymbolStatus) -> Cell {
        guard let quote = symbol.quote.flatMap({ Currency($0) }), let base = symbol.base,
            let last = symbol.last.flatMap({ try? Price($0) }), last.isPositive,
            let path = try? converter.path(from: currency, to: quote),
            let (result, _) = try? path.ratio.divided(by: last).convert(number, digits: 6)
        else { return Cell(.missing) }
        return Cell(.decimal(result.description), human: "\(result) \(base.uppercased())")
    }
}
