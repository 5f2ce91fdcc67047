internal import Configuration
internal import Control
internal import Engine
internal import ExchangeRates
internal import Market
internal import Rules
internal import Time
internal import Trials

/// A dry run of rules on the daemon's recorded prices of the last 30 days. It shows the notifications that they would
/// have sent.
struct RuleRehearsal {
    private static let length = Milliseconds.seconds(30 * 86_400)
    /// Limit on the alerts shown to people, so that the table stays readable.
    private static let shownAlerts = 10
    private static let flapLength = Milliseconds.seconds(600)

    private let study: BacktestStudy
    private let prices: KeptPrices
    private let rules: [Rule]
    private let ratesDate: String?

    /// Reads the prices and runs the rules.
    ///
    /// - Returns: nil if the daemon has no recorded prices of any symbol that the rules match.
    static func run(
        _ rules: [Rule], on source: SourceName, of loaded: LoadedSettings, _ connection: any ControlConnection,
        _ status: DaemonStatus, now: WallTime
    ) throws(ClientError) -> RuleRehearsal? {
        let tickers = try connection.all(
            .listTickers, ListTickersParameters(source: source.description), returning: ListTickersReply.self)
        let symbols = tickers.symbols.filter { ticker in
            Symbol(ticker.symbol).map { symbol in rules.contains { $0.matches(symbol) } } ?? false
        }
        guard !symbols.isEmpty else { return nil }
        let all = rules + loaded.settings.rules.needed(by: rules)
        let names = Set(symbols.map(\.symbol)).union(all.contains { $0.currency != nil } ? helpers(of: symbols) : [])
        let feed = status.sources.first { $0.source == source.description } ?? status.feed
        let interval = Milliseconds(max(1, Int64(feed.intervalMilliseconds)))
        let polls = Int64(KeptPrices.limit / max(1, names.count))
        let start = now.milliseconds - min(length.count, interval.times(polls).count)
        let prices = try KeptPrices(
            connection, source, of: names.sorted(), since: WallTime(milliseconds: start), interval: interval)
        guard prices.count > 0 else { return nil }
        let rates = try? connection.call(.rates, RatesParameters(), returning: RatesReply.self)
        return try RuleRehearsal(rules, of: loaded, prices, rates.flatMap(Self.table))
    }

    private init(
        _ rules: [Rule], of loaded: LoadedSettings, _ prices: KeptPrices, _ rates: RateTable?
    ) throws(ClientError) {
        self.rules = rules
        self.prices = prices
        // Limits on a USDT market need no rates if they are in the currency that USDT is pegged to.
        let isPegged = { (symbol: String) in symbol.hasSuffix("usdt") }
        let companions = loaded.settings.rules.needed(by: rules)
        let needsRates = (rules + companions).contains { rule in
            rule.currency.map { currency in
                !(currency == loaded.settings.display.tetherCountsAs && rule.symbols.allSatisfy { isPegged($0.text) })
            } ?? false
        }
        ratesDate = needsRates ? rates.map { "\($0.date)" } : nil
        var study = BacktestStudy(
            rules: rules, companions: companions, data: prices, times: BacktestTimes(of: loaded),
            flapLength: Self.flapLength, keepsEvents: false)
        try study.run(rates: rates.map { .constant(ReferenceRates($0)) })
        self.study = study
    }

    /// Returns the markets through which prices quoted in a coin are converted: `wrxinr` and `wrxusdt` for `btcwrx`.
    private static func helpers(of symbols: [SymbolStatus]) -> Set<String> {
        let coins = Set(symbols.compactMap(\.quote)).subtracting(["inr", "usdt", "usd", "eur"])
        return Set(coins.flatMap { ["\($0)inr", "\($0)usdt"] })
    }

    private static func table(_ reply: RatesReply) -> RateTable? {
        guard let date = reply.date.flatMap({ CivilDate($0) }), let source = reply.source else { return nil }
        let rates = reply.rates.compactMap { rate -> (currency: Currency, rate: Price)? in
            guard let currency = Currency(rate.currency), let value = try? Price(rate.rate) else { return nil }
            return (currency, value)
        }
        return RateTable(date: date, source: source, rates: rates)
    }

