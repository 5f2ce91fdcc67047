internal import Charts
internal import Control
internal import Market
internal import Terminal
internal import Text
internal import Time

/// The state of the live view: a value that keys change, independent of terminal and daemon.
struct WatchState {
    enum Mode: Equatable {
        case list
        case detail
        case events
        case help
    }

    /// The input that the last line asks the user for.
    enum Prompt: Equatable {
        case none
        case search
        /// Asks for confirmation of a change.
        case confirm(WatchAction, question: String)
    }

    enum Sort: String, CaseIterable {
        case exchange = "exchange order"
        case symbol
        case change
        case distance = "distance to limit"
        case turnover
    }

    static let ranges: [(key: Character, name: String, seconds: Int64)] = [
        ("1", "1h", 3_600), ("2", "6h", 21_600), ("3", "24h", 86_400), ("4", "7d", 604_800), ("5", "30d", 2_592_000),
    ]

    var data = WatchData()
    var mode = Mode.list
    var prompt = Prompt.none
    /// The mode to return to from help.
    var modeBeforeHelp = Mode.list
    var search = ""
    var quote: String?
    var favourites: Set<String> = []
    var onlyFavourites = false
    var sort = Sort.exchange
    var isReversed = false
    /// The selected symbol. This is not a row number, so that the selection survives a change of order.
    var selected: String?
    /// The first visible row of the list.
    var firstRow = 0
    /// The index in ``selectedAlerts`` of the alert that keys act on.
    var alertIndex = 0
    var rangeIndex = 2
    /// The first visible event, counted from the newest.
    var firstEvent = 0
    /// The limit that is being moved; nil for none.
    var moved: MovedLimit?
    /// The converter, while it is open.
    var converter: WatchConverter?
    var hasMouse = false
    /// The result of the last action.
    var message: (text: String, isFault: Bool)?
    /// The height of the list when it was last drawn, for scrolling by pages.
    var listHeight = 10

    /// The symbols in the list, filtered and sorted.
    var rows: [SymbolStatus] {
        let text = search.lowercased()
        let found = data.symbols.filter { symbol in
            (quote == nil || symbol.quote == quote) && (!onlyFavourites || isFavourite(symbol))
                && (text.isEmpty || symbol.symbol.includes(text)
                    || (symbol.base.flatMap(data.names) ?? "").lowercased().includes(text))
        }
        return sorted(found)
    }

    /// True if this symbol is a favourite, with or without its source.
    func isFavourite(_ symbol: SymbolStatus) -> Bool {
        let name = SourcedText(symbol.symbol).symbol
        return favourites.contains(name) || favourites.contains("\(symbol.source):\(name)")
    }

    private func sorted(_ symbols: [SymbolStatus]) -> [SymbolStatus] {
        guard sort != .exchange else { return isReversed ? symbols.reversed() : symbols }
        return AlertClient.sorted(symbols, isDescending: isReversed, by: sortKey)
    }

    private func sortKey(_ symbol: SymbolStatus) -> SortKey {
        switch sort {
        case .exchange: .missing
        case .symbol: .text(symbol.symbol)
        case .change: SortKey(.decimal(symbol.changePercent))
        case .distance: SortKey(.decimal(data.nearest(symbol.symbol)?.percent))
        case .turnover: symbol.dailyTurnover.map { .number($0) } ?? .missing
        }
    }

    var selectedSymbol: SymbolStatus? { data.symbols.first { $0.symbol == selected } }

    var selectedAlerts: [AlertStatus] { data.alerts.filter { $0.symbol == selected } }

    var selectedAlert: AlertStatus? {
        let alerts = selectedAlerts
        return alerts.indices.contains(alertIndex) ? alerts[alertIndex] : nil
    }

    var range: (key: Character, name: String, seconds: Int64) { Self.ranges[min(max(0, rangeIndex), 4)] }
}

/// The data last received from the daemon.
struct WatchData {
    var status: DaemonStatus?
    var symbols: [SymbolStatus] = []
    var alerts: [AlertStatus] = []
    /// The events, newest first.
    var events: [EventRecord] = []
    /// The previous price of each symbol, for the arrows.
    var previous: [String: String] = [:]
    /// The chart of the selected symbol.
    var chart: Chart?
    /// Everything that needs attention; nil before the first response.
    var health: Health?
    /// The reason why the daemon cannot be reached; nil while it can.
    var fault: String?
    var display = PriceDisplay.own(hasUnicode: true)
    var names: (String) -> String? = { _ in nil }

