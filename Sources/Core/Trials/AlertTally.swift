internal import Engine
package import Events
package import Market
internal import Rules
package import Time

/// One rule on one symbol and bound.
package struct AlertPlace: Hashable, Sendable {
    package var rule: String
    package var symbol: Symbol
    package var bound: Bound

    /// The rule is named, and need not exist.
    package init(rule: String, symbol: Symbol, bound: Bound) {
        self.rule = rule
        self.symbol = symbol
        self.bound = bound
    }
}

extension AlertPlace {
    /// Nil for what is not about an alert.
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
    /// How often it began to fire; a crossing each time it crosses.
    package private(set) var firings = 0
    /// How many of its events are notified: firings, repeats and ends.
    package private(set) var notifiedEvents = 0
    /// How often it fired again soon after it resolved. A crossing resolves at once.
    package private(set) var flaps = 0
    /// For how long its limit was reached or passed, whatever its hysteresis and its `for`: from each price that does
    /// to the next one, unless there is a gap between. None for a crossing.
    package var breachLength = Milliseconds.zero
    /// For how long it fired, up to the last price.
    package private(set) var firingLength = Milliseconds.zero
    /// When it first fired; nil when it never did.
    package private(set) var firstFired: WallTime?
    /// When it last fired; nil when it never did.
    package private(set) var lastFired: WallTime?
    /// Since when it fires at the end of the recording.
    package private(set) var firingSince: WallTime?
    private var lastEnd: WallTime?

    init(place: AlertPlace) {
        self.place = place
    }

    mutating func take(_ occurrence: Occurrence, flapLength: Milliseconds) {
        if occurrence.notified { notifiedEvents += 1 }
        switch occurrence.kind {
        // A suppressed firing is notified later by another `fired`.
        case .fired where firingSince == nil: begin(at: occurrence.time, flapLength)
        // A resolve that a silence deferred comes when the alert no longer fires.
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
    /// Its place in the order in which bounds are evaluated.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Milliseconds {
    static func += (left: inout Milliseconds, right: Milliseconds) {
        left = Milliseconds(left.count &+ right.count)
    }
}
