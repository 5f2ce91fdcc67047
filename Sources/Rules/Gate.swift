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

    /// The gate for the state that the alert is in. Whatever else changes the alert has to open it.
    init(_ alert: Alert, _ terms: TellingTerms, isNative: Bool) {
        let reading = alert.reading
        guard !alert.isExpired else {
            self.init(.closed, reading)
            return
        }
        guard isNative else {
            self.init(.open, reading)
            return
        }
        switch (alert.machine, alert.test) {
        case (.inactive(_, false), .max(let limit)): self.init(.atLeast, reading, limit.price.units)
        case (.inactive(_, false), .min(let limit)): self.init(.atMost, reading, limit.price.units)
        case (.firing(_, .told(_, let isAcknowledged)), .max(let limit)) where isAcknowledged || !terms.repeats:
            self.init(.atMost, reading, limit.clear?.units ?? limit.price.units - 1)
        case (.firing(_, .told(_, let isAcknowledged)), .min(let limit)) where isAcknowledged || !terms.repeats:
            self.init(.atLeast, reading, limit.clear?.units ?? limit.price.units + 1)
        case (.poised(_, .below), .crossUp(let limit)), (.poised(_, .below), .crossDown(let limit)):
            self.init(.atLeast, reading, limit.units)
        case (.poised(_, .above), .crossUp(let limit)), (.poised(_, .above), .crossDown(let limit)):
            self.init(.atMost, reading, limit.units)
        default: self.init(.open, reading)
        }
    }
}

extension TellingTerms {
    fileprivate var repeats: Bool { repeatAfter != nil }
}
