internal import Arguments
internal import Charts
internal import Market
internal import Time

/// The options of a chart that the user asks for.
struct ChartRequest {
    static let usualLength = Milliseconds.seconds(86_400)

    var symbols: [String]
    let rule: String?
    /// The left edge; nil for the last 24 hours, or less if the recorded prices begin later.
    private(set) var since: WallTime?
    private(set) var until: WallTime
    /// The period of a price service's past prices; nil to show the daemon's prices.
    let period: PricePeriod?
    /// The length of a candle; nil to draw a line.
    let candles: Milliseconds?
    let isArea: Bool
    let isLogarithmic: Bool
    var isRelative: Bool
    /// The size in columns and rows, or in pixels for SVG; nil for the default.
    let size: (width: Int, height: Int)?
    let symbolSet: SymbolSet
    /// The path of the SVG file; nil to draw in the terminal.
    let svg: String?

    init(_ context: Context) throws(ClientError) {
        let arguments = context.arguments
        symbols = try arguments.operands.map { name throws(ClientError) in try arguments.sourced(name) }
        guard symbols.count <= ChartCommand.symbolLimit else {
            throw .usage("a chart shows at most \(ChartCommand.symbolLimit) symbols")
        }
        rule = arguments.value("rule")
        let range = try TimeRange(context)
        until = range.until ?? context.formatter.now
        since = range.since
        if let since, since >= until { throw .usage("--since must be in the past") }
        period = try context.period()
        candles = try context.length("candles")
        if period != nil, candles != nil { throw .usage("--period and --candles cannot be combined") }
        if let candles, candles < .seconds(1) { throw .usage("--candles takes a duration of at least 1s") }
        isArea = arguments.has("area")
        isLogarithmic = arguments.has("log")
        isRelative = arguments.has("relative") || symbols.count > 1
        if candles != nil, symbols.count > 1 { throw .usage("--candles shows one symbol; omit it to compare several") }
        if isRelative, isLogarithmic { throw .usage("--log and --relative cannot be combined") }
        size = try Self.size(context)
        symbolSet = try SymbolSet(context)
        svg = arguments.value("svg")
        if let svg {
            try FileEnding.check(svg, is: "SVG")
            if let option = FormatOption.allCases.first(where: { arguments.has($0.rawValue) }) {
                throw .usage("--svg writes a picture; omit --\(option.rawValue)")
            }
        }
    }

    /// Makes a request for the last 24 hours of a symbol.
    init(_ symbol: String, _ formatter: HumanFormatter) {
        symbols = [symbol]
        (rule, since, candles, size, svg) = (nil, nil, nil, nil, nil)
        period = nil
        until = formatter.now
        (isArea, isLogarithmic, isRelative) = (false, false, false)
        symbolSet = .braille
    }

    /// Sets the range to this length up to `end`. It does not begin before the oldest price, but is at least one
    /// minute.
    mutating func setLength(_ length: Milliseconds, until end: WallTime, oldest: WallTime?) {
        until = end
        let longest = max(.seconds(60), oldest.map { end.since($0) } ?? length)
        since = WallTime(milliseconds: end.milliseconds - min(length, longest).count)
    }

    /// Parses `--size`; nil if the option is absent.
    private static func size(_ context: Context) throws(ClientError) -> (width: Int, height: Int)? {
        guard let text = context.arguments.value("size") else { return nil }
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let isPicture = context.arguments.has("svg")
        let widths = isPicture ? Chart.svgSides : 24...1_000
        let heights = isPicture ? Chart.svgSides : 6...1_000
        guard parts.count == 2, let width = parts[0], let height = parts[1], widths.contains(width),
            heights.contains(height)
        else {
            throw .usage(
                isPicture
                    ? "--size takes the pixels of the picture, 160x160 to 4000x4000, such as 800x400"
                    : "--size takes columns and rows, 24x6 to 1000x1000, such as 100x30")
        }
        return (width, height)
    }

    /// Describes the range briefly: `last 24h`, `last 7d`, or `Nov 20 14:00 to Nov 21 02:00`.
    func text(_ span: Range<WallTime>, _ now: WallTime, _ clock: ChartClock) -> String {
        guard now.since(span.upperBound).count.magnitude < 1_000 else {
            let (start, end) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
            return "\(clock.text(start)) to \(clock.text(end))"
        }
        let length = span.upperBound.since(span.lowerBound)
        return "last " + Milliseconds(length.count / 1_000 * 1_000).approximate
    }
}

extension SymbolSet {
    /// Parses `--symbols`; if it is absent, chooses the set that the terminal can most likely show.
    init(_ context: Context) throws(ClientError) {
        let formatter = context.formatter
        guard let name = context.arguments.value("symbols") else {
            self = .usual(formatter, term: context.environment.variables["TERM"])
            return
        }
        guard let set = SymbolSet(rawValue: name) else { throw .usage("--symbols takes braille, block or ascii") }
        self = set
    }

    /// Returns the default for a terminal. The fonts of the Linux console have no braille characters.
    static func usual(_ formatter: HumanFormatter, term: String?) -> SymbolSet {
        formatter.hasUnicode && term != "linux" && term != "dumb" ? .braille : .ascii
    }
}

extension ChartClock {
    /// Makes the clock of the user's time zone for a time span, with at most one change of its offset.
    init(_ span: Range<WallTime>, _ zone: (WallTime) -> LocalZone) {
        var (low, high) = (span.lowerBound, span.upperBound)
        let (first, last) = (zone(low).offsetSeconds, zone(high).offsetSeconds)
        guard first != last else {
            self = .local([ZoneOffset(since: low, seconds: first)])
            return
        }
        let start = low
        while high.since(low).count > 60_000 {
            let middle = WallTime(milliseconds: low.milliseconds + high.since(low).count / 2)
            if zone(middle).offsetSeconds == first { low = middle } else { high = middle }
        }
        self = .local([ZoneOffset(since: start, seconds: first), ZoneOffset(since: high, seconds: last)])
    }
}
