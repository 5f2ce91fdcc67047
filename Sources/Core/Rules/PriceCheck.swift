package import Events
package import Market
package import Time

/// A comparison of two markets, usually of different sources, whose prices should be close to each other: a table
/// `[[check]]`. It never affects an alert.
package struct PriceCheck: Equatable, Sendable {
    /// A market of a source.
    package struct Market: Hashable, Sendable, CustomStringConvertible {
        package var source: SourceName
        package var symbol: Symbol

        package init(_ symbol: Symbol, of source: SourceName) {
            (self.source, self.symbol) = (source, symbol)
        }

        /// Formats as `kraken:btcusd`.
        package var description: String { "\(source):\(symbol)" }
    }

    /// Unique among the checks.
    package var name: String
    package var first: Market
    /// The market that ``first`` is compared with.
    package var second: Market
    /// The largest difference that is not reported, in per cent of the price of ``second``; greater than 0.
    package var within: Price
    /// Duration for which the prices must differ by more than ``within``, or by less again, before the change is
    /// reported.
    package var hold: Milliseconds
    package var severity: Severity

    package init(
        name: String, _ first: Market, _ second: Market, within: Price, hold: Milliseconds = .zero,
        severity: Severity = .warning
    ) {
        (self.name, self.first, self.second) = (name, first, second)
        (self.within, self.hold, self.severity) = (within, hold, severity)
    }

    /// The settings that the state of the check depends on. A check whose meaning changes starts over.
    package var meaning: String { "\(first) \(second) within \(within) for \(hold.count)" }

    package func isAbout(_ source: SourceName) -> Bool { first.source == source || second.source == source }
}