    /// Returns the dry run as parts of a report.
    func parts(_ context: Context) -> [Part] {
        let formatter = context.formatter
        let notified = study.tallies.reduce(0) { $0 + $1.notifiedEvents }
        let fired = study.tallies.reduce(0) { $0 + $1.firings }
        let first = formatter.stamp(prices.first.description)
        let start = "On the recorded prices since \(first), "
        let object = rules.count == 1 ? "it" : "they"
        let isKnown = fired > 0 || study.isComplete
        let summary =
            !isKnown
            ? "\(start)\(object) could not be evaluated."
            : fired == 0
                ? "\(start)\(object) would not have fired."
                : "\(start)\(object) would have fired \(times(fired)) and notified \(times(notified))."
        return [
            .text(summary, .strong),
            .fields(
                key: "dry_run",
                [
                    Field("since", .time(prices.first.description)), Field("prices", .count(prices.count)),
                    Field("fired", isKnown ? .count(fired) : .missing),
                    Field("notified", isKnown ? .count(notified) : .missing),
                ]),
        ] + tables(context) + notes.map { .text($0, .muted) }
    }

    /// Returns all alerts for programs; for people, the alerts that fired most often.
    private func tables(_ context: Context) -> [Part] {
        var table = study.table(context.formatter)
        guard context.format.isHuman else { return [.table(table)] }
        let fired = zip(study.tallies, table.rows).enumerated().filter { $1.0.firings > 0 }
        guard !fired.isEmpty else { return [] }
        let most = fired.sorted { ($1.element.0.firings, $0.offset) < ($0.element.0.firings, $1.offset) }
        table.rows = most.prefix(Self.shownAlerts).map(\.element.1)
        let hidden = Set(["firing_ms", "first_fired"] + (rules.count == 1 ? ["rule"] : []))
        for place in table.columns.indices where hidden.contains(table.columns[place].key) {
            table.columns[place].title = nil
        }
        let rest = fired.count - table.rows.count
        return [.table(table)]
            + (rest > 0 ? [.text(context.formatter.more(counted(rest, "more alert")), .muted)] : [])
    }

    private func times(_ number: Int) -> String {
        ["never", "once", "twice"].dropFirst(number).first ?? "\(number) times"
    }

    private var notes: [String] {
        let unusable = rules.filter { $0.price != .last }.map {
            "'\($0.name)' uses \($0.price.rawValue) prices, which are not recorded."
        }
        let unconverted = study.unconverted.sorted().map {
            "'\($0)' has prices that cannot be converted into its currency."
        }
        let rates = ratesDate.map { "Prices were converted at the exchange rates of \($0)." }
        return unusable + unconverted + study.baseNotes + [rates].compactMap(\.self)
    }
}

/// The daemon's recorded prices, read into memory.
struct KeptPrices: PriceRecording {
    /// Maximum number of prices: 1,000,000 × 48 bytes = 48 MB.
    static let limit = 1_000_000

    private var moments: [(time: WallTime, prices: Range<Int>)] = []
    private var prices: [RecordedPrice] = []
    /// The polling interval.
    let step: Milliseconds?

    init(
        _ connection: any ControlConnection, _ source: SourceName, of symbols: [String], since start: WallTime,
        interval: Milliseconds
    ) throws(ClientError) {
        step = interval
        var parameters = ExportPricesParameters(
            source: source.description, match: symbols, since: start.description)
        while prices.count < Self.limit {
            let reply = try connection.call(.exportPrices, parameters, returning: ExportPricesReply.self)
            for row in reply.rows { append(row) }
            guard let next = reply.next, next != parameters.next else { return }
            parameters.next = next
        }
    }

    private mutating func append(_ row: PriceRow) {
        guard let time = WallTime(rfc3339: row.time), moments.last.map({ $0.time <= time }) ?? true else { return }
        let start = prices.count
        for (name, text) in zip(row.symbols, row.prices) {
            guard let symbol = Symbol(name), let price = try? Price(text) else { continue }
            prices.append(RecordedPrice(symbol: symbol, price: price))
        }
        moments.append((time, start..<prices.count))
    }

    var count: Int { prices.count }
    /// The time of the first price.
    var first: WallTime { moments.first?.time ?? WallTime(milliseconds: 0) }

    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError) {
        for moment in moments { body(Array(prices[moment.prices]), moment.time) }
    }
}
