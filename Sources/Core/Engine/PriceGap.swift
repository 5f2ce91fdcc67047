package import Events
package import Market
package import Time

/// A period without prices for a symbol, and the alerts that may have missed a breach in it.
package struct PriceGap: Equatable, Sendable {
    /// An alert that was not firing before the gap.
    package struct Watch: Hashable, Sendable {
        package var rule: String
        /// `min`, `max` or `within`; candles cannot decide other bounds.
        package var bound: Bound
        /// The limit at the end of the gap. If the limit has changed since, the gap no longer concerns the alert.
        package var limit: LimitValue
        /// The currency of the rule; nil for the market's currency.
        package var currency: Currency?

        package init(rule: String, bound: Bound, limit: LimitValue, currency: Currency?) {
            (self.rule, self.bound, self.limit, self.currency) = (rule, bound, limit, currency)
        }
    }

    /// Identifies a gap.
    package struct ID: Hashable, Sendable {
        package var symbol: Symbol
        /// When the last usable price before the gap was received.
        package var since: WallTime
        /// When the first usable price after the gap was received. For a rule whose currency could not be converted
        /// at that time, this is later than for other rules.
        package var until: WallTime

        package init(symbol: Symbol, since: WallTime, until: WallTime) {
            (self.symbol, self.since, self.until) = (symbol, since, until)
        }
    }

    package var id: ID
    /// The last usable price before the gap, in the market's currency.
    package var before: Price
    /// In the order of the rules, then of their bounds; never empty.
    package var watches: [Watch]

    package init(id: ID, before: Price, watches: [Watch]) {
        (self.id, self.before, self.watches) = (id, before, watches)
    }

    package var symbol: Symbol { id.symbol }
    package var until: WallTime { id.until }

    /// The longest part of a gap that is looked up, counted back from its end. 7 days are 10,080 candles.
    package static let longest = Milliseconds.seconds(7 * 86_400)

    /// The whole minutes to look up; nil if there are none.
    package var minutes: Range<WallTime>? {
        let (earliest, isShort) = until.milliseconds.subtractingReportingOverflow(Self.longest.count)
        guard !isShort else { return nil }
        return Candle.minutes(from: max(id.since, WallTime(milliseconds: earliest)), until: until)
    }
}

/// Changes of the list of gaps that have yet to be looked up.
package struct GapChanges: Equatable, Sendable {
    /// True if ``added`` is the complete list.
    package var isWhole = false
    /// Gaps that were removed, or are replaced by one in ``added``.
    package var removed: Set<PriceGap.ID> = []
    /// New gaps, and those that replace one in ``removed``.
    package var added: [PriceGap] = []

    package init() {}

    package var isEmpty: Bool { !isWhole && removed.isEmpty && added.isEmpty }
}

/// The gaps that have yet to be looked up, oldest first, and the changes since the last save.
struct GapList: Sendable {
    /// The maximum number of gaps: looking up 20,000 takes at least five hours. The number of alerts in all gaps
    /// together has a limit of its own.
    static let capacity = 20_000

    private(set) var all: [PriceGap] = []
    private var known: Set<PriceGap.ID> = []
    /// Number of alerts in all gaps together.
    private(set) var watchCount = 0
    private var changes = GapChanges()
    /// Number of gaps dropped because there were too many.
    private(set) var lostCount = 0

    func contains(_ id: PriceGap.ID) -> Bool { known.contains(id) }

    /// Adds a gap, or replaces the one with the same ID. The caller must then call ``trim(watchLimit:)``.
    mutating func add(_ gap: PriceGap) {
        if known.contains(gap.id) { remove([gap.id]) }
        known.insert(gap.id)
        all.append(gap)
        watchCount += gap.watches.count
        changes.added.append(gap)
    }

    /// Drops the oldest gaps if there are too many.
    ///
    /// - Parameter watchLimit: the maximum number of alerts in all gaps together.
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

    /// Removes gaps; unknown IDs are ignored.
    mutating func remove(_ ids: Set<PriceGap.ID>) {
        let found = ids.intersection(known)
        guard !found.isEmpty else { return }
        known.subtract(found)
        replace(found, by: [])
        all.removeAll { found.contains($0.id) }
        watchCount = all.reduce(0) { $0 + $1.watches.count }
    }

    /// Replaces the alerts of each gap, and removes gaps without alerts.
    ///
    /// - Parameter kept: returns the alerts of a gap that remain.
    mutating func replaceWatches(_ kept: (PriceGap) -> [PriceGap.Watch]) {
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

    /// Restores stored gaps.
    mutating func restore(_ stored: [PriceGap], watchLimit: Int) {
        (all, known, watchCount) = ([], [], 0)
        for gap in stored.sorted(by: { $0.until < $1.until }) { add(gap) }
        trim(watchLimit: watchLimit)
        // The stored gaps need not be saved again. The gaps dropped above are in `changes.removed`.
        changes.added = []
    }

    /// Drains the changes since the last call, or everything if `isWhole`.
    mutating func takeChanges(isWhole: Bool) -> GapChanges {
        defer { changes = GapChanges() }
        guard isWhole else { return changes }
        var whole = GapChanges()
        (whole.isWhole, whole.added) = (true, all)
        return whole
    }
}
