internal import Charts
internal import Control
internal import Market
internal import Terminal
internal import Text
internal import Time

/// What the live view shows: a value that keys change, without a terminal or a daemon.
struct WatchState {
    enum Mode: Equatable {
        case list
        case detail
        case events
        case help
    }

    /// What the user types or has to confirm, in the last line.
    enum Prompt: Equatable {
        case none
        case search
        /// Asks before something is changed.
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
    /// Where help was asked for.
    var modeBeforeHelp = Mode.list
    var search = ""
    var quote: String?
    var favourites: Set<String> = []
    var onlyFavourites = false
    var sort = Sort.exchange
    var isReversed = false
    /// The chosen symbol, so that the choice survives another order.
    var selected: String?
    /// The first row of the list that is shown.
    var firstRow = 0
    /// The alert of the chosen symbol that keys act on.
    var alertIndex = 0
    var rangeIndex = 2
    /// The first event that is shown, from the newest.
    var firstEvent = 0
    /// A limit that is being moved.
    var moved: MovedLimit?
    var hasMouse = false
    /// The result of the last action.
    var message: (text: String, isFault: Bool)?
    /// The rows of the list at the last drawing, for pages and clicks.
    var listHeight = 10

    /// The rows of the list, in their order.
    var rows: [SymbolStatus] {
        let text = search.lowercased()
        let found = data.symbols.filter { symbol in
            (quote == nil || symbol.quote == quote) && (!onlyFavourites || isFavourite(symbol))
                && (text.isEmpty || symbol.symbol.includes(text)
                    || (symbol.base.flatMap(data.names) ?? "").lowercased().includes(text))
        }
        return sorted(found)
    }

    /// Of this symbol, with its source or without.
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

    /// The alerts of the chosen symbol.
    var selectedAlerts: [AlertStatus] { data.alerts.filter { $0.symbol == selected } }

    var selectedAlert: AlertStatus? {
        let alerts = selectedAlerts
        return alerts.indices.contains(alertIndex) ? alerts[alertIndex] : nil
    }

    var range: (key: Character, name: String, seconds: Int64) { Self.ranges[min(max(0, rangeIndex), 4)] }
}

/// What the daemon said last.
struct WatchData {
    var status: DaemonStatus?
    var symbols: [SymbolStatus] = []
    var alerts: [AlertStatus] = []
    /// The newest first.
    var events: [EventRecord] = []
    /// The prices before the last ones, for the arrows.
    var previous: [String: String] = [:]
    /// The chart of the chosen symbol.
    var chart: Chart?
    /// What needs attention; nil before the first answer.
    var health: Health?
    /// Why the daemon cannot be reached; nil while it can.
    var fault: String?
    var display = PriceDisplay.own(hasUnicode: true)
    var names: (String) -> String? = { _ in nil }

    /// The alert of a symbol that is nearest to its limit, reached or not; of equals one that fires.
    func nearest(_ symbol: String) -> (alert: AlertStatus, percent: String)? { nearest(nil, symbol) }

    /// The same for a symbol of one source; nil for any.
    func nearest(_ source: String?, _ symbol: String) -> (alert: AlertStatus, percent: String)? {
        let near = alerts.filter { alert in
            alert.symbol == symbol && (source == nil || alert.source == source) && alert.state != .expired
        }.compactMap { alert in
            alert.distance.map { (alert, $0) }
        }
        let first = near.min { left, right in
            // Inside a zone, its limit is reached, wherever its ends are.
            let (one, other) = (
                left.0.isInsideZone ? 0 : left.1.approximate.magnitude,
                right.0.isInsideZone ? 0 : right.1.approximate.magnitude
            )
            return one == other ? left.0.isFiring && !right.0.isFiring : one < other
        }
        return first.map { ($0.0, "\($0.1)") }
    }
}

/// A limit that the user moves, in the currency of its rule.
struct MovedLimit: Equatable {
    let alert: AlertStatus
    /// The limit as it is.
    let original: Price
    /// How far a key moves it.
    let step: Price
    var value: Price

    /// Nil for an alert whose limit cannot be moved.
    init?(_ alert: AlertStatus) {
        guard [.min, .max].contains(alert.bound), let limit = alert.limit.flatMap({ try? Price($0) }), limit.isPositive
        else { return nil }
        self.alert = alert
        original = limit
        value = limit
        step = Self.step(limit)
    }

    /// About a thousandth of the limit: 1, 2 or 5 times a power of ten.
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

    /// Moves by this many steps; a limit stays above 0.
    mutating func move(_ steps: Int64) {
        guard let way = Price(mantissa: step.mantissa * steps, scale: step.scale), let next = value.adding(way),
            next.isPositive
        else { return }
        value = next
    }

    /// How often the alert would have fired in the shown bars: how often a price reached the limit after it was clear.
    func firings(_ bars: [ChartBar], factor: Double) -> Int {
        let limit = value.approximate * factor
        let clear =
            alert.clear.flatMap { try? Price($0) }.map { $0.approximate / original.approximate * limit } ?? limit
        let isMax = alert.bound == .max
        var isFiring = false
        return bars.count { bar in
            let isReached = isMax ? bar.high >= limit : bar.low <= limit
            // Without hysteresis, the limit itself is not clear.
            let isClear = isMax ? bar.close <= clear && bar.close < limit : bar.close >= clear && bar.close > limit
            let fires = isReached && !isFiring
            isFiring = (isFiring || isReached) && !isClear
            return fires
        }
    }
}

/// What the view asks of the daemon or of its surroundings.
enum WatchAction: Equatable {
    case setLimit(rule: String, symbol: String, isMax: Bool, value: String)
    case silence(symbol: String, hours: Int)
    case acknowledge(rule: String, symbol: String)
    case arm(rule: String, symbol: String)
    case setFavourite(symbol: String, isOn: Bool)
    case nextCurrency
    /// Read the chart again: another symbol or range.
    case readChart
    case mouse(Bool)
    case quit
}
