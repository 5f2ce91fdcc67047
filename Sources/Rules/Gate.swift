internal import Market

/// What the price of a reading must do before an alert has to look at it at all, in units of 10^-18.
///
/// Nearly all alerts of nearly all polls stay as they are; asking this first keeps ten thousand rules cheap.
struct Gate: Sendable {
    private enum Kind: UInt8 {
        case open
        case closed
        case atLeast
        case atMost
    }

    private let kind: Kind
    /// The alert's reading.
    let reading: Int32
    private let level: Int128

    private init(_ kind: Kind, _ reading: Int, _ level: Int128 = 0) {
        self.kind = kind
        self.reading = Int32(truncatingIfNeeded: reading)
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

    /// The alert looks at every price.
    static func open(_ reading: Int) -> Gate { Gate(.open, reading) }

    /// The gate for the state that the alert is in. Whatever else changes the alert, or its route, has to open it.
    init(_ alert: Alert, _ terms: TellingTerms, _ route: CurrencyRoute) {
        let reading = alert.reading
        let atLeast = { (limit: Price) in route.units(of: limit).map { Gate(.atLeast, reading, $0.lowerBound) } }
        let atMost = { (limit: Price) in route.units(of: limit).map { Gate(.atMost, reading, $0.upperBound) } }
        let gate: Gate? =
            switch (alert.machine, alert.test) {
            case _ where alert.isExpired: Gate(.closed, reading)
            case (.inactive(_, false), .max(let limit)): atLeast(limit.price)
            case (.inactive(_, false), .min(let limit)): atMost(limit.price)
            case (.firing(_, .told(_, let stop)), .max(let limit)) where stop != nil || !terms.repeats:
                atMost(limit.clear ?? limit.price)
            case (.firing(_, .told(_, let stop)), .min(let limit)) where stop != nil || !terms.repeats:
                atLeast(limit.clear ?? limit.price)
            case (.poised(_, .below), .crossUp(let limit)), (.poised(_, .below), .crossDown(let limit)): atLeast(limit)
            case (.poised(_, .above), .crossUp(let limit)), (.poised(_, .above), .crossDown(let limit)): atMost(limit)
            default: nil
            }
        self = gate ?? .open(reading)
    }
}

extension TellingTerms {
    fileprivate var repeats: Bool { repeatAfter != nil }
}
