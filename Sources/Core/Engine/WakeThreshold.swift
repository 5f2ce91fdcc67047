internal import Market
internal import Rules

/// The condition under which a price of an input requires a check of an alert, in units of 10^-18.
///
/// In nearly all polls, nearly all alerts stay as they are. Testing this condition first keeps ten thousand rules
/// cheap.
struct WakeThreshold: Sendable {
    enum Kind: UInt8 {
        case open
        case closed
        case atLeast
        case atMost
    }

    let kind: Kind
    /// Index of the alert's input.
    let input: Int32
    let level: Int128

    private init(_ kind: Kind, _ input: Int, _ level: Int128 = 0) {
        self.kind = kind
        self.input = Int32(truncatingIfNeeded: input)
        self.level = level
    }

    func lets(_ units: Int128) -> Bool {
        switch kind {
        case .open: true
        case .closed: false
        case .atLeast: units >= level
        case .atMost: units <= level
        }
    }

    /// A threshold that checks the alert with every price.
    static func open(_ input: Int) -> WakeThreshold { WakeThreshold(.open, input) }

    /// The wake threshold for the alert's current state. Any other change of the alert or its route must open the
    /// threshold again.
    init(_ alert: Alert, _ policy: NotificationPolicy, _ route: CurrencyRoute) {
        let input = alert.input
        let atLeast = { (limit: Price) in route.units(of: limit).map { WakeThreshold(.atLeast, input, $0.lowerBound) } }
        let atMost = { (limit: Price) in route.units(of: limit).map { WakeThreshold(.atMost, input, $0.upperBound) } }
        let wakeThreshold: WakeThreshold? =
            switch (alert.state, alert.test) {
            case _ where alert.isExpired: WakeThreshold(.closed, input)
            case _ where alert.needsBase: nil
            case (.inactive(_, false), .max(let limit)): atLeast(limit.price)
            case (.inactive(_, false), .min(let limit)): atMost(limit.price)
            case (.firing(_, .notified(_, let stop), nil), .max(let limit)) where stop != nil || !policy.repeats:
                atMost(limit.clear ?? limit.price)
            case (.firing(_, .notified(_, let stop), nil), .min(let limit)) where stop != nil || !policy.repeats:
                atLeast(limit.clear ?? limit.price)
            case (.armed(_, .below), .crossUp(let limit)), (.armed(_, .below), .crossDown(let limit)): atLeast(limit)
            case (.armed(_, .above), .crossUp(let limit)), (.armed(_, .above), .crossDown(let limit)): atMost(limit)
            default: nil
            }
        self = wakeThreshold ?? .open(input)
    }
}

/// The wake thresholds of the alerts of a symbol.
struct WakeThresholds: Sendable {
    /// One threshold per alert.
    private(set) var thresholds: [WakeThreshold] = []
    /// True if the current prices passed no threshold. With the same prices, no alert has to be checked.
    private(set) var isQuiet = false

    /// Makes the next price check every alert.
    mutating func open(for alerts: [Alert]) {
        thresholds = alerts.map { .open($0.input) }
        isQuiet = false
    }

    mutating func set(_ threshold: WakeThreshold, ofAlert index: Int) {
        thresholds[index] = threshold
        isQuiet = false
    }

    /// Marks that no threshold was passed.
    mutating func markQuiet() { isQuiet = true }

    /// Marks that a threshold may have been passed.
    mutating func markPassed() { isQuiet = false }
}

extension NotificationPolicy {
    fileprivate var repeats: Bool { repeatAfter != nil }
}
