package import Events
package import Market
package import Time

/// A time in which the price of a symbol was not known, and the alerts that may have missed something in it.
package struct PriceGap: Equatable, Sendable {
    /// An alert that was not firing before the gap.
    package struct Watch: Hashable, Sendable {
        /// The name of its rule.
        package var rule: String
        /// `min`, `max` or `within`; candles decide about no other bound.
        package var bound: Bound
        /// As it was at the end of the gap; if the limit has changed since, the gap no longer concerns the alert.
        package var limit: LimitValue
        /// The currency of the rule; nil for the market's own.
        package var currency: Currency?

        package init(rule: String, bound: Bound, limit: LimitValue, currency: Currency?) {
            (self.rule, self.bound, self.limit, self.currency) = (rule, bound, limit, currency)
        }
    }

    /// What identifies a gap.
    package struct ID: Hashable, Sendable {
        package var symbol: Symbol
        /// When the last usable price before the gap was received.
        package var since: WallTime
        /// When the first usable price after it was received. For a rule whose currency could not be converted to at
        /// that time, this is later than for other rules.
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
    /// New ones, and those that replace one of ``removed``.
    package var added: [PriceGap] = []

    /// Nothing has changed.
    package init() {}

    package var isEmpty: Bool { !isWhole && removed.isEmpty && added.isEmpty }
}

/// The gaps that have yet to be looked up, oldest first, and what has changed since they were last saved.
struct GapList: Sendable {
    /// The most gaps: looking up 20,000 takes at least five hours. There is another limit on the alerts of all of them.
    static let capacity = 20_000

    private(set) var all: [PriceGap] = []
    private var known: Set<PriceGap.ID> = []
    /// How many alerts all of them have together.
    private(set) var watchCount = 0
    private var changes = GapChanges()
    /// How many were dropped because there were too many.
    private(set) var lostCount = 0

    func contains(_ id: PriceGap.ID) -> Bool { known.contains(id) }

    /// Adds a gap, or replaces the one of the same time; ``trim(watchLimit:)`` has to follow.
    mutating func add(_ gap: PriceGap) {
        if known.contains(gap.id) { remove([gap.id]) }
        known.insert(gap.id)
        all.append(gap)
        watchCount += gap.watches.count
        changes.added.append(gap)
    }

    /// Drops the oldest gaps when there are too many.
    ///
    /// - Parameter watchLimit: the most alerts in all gaps together.
    mutating func trim(watchLimit: Int) {
        var (count, watches) = (all.count, watchCount)
        let oldest = all.prefix { gap in
            guard count > Self.capacity || watches > watchLimit else { return false }
            (count, watches) = (count - 1, watches - gap.watches.count)
            return true
        }
        guard !oldest.isEmpty else { return }
        lostCount += oldest.count
        remove(Set(oldest.map(\.id)))
    }

    /// Removes gaps; those that are not there have no effect.
    mutating func remove(_ ids: Set<PriceGap.ID>) {
        let found = ids.intersection(known)
        guard !found.isEmpty else { return }
        known.subtract(found)
        replace(found, by: [])
        all.removeAll { found.contains($0.id) }
        watchCount = all.reduce(0) { $0 + $1.watches.count }
    }

    /// Replaces the alerts of each gap, and removes the gaps that have none left.
    ///
    /// - Parameter kept: some of the alerts of a gap.
    mutating func keepWatches(_ kept: (PriceGap) -> [PriceGap.Watch]) {
        var changed: [PriceGap] = []
        for index in all.indices {
            let watches = kept(all[index])
            guard watches.count < all[index].watches.count else { continue }
            all[index].watches = watches
            changed.append(all[index])
        }
        guard !changed.isEmpty else { return }
        replace(Set(changed.map(\.id)), by: changed.filter { !$0.watches.isEmpty })
        all.removeAll(where: \.watches.isEmpty)
        known = Set(all.map(\.id))
        watchCount = all.reduce(0) { $0 + $1.watches.count }
    }

    private mutating func replace(_ ids: Set<PriceGap.ID>, by others: [PriceGap]) {
        changes.removed.formUnion(ids)
        changes.added.removeAll { ids.contains($0.id) }
        changes.added += others
    }

    /// Takes over gaps that are stored.
    mutating func restore(_ stored: [PriceGap], watchLimit: Int) {
        (all, known, watchCount) = ([], [], 0)
        for gap in stored.sorted(by: { $0.until < $1.until }) { add(gap) }
        trim(watchLimit: watchLimit)
        // They are in the file already, apart from those that there was no room for.
        changes.added = []
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
