internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl history SYMBOL`: shows past prices, in steps or one by one.
enum HistoryCommand: Command {
    static let usualRange = Milliseconds.seconds(86_400)

    static let specification = CommandLineSpecification(
        "history", summary: "Show the past prices of a symbol",
        discussion: [
            "By default it shows the last 24 hours in about 24 steps, each with its first, highest, lowest and last "
                + "price; --json, --csv and --plain print every price unless --step is given. Steps without a price "
                + "are omitted, and GAP shows how long there was none.",
            "If the source has candles, those for gaps in the prices follow in a separate table, one row per "
                + "minute. Alerts never depend on them; they only cause events of the kind touched. --csv and --plain "
                + "omit them; see 'alertctl export candles'.",
            "TIME can be \(TimeReader.forms). A date means midnight at its start. Without a zone it is local time, or "
                + "UTC with --utc. Steps begin at multiples of their length on the clock, so the first and the last "
                + "step are complete.",
        ],
        examples: [
            Example("alertctl history btcinr", "The last day, hour by hour."),
            Example("alertctl history btcinr --since 7d --step 1d", "The last week, day by day."),
            Example("alertctl history btcinr --since 14:00 --step none", "Every price since two o'clock."),
            Example("alertctl history coinranking:btcusd --period 1y", "The last year, from CoinRanking."),
            Example("alertctl history btcinr --last 100 --csv > btcinr.csv", "The last hundred prices as a file."),
        ],
        options: [
            symbolSourceOption,
            OptionSpecification("since", value: "TIME", help: "Begin at this time (default: 24h ago)"),
            OptionSpecification("until", value: "TIME", help: "End before this time (default: now)"),
            OptionSpecification(
                "step", value: "DURATION", help: "Summarize prices in steps of 1m, 1h, 1d …; 'none' for every price"),
            OptionSpecification(
                "last", aliases: ["top", "limit"], short: "n", value: "NUMBER",
                help: "Only the last NUMBER prices or steps"),
            periodOption,
        ],
        operands: [
            OperandSpecification("SYMBOL", kind: .live("symbols"), help: "The name of the symbol, such as btcinr")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        var query = try HistoryQuery(context)
        let connection = try context.connect()
        if let period = try context.period() { return try runCoin(query, period, context, connection) }
        let status = query.isOpen ? try connection.status() : nil
        query.choose(
            oldest: status?.history.oldest.flatMap { WallTime(rfc3339: $0) },
            interval: Milliseconds(Int64(status?.feed(of: query.symbol).intervalMilliseconds ?? 0)),
            isHuman: context.format.isHuman)
        let look = HistoryLook(
            formatter: context.formatter, display: try context.display(connection),
            quote: quote(of: query.symbol, connection))
        // CSV and tab-separated text can have only one kind of row, so they omit candles; see 'alertctl export
        // candles'.
        let candles =
            context.format.isHuman || context.format == .json
            ? try GapCandles(query.symbol, since: query.since, until: query.until, from: connection) : GapCandles()
        let report =
            if let step = query.step {
                try BarHistory(query, step: step, from: connection).report(look, candles)
            } else {
                try PriceHistory(query, from: connection).report(look, candles)
            }
        context.show(report)
        return .success
    }

    /// Shows the past prices of a coin from its price service.
    private static func runCoin(
        _ query: HistoryQuery, _ period: PricePeriod, _ context: Context, _ connection: any ControlConnection
    ) throws(ClientError) -> ExitCode {
        let coin = try CoinPrices(query.symbol, period, connection)
        var query = query
        query.choose(from: coin.points[0].time, distance: coin.gap.count / 3, isHuman: context.format.isHuman)
        let look = HistoryLook(
            formatter: context.formatter, display: try context.display(connection), quote: coin.reply.quote)
        var report =
            if let step = query.step {
                BarHistory(query, step: step, coin).report(look)
            } else {
                PriceHistory(query, coin).report(look)
            }
        report.parts = [.metadata(coin.metadata(period))] + coin.banner(context.formatter) + report.parts
        context.show(report)
        return .success
    }

    /// Returns the quote currency of the symbol; nil if no response had the symbol, for example because its prices
    /// were imported.
    private static func quote(of symbol: String, _ connection: any ControlConnection) -> String? {
        let parameters = ListTickersParameters(match: symbol)
        let reply = try? connection.all(.listTickers, parameters, returning: ListTickersReply.self)
        return reply?.symbols.first { $0.symbol == SourcedText(symbol).symbol }?.quote
    }
}

/// The presentation of past prices.
struct HistoryLook {
    let formatter: HumanFormatter
    let display: PriceDisplay
    /// The quote currency of the prices; nil if unknown.
    let quote: String?

    /// The column with the currency of the prices, for programs only.
    static let column = Column("currency", nil)

    var currencyCell: Cell { Cell(.text(display.name(of: quote))) }

    func cell(_ price: String, _ emphasis: Emphasis = .none) -> Cell {
        display.cell(price, in: quote, emphasis)
    }
}

/// The user's request for past prices: symbol, range and step.
struct HistoryQuery {
    let symbol: String
    /// The beginning; nil to begin with the oldest price.
    var since: WallTime?
    var until: WallTime
    /// The length of a step; nil to show every price.
    var step: Milliseconds?
    let last: Int?
    /// The local time zone at the end of the range.
    let zone: LocalZone
    /// True if the user gave neither a beginning nor a number of prices, so that the default beginning applies.
    private let hasUsualBegin: Bool
    private let givenStep: Milliseconds?

    init(_ context: Context) throws(ClientError) {
        symbol = try context.arguments.sourced(context.arguments.operands.first ?? "")
        last = try context.number("last")
        let range = try TimeRange(context)
        until = range.until ?? context.formatter.now
        zone = context.formatter.zone(until)
        givenStep = try Self.step(context)
        since = range.since
        hasUsualBegin = since == nil && last == nil
        if let since, since >= until { throw .usage("--since must be in the past") }
    }

    /// True if the user gave no number of prices, and left the beginning or the step open.
    var isOpen: Bool { last == nil && (hasUsualBegin || givenStep == nil) }

    /// Chooses the beginning and the step if the user has not given them.
    ///
    /// - Parameters:
    ///   - oldest: the time of the oldest kept price; nil if unknown.
    ///   - interval: the poll interval.
    ///   - isHuman: true if a person reads the result.
    mutating func choose(oldest: WallTime?, interval: Milliseconds, isHuman: Bool) {
        if hasUsualBegin {
            let usual = WallTime(milliseconds: until.milliseconds - HistoryCommand.usualRange.count)
            since = oldest.map { $0 < until ? max(usual, $0) : usual } ?? usual
        }
        step = givenStep ?? (isHuman && last == nil ? since.map { fittingStep(until.since($0), interval) } : nil)
        if step == .zero { step = nil }
        if let step { alignToSteps(of: step) }
    }

    /// Chooses the step for prices that have already been received, and begins at the first of them.
    ///
    /// - Parameters:
    ///   - oldest: the time of the first price.
    ///   - distance: the usual distance between two prices, in milliseconds.
    ///   - isHuman: true if a person reads the result.
    mutating func choose(from oldest: WallTime, distance: Int64, isHuman: Bool) {
        since = oldest
        step = givenStep ?? (isHuman && last == nil ? fittingStep(until.since(oldest), Milliseconds(distance)) : nil)
        if step == .zero { step = nil }
    }

    /// Returns the value of --step: nil without the option, zero for `none`.
    private static func step(_ context: Context) throws(ClientError) -> Milliseconds? {
        guard let text = context.arguments.value("step") else { return nil }
        if text == "none" { return .zero }
        return try Context.duration(text, of: "step", such: "5m, 1h or 1d, or 'none'", atLeast: .seconds(1))
    }

    /// The earliest beginning. No price is older, and the start of a long step before this would be outside the range
    /// of times.
    private static let earliest = WallTime(milliseconds: 0)

    /// Moves both ends to step boundaries, so that every step is complete. `last` limits the number of steps.
    private mutating func alignToSteps(of step: Milliseconds) {
        until = start(ofStep: step, at: WallTime(milliseconds: until.milliseconds - 1), plus: 1)
        if let last {
            let length = step.times(Int64(clamping: last)).count
            let first = max(
                Self.earliest, WallTime(milliseconds: until.milliseconds.saturatingSubtracting(length)))
            since = max(first, since.map { start(ofStep: step, at: $0, plus: 0) } ?? first)
        } else if let since {
            self.since = start(ofStep: step, at: since, plus: 0)
        }
    }

    private func start(ofStep step: Milliseconds, at time: WallTime, plus steps: Int64) -> WallTime {
        let place = time.milliseconds - offset(of: step)
        let number = place / step.count - (place % step.count < 0 ? 1 : 0)
        return WallTime(milliseconds: (number + steps) * step.count + offset(of: step))
    }

    /// Returns the offset of steps from multiples of their length since 1970 in UTC, in milliseconds. With it, daily
    /// steps are local days.
    func offset(of step: Milliseconds) -> Int64 {
        let rest = -Int64(zone.offsetSeconds) * 1_000 % step.count
        return rest < 0 ? rest + step.count : rest
    }
}

/// Returns the shortest common length that results in at most 25 steps, so that the table fits a small terminal, and
/// that spans two polls, so that a slightly late poll leaves no step empty.
private func fittingStep(_ length: Milliseconds, _ interval: Milliseconds) -> Milliseconds {
    let minute: Int64 = 60_000
    let usual = [
        1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440, 2_880, 7_200, 10_080, 20_160, 43_200, 86_400, 525_600,
    ]
    let lengths = [1_000, 2_000, 5_000, 10_000, 30_000] + usual.map { Int64($0) * minute }
    let least = interval.times(2).count
    return Milliseconds(lengths.first { $0 * 25 >= length.count && $0 >= least } ?? minute * 525_600 * 10)
}
