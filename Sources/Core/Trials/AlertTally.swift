internal import Engine
package import Events
package import Market
internal import Rules
package import Time

/// Identifies an alert: a rule, symbol and bound.
package struct AlertPlace: Hashable, Sendable {
    package var rule: String
    package var symbol: Symbol
    package var bound: Bound

    /// Creates an identifier; the rule need not exist.
    package init(rule: String, symbol: Symbol, bound: Bound) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }
}

extension AlertPlace {
    /// Nil if the occurrence is not about an alert.
    init?(_ occurrence: Occurrence) {
        guard let rule = occurrence.rule, let symbol = occurrence.symbol, let bound = occurrence.bound else {
            return nil
        }
        self.init(rule: rule, symbol: symbol, bound: bound)
    }

    init(_ view: AlertView) {
        self.init(rule: view.rule.name, symbol: view.symbol, bound: view.bound)
    }
}

/// The totals of one alert in a backtest.
package struct AlertTally: Equatable, Sendable {
    package let place: AlertPlace
    /// Number of times it started firing. For a crossing, the number of crossings.
    package private(set) var firings = 0
    /// Number of its notified events: firings, repeats and resolutions.
    package private(set) var notifiedEvents = 0
    /// Number of times it fired again soon after it resolved. A crossing resolves immediately.
    package private(set) var flaps = 0
    /// Total time for which its limit was breached, regardless of hysteresis and `for`: from each breaching price to
    /// the next price, unless there is a gap between them. Zero for a crossing.
    package var breachLength = Milliseconds.zero
    /// Total time for which it fired, until the last price.
    package private(set) var firingLength = Milliseconds.zero
    /// When it first fired; nil if it never did.
    package private(set) var firstFired: WallTime?
    /// When it last fired; nil if it never did.
    package private(set) var lastFired: WallTime?
    /// Start of a firing that lasts until the end of the recording; nil if there is none.
    package private(set) var firingSince: WallTime?
    private var lastEnd: WallTime?

    init(place: AlertPlace) {
        self.place = place
    }

    mutating func record(_ occurrence: Occurrence, flapLength: Milliseconds) {
        if occurrence.notified { notifiedEvents += 1 }
        switch occurrence.kind {
        // A suppressed firing may be notified later with another `fired` event.
        case .fired where firingSince == nil: begin(at: occurrence.time, flapLength)
        // A deferred `resolved` event follows when the alert has stopped firing already.
        case .resolved where firingSince != nil: end(at: occurrence.time)
        default: break
        }
    }

    /// Counts a firing that lasts until the last price.
    mutating func close(at time: WallTime) {
        if let firingSince { firingLength += time.since(firingSince) }
    }

    private mutating func begin(at time: WallTime, _ flapLength: Milliseconds) {
        firings += 1
        firstFired = firstFired ?? time
        lastFired = time
        if let lastEnd, time.since(lastEnd) <= flapLength { flaps += 1 }
        if place.bound.isMomentary { lastEnd = time } else { firingSince = time }
    }

    private mutating func end(at time: WallTime) {
        if let firingSince { firingLength += time.since(firingSince) }
        firingSince = nil
        lastEnd = time
    }
}

extension Bound {
    /// Index in the order in which bounds are evaluated.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Milliseconds {
    static func += (left: inout Milliseconds, right: Milliseconds) {
        left = Milliseconds(left.count &+ right.count)
    }
}
