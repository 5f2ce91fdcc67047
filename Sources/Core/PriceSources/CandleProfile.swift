package import Time

/// What a source has of past prices: candles of one minute, of one market in each response.
package struct CandleProfile: Equatable, Sendable {
    /// The most candles in a response.
    package var limit: Int
    /// Whether only the newest ``limit`` candles can be had, whatever is asked for.
    package var isNewestOnly = false
    /// The shortest time between two requests that the source tolerates, together with its polls.
    package var spacing: Milliseconds

    /// `spacing` is one second unless the source wants more.
    package init(limit: Int, isNewestOnly: Bool = false, spacing: Milliseconds = .seconds(1)) {
        (self.limit, self.isNewestOnly, self.spacing) = (limit, isNewestOnly, spacing)
    }
}
