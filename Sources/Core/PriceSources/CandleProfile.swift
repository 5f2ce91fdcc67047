package import Time

/// The past prices of a source: candles of one minute, with one market per response.
package struct CandleProfile: Equatable, Sendable {
    /// Maximum number of candles in a response.
    package var limit: Int
    /// True if the source has only the newest ``limit`` candles, whatever the request asks for.
    package var isNewestOnly = false
    /// The shortest time between two candle requests that the source tolerates while it is also polled.
    package var spacing: Milliseconds

    /// Creates a profile; `spacing` is one second unless the source needs more.
    package init(limit: Int, isNewestOnly: Bool = false, spacing: Milliseconds = .seconds(1)) {
        (self.limit, self.isNewestOnly, self.spacing) = (limit, isNewestOnly, spacing)
    }
}
