/// What a source has of past prices: candles of one minute, of one market in each response.
package struct CandleProfile: Equatable, Sendable {
    /// The most candles in a response.
    package var limit: Int
    /// Whether only the newest ``limit`` candles can be had, whatever is asked for.
    package var isNewestOnly = false

    package init(limit: Int, isNewestOnly: Bool = false) {
        (self.limit, self.isNewestOnly) = (limit, isNewestOnly)
    }
}
