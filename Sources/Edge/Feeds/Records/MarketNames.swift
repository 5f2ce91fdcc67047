internal import Market

/// A map from the names that a source uses to markets. The markets of the last response are kept, so that a response
/// in the same order needs no memory and no work except comparisons.
struct MarketNames {
    /// The names of the last response, one after the other: the two arguments of ``recall(_:_:)`` for each ticker.
    private var bytes: [UInt8] = []
    /// The ends of the two names of each ticker in ``bytes``.
    private var ends: [(first: Int, second: Int)] = []
    private var markets: [ListedMarket?] = []
    private var index = 0

    /// Begins a new response.
    mutating func begin() {
        index = 0
    }

    /// The result of comparing names with those at the same position in the last response.
    enum Memory {
        /// The names are the same. The value is their market, or nil if they are invalid.
        case known(ListedMarket?)
        case other
    }

    /// Looks up the names of the next ticker. After ``Memory/other``, call ``remember(_:_:_:)``.
    ///
    /// - Parameters:
    ///   - first: The name of the ticker.
    ///   - second: A value that the market also depends on, such as the quote asset; may be empty.
    /// - Returns: The market, if it is known.
    mutating func recall(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Memory {
        guard index < ends.count else { return .other }
        let begin = index == 0 ? 0 : ends[index - 1].second
        guard isEqual(first, begin, ends[index].first), isEqual(second, ends[index].first, ends[index].second) else {
            bytes.removeSubrange(begin...)
            ends.removeSubrange(index...)
            markets.removeSubrange(index...)
            return .other
        }
        defer { index += 1 }
        return .known(markets[index])
    }

    /// Stores the market of the next ticker's names.
    mutating func remember(_ first: Span<UInt8>, _ second: Span<UInt8>, _ market: ListedMarket?) {
        for place in first.indices { bytes.append(first[place]) }
        let middle = bytes.count
        for place in second.indices { bytes.append(second[place]) }
        ends.append((middle, bytes.count))
        markets.append(market)
        index += 1
    }

    private func isEqual(_ text: Span<UInt8>, _ begin: Int, _ end: Int) -> Bool {
        guard text.count == end - begin else { return false }
        for place in text.indices where bytes[begin + place] != text[place] { return false }
        return true
    }
}
