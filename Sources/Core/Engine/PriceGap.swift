package import Events
package import Market
package import Time

/// A time in which the price of a symbol was not known, and the alerts that may have missed something in it.
package struct PriceGap: Equatable, Sendable {
    /// An alert that was not firing before the gap.
    package struct Watch: Hashable, Sendable {
        /// The name of its rule.
        package var rule: String
        package var bound: Bound
        /// As it was at the end of the gap; an alert whose limit has changed since is no longer meant.
        package var limit: LimitValue
        /// The currency of the rule; nil for the market's own.
        package var currency: Currency?

        package init(rule: String, bound: Bound, limit: LimitValue, currency: Currency?) {
            (self.rule, self.bound, self.limit, self.currency) = (rule, bound, limit, currency)
        }
    }

    /// By which a gap is found again.
    package struct ID: Hashable, Sendable {
        package var symbol: Symbol
        /// When the last usable price before the gap was received.
        package var since: WallTime
        /// When the first usable price after it was received: where a conversion was not possible at first, later than
        /// for other rules.
        package var until: WallTime

        package init(symbol: Symbol, since: WallTime, until: WallTime) {
            (self.symbol, self.since, self.until) = (symbol, since, until)
        }
    }

    package var id: ID
    /// The last usable price before the gap, in the market's own currency.
    package var before: Price
    /// In the order of the rules, and of a rule the order of its bounds; never empty.
    package var watches: [Watch]

    package init(id: ID, before: Price, watches: [Watch]) {
        (self.id, self.before, self.watches) = (id, before, watches)
    }

    package var symbol: Symbol { id.symbol }
    package var until: WallTime { id.until }

    /// The longest part of a gap that is looked up, its end: 7 days are 10,080 candles.
    package static let longest = Milliseconds.seconds(7 * 86_400)

    /// The whole minutes to look up; nil when there are none.
    package var minutes: Range<WallTime>? {
        let (earliest, isShort) = until.milliseconds.subtractingReportingOverflow(Self.longest.count)
        guard !isShort else { return nil }
        return Candle.minutes(from: max(id.since, WallTime(milliseconds: earliest)), until: until)
    }
}

/// What has changed in the gaps that have yet to be looked up.
package struct GapChanges: Equatable, Sendable {
    /// Whether all others are gone.
    package var isWhole = false
    /// Those that are gone, or replaced by one of ``added``.
    package var removed: Set<PriceGap.ID> = []
    package var added: [PriceGap] = []

    /// Nothing has changed.
    package init() {}

    package var isEmpty: Bool { self == GapChanges() }
}

/// The gaps that have yet to be looked up, oldest first, and what has changed since they were last saved.
struct GapList: Sendable {
    /// 20,000 gaps of some 200 bytes are 4 MB, and take more than five hours to look up.
    static let capacity = 20_000

    private(set) var all: [PriceGap] = []
    private var known: Set<PriceGap.ID> = []
    private var changes = GapChanges()
    /// How many were dropped because there were too many.
    private(set) var lostCount = 0

    func contains(_ id: PriceGap.ID) -> Bool { known.contains(id) }

    /// Adds a gap; ``trim()`` has to follow.
    mutating func add(_ gap: PriceGap) {
        remove(gap.id)
        known.insert(gap.id)
        all.append(gap)
        changes.added.append(gap)
    }

    /// Drops the oldest gaps when there are too many.
    mutating func trim() {
        let excess = all.count - Self.capacity
        guard excess > 0 else { return }
        remove(Set(all.prefix(excess).map(\.id)))
        lostCount += excess
    }

    /// Removes all of these at once.
    mutating func remove(_ ids: Set<PriceGap.ID>) {
        let gone = ids.intersection(known)
        guard !gone.isEmpty else { return }
        known.subtract(gone)
        changes.removed.formUnion(gone)
        changes.added.removeAll { gone.contains($0.id) }
        all.removeAll { gone.contains($0.id) }
    }

    /// - Returns: what it was; nil for a gap that is not there.
    @discardableResult
    mutating func remove(_ id: PriceGap.ID) -> PriceGap? {
        guard known.remove(id) != nil, let place = all.firstIndex(where: { $0.id == id }) else { return nil }
        changes.removed.insert(id)
        changes.added.removeAll { $0.id == id }
        return all.remove(at: place)
    }

    /// Keeps only some of the watches, and only gaps that have any.
    ///
    /// - Parameter isKept: whether to keep a watch of a gap.
    mutating func keep(_ isKept: (PriceGap.Watch, PriceGap) -> Bool) {
        var changed: [PriceGap] = []
        var rest: [PriceGap] = []
        for gap in all {
            var kept = gap
            kept.watches.removeAll { !isKept($0, gap) }
            if kept.watches.count < gap.watches.count { changed.append(kept) }
            if !kept.watches.isEmpty { rest.append(kept) }
        }
        remove(Set(changed.map(\.id)))
        changed.removeAll { $0.watches.isEmpty }
        changes.added += changed
        known.formUnion(changed.map(\.id))
        all = rest
    }

    /// Takes over gaps that are stored.
    mutating func restore(_ stored: [PriceGap]) {
        all = Array(stored.sorted { $0.until < $1.until }.suffix(Self.capacity))
        known = Set(all.map(\.id))
    }

    /// Hands over what has changed since the last call; everything when `isWhole`.
    mutating func takeChanges(isWhole: Bool) -> GapChanges {
        defer { changes = GapChanges() }
        guard isWhole else { return changes }
        var whole = GapChanges()
        (whole.isWhole, whole.added) = (true, all)
        return whole
    }
}
