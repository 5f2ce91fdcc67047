package import Time

/// What trades did to the price of a market within one minute, as an exchange reports it.
package struct Candle: Equatable, Sendable {
    /// How long a candle is.
    package static let length = Milliseconds.seconds(60)

    /// When the minute began, by the clock of the exchange.
    package var start: WallTime
    /// The price of the first trade.
    package var open: Price
    package var high: Price
    /// Not above ``high``, and greater than 0.
    package var low: Price
    /// The price of the last trade.
    package var close: Price
    /// In the base asset; 0 when nothing was traded, and then the prices are those of an earlier trade.
    package var volume: Price

    /// Prices and volume are taken as they are; that `low` is not above `high` is for the caller to check.
    package init(start: WallTime, open: Price, high: Price, low: Price, close: Price, volume: Price) {
        (self.start, self.open, self.high, self.low, self.close) = (start, open, high, low, close)
        self.volume = volume
    }

    /// When the minute ends; the greatest time there is where that does not fit.
    package var end: WallTime {
        let (sum, overflow) = start.milliseconds.addingReportingOverflow(Self.length.count)
        return WallTime(milliseconds: overflow ? .max : sum)
    }

    /// The whole minutes between two times: the start of the first one and the end of the last; nil when there are
    /// none.
    package static func minutes(from start: WallTime, until end: WallTime) -> Range<WallTime>? {
        guard start.milliseconds >= 0, start < end, end <= .latest else { return nil }
        let first = (start.milliseconds + length.count - 1) / length.count * length.count
        let last = end.milliseconds / length.count * length.count
        return first < last ? WallTime(milliseconds: first)..<WallTime(milliseconds: last) : nil
    }
}
