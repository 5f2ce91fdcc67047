package import Time

/// The prices and volume of the trades in one symbol within one minute, as reported by an exchange.
package struct Candle: Equatable, Sendable {
    /// The length of a candle.
    package static let length = Milliseconds.seconds(60)

    /// The start of the minute, on the clock of the exchange.
    package var start: WallTime
    /// The price of the first trade.
    package var open: Price
    package var high: Price
    /// Not above ``high``, and greater than 0.
    package var low: Price
    /// The price of the last trade.
    package var close: Price
    /// The traded volume in the base asset. If it is 0, there was no trade, and the prices are from an earlier one.
    package var volume: Price

    /// Makes a candle without checks. The caller must ensure that `low` is not above `high`.
    package init(start: WallTime, open: Price, high: Price, low: Price, close: Price, volume: Price) {
        (self.start, self.open, self.high, self.low, self.close) = (start, open, high, low, close)
        self.volume = volume
    }

    /// The end of the minute, or the maximum time if it does not fit.
    package var end: WallTime {
        let (sum, overflow) = start.milliseconds.addingReportingOverflow(Self.length.count)
        return WallTime(milliseconds: overflow ? .max : sum)
    }

    /// Returns the range of whole minutes between two times, or nil if there is no whole minute between them.
    package static func minutes(from start: WallTime, until end: WallTime) -> Range<WallTime>? {
        guard start.milliseconds >= 0, start < end, end <= .latest else { return nil }
        let first = (start.milliseconds + length.count - 1) / length.count * length.count
        let last = end.milliseconds / length.count * length.count
        return first < last ? WallTime(milliseconds: first)..<WallTime(milliseconds: last) : nil
    }
}
