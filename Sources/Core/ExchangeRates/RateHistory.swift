internal import Market
public import Time

/// A history of reference rates by date, with at least one table.
public struct RateHistory: Hashable, Sendable {
    /// The tables, one per date, oldest first.
    public private(set) var tables: [RateTable]
    /// Attributes of the whole file, such as its subject.
    public let attributes: [RateAttribute]

    /// Makes a history from tables in any order.
    ///
    /// - Returns: nil if there is no table, or if several have the same date.
    public init?(_ tables: [RateTable], attributes: [RateAttribute] = []) {
        let sorted = tables.sorted { $0.date < $1.date }
        guard !sorted.isEmpty, zip(sorted, sorted.dropFirst()).allSatisfy({ $0.date < $1.date }) else { return nil }
        self.tables = sorted
        self.attributes = attributes
    }

    /// The table of the last date.
    public var latest: RateTable { tables[tables.count - 1] }

    /// Returns the table of the rates that applied on a date: the table of that date, or of the last date before it.
    ///
    /// - Returns: nil if all tables are of later dates.
    public func table(on date: CivilDate) -> RateTable? {
        let later = firstIndex(after: date)
        return later > 0 ? tables[later - 1] : nil
    }

    /// Inserts a table, replacing a table of the same date.
    public mutating func insert(_ table: RateTable) {
        let later = firstIndex(after: table.date)
        if later > 0, tables[later - 1].date == table.date {
            tables[later - 1] = table
        } else {
            tables.insert(table, at: later)
        }
    }

    /// Returns the index of the first table after the date, found by binary search.
    private func firstIndex(after date: CivilDate) -> Int {
        var low = 0
        var high = tables.count
        while low < high {
            let middle = low + (high - low) / 2
            if tables[middle].date > date { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