    /// Returns the alert of a symbol whose limit is nearest to the price, whether or not the price has reached it;
    /// among equals, a firing alert.
    func nearest(_ symbol: String) -> (alert: AlertStatus, percent: String)? { nearest(nil, symbol) }

    /// Returns the alert whose limit is nearest to the price. `source` limits the search to a symbol of one source;
    /// nil means any source.
    func nearest(_ source: String?, _ symbol: String) -> (alert: AlertStatus, percent: String)? {
        let near = alerts.filter { alert in
            alert.symbol == symbol && (source == nil || alert.source == source) && alert.state != .expired
        }.compactMap { alert in
            alert.distance.map { (alert, $0) }
        }
        let first = near.min { left, right in
            // Inside a zone, the distance counts as 0, however far away the ends of the zone are.
            let (one, other) = (
                left.0.isInsideZone ? 0 : left.1.approximate.magnitude,
                right.0.isInsideZone ? 0 : right.1.approximate.magnitude
            )
            return one == other ? left.0.isFiring && !right.0.isFiring : one < other
        }
        return first.map { ($0.0, "\($0.1)") }
    }
}

/// A limit that the user is moving, in the currency of its rule.
struct MovedLimit: Equatable {
    let alert: AlertStatus
    /// The current limit of the alert.
    let original: Price
    /// The amount by which one keypress moves the limit.
    let step: Price
    var value: Price

    /// Returns nil for an alert whose limit cannot be moved.
    init?(_ alert: AlertStatus) {
        guard [.min, .max].contains(alert.bound), let limit = alert.limit.flatMap({ try? Price($0) }), limit.isPositive
        else { return nil }
        self.alert = alert
        original = limit
        value = limit
        step = Self.step(limit)
    }

    /// Returns the step for a limit: about a thousandth of it, rounded down to 1, 2 or 5 times a power of ten.
    private static func step(_ limit: Price) -> Price {
        let reduced = limit.reduced
        var digits = 0
        var rest = reduced.mantissa
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        let factor: Int64 = rest >= 5 ? 5 : rest >= 2 ? 2 : 1
        let exponent = digits - Int(reduced.scale) - 3
        guard exponent < 0 else {
            return Price(mantissa: (0..<min(exponent, 17)).reduce(factor) { value, _ in value * 10 }, scale: 0) ?? .one
        }
        return Price(mantissa: factor, scale: UInt8(min(18, -exponent))) ?? .one
    }

    /// Moves the limit by a number of steps; it stays above 0.
    mutating func move(_ steps: Int64) {
        guard let way = Price(mantissa: step.mantissa * steps, scale: step.scale), let next = value.adding(way),
            next.isPositive
        else { return }
        value = next
    }

    /// Returns how often the alert would have fired in these bars: each time that a price reaches the limit after the
    /// alert has resolved.
    func firings(_ bars: [ChartBar], factor: Double) -> Int {
        let limit = value.approximate * factor
        let clear =
            alert.clear.flatMap { try? Price($0) }.map { $0.approximate / original.approximate * limit } ?? limit
        let isMax = alert.bound == .max
        var isFiring = false
        return bars.count { bar in
            let isReached = isMax ? bar.high >= limit : bar.low <= limit
            // Without hysteresis, a price equal to the limit does not resolve the alert.
            let isClear = isMax ? bar.close <= clear && bar.close < limit : bar.close >= clear && bar.close > limit
            let fires = isReached && !isFiring
            isFiring = (isFiring || isReached) && !isClear
            return fires
        }
    }
}

/// An action that the view performs outside its state: with the daemon, the terminal or a file.
enum WatchAction: Equatable {
    case setLimit(rule: String, symbol: String, isMax: Bool, value: String)
    case silence(symbol: String, hours: Int)
    case acknowledge(rule: String, symbol: String)
    case arm(rule: String, symbol: String)
    case setFavourite(symbol: String, isOn: Bool)
    case nextCurrency
    /// Keeps the conversion that the converter shows.
    case keepConversion
    /// Reads the chart again, for another symbol or range.
    case readChart
    case mouse(Bool)
    case quit
}
