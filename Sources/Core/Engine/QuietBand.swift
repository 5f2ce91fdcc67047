internal import Events
internal import ExchangeRates
package import Market
internal import Rules
package import Time

/// A range of prices for which no alert of a symbol has to be checked: strictly between two limits, short of every
/// move, and before the next rule expires.
package struct QuietBand: Sendable {
    /// The number of the symbol.
    fileprivate let number: Int
    /// Exclusive, in units of 10^-18.
    fileprivate var low = Int128.min
    fileprivate var high = Int128.max
    /// When the next rule expires.
    fileprivate let end: WallTime
    fileprivate var moves: [QuietMove] = []
    /// True if skipped prices have to be appended to windows.
    package let hasWindows: Bool

    /// True for a last price, in the market's currency, strictly between the limits. Moves are not checked.
    package func contains(_ price: Price, at time: WallTime) -> Bool {
        let units = price.units
        return units > low && units < high && time < end
    }
}

/// A move that has not been reached, with its threshold ratio.
private struct QuietMove: Sendable {
    let input: Int
    let window: Int
    let ratio: Ratio
    let isRise: Bool
}

extension RuleEngine {
    /// Returns the band of a symbol, valid until another price is evaluated, or rates or silences change.
    ///
    /// - Returns: nil if the next price must be evaluated in any case.
    package func quietBand(of symbol: Symbol) -> QuietBand? {
        guard silences.isEmpty, let number = symbols.number(of: symbol) else { return nil }
        let state = symbols[number]
        guard !state.presence.isVacant, state.presence.goneSince == nil, !state.mustEnd else { return nil }
        // A route that uses a market price is found again with each response.
        guard state.inputs.allSatisfy({ $0.kind != .last || $0.currency == nil || $0.routeVersion != nil }) else {
            return nil
        }
        var band = QuietBand(
            number: number, end: ruleSet.expiry.next ?? WallTime(milliseconds: .max),
            hasWindows: state.inputs.contains { $0.kind == .last && !$0.windows.isEmpty })
        for (alert, threshold) in zip(state.alerts, state.wake.thresholds)
        where state.inputs[alert.input].kind == .last {
            guard band.exclude(alert, threshold) else { return nil }
        }
        return band
    }

    /// Compares a last price with the moves of a band.
    ///
    /// - Parameters:
    ///   - price: the price, in the market's currency.
    ///   - last: the price before it, which the windows may not have yet.
    ///   - band: the band of the symbol.
    /// - Returns: true if the price is short of all moves.
    package func isShort(_ price: Price, after last: Price, ofMovesIn band: QuietBand) -> Bool {
        // Windows may still have expired prices. Those can only make a move look larger.
        band.moves.allSatisfy { move in
            let window = symbols[band.number].inputs[move.input].windows[move.window]
            if move.isRise {
                return move.ratio.compare(min(window.lowest ?? price, last), to: price) == .greater
            }
            return move.ratio.compare(max(window.highest ?? price, last), to: price) == .less
        }
    }

    /// Appends a skipped price to the windows of a symbol.
    package mutating func appendToWindows(_ price: Price, in band: QuietBand, at time: Instant) {
        symbols[band.number].appendToWindows(price, at: time)
    }
}

extension QuietBand {
    /// Excludes the prices for which an alert must be checked.
    ///
    /// - Returns: false if the alert must be checked for every price.
    fileprivate mutating func exclude(_ alert: Alert, _ threshold: WakeThreshold) -> Bool {
        switch threshold.kind {
        case .closed: break
        case .atLeast: high = min(high, threshold.level)
        case .atMost: low = max(low, threshold.level)
        case .open:
            guard case .inactive(_, false) = alert.state, let window = alert.window, let move = alert.test.move,
                let ratios = move.ratios
            else { return false }
            let isRise = alert.test.bound.approach == .fromBelow
            moves.append(
                QuietMove(
                    input: alert.input, window: window, ratio: isRise ? ratios.up : ratios.down, isRise: isRise))
        }
        return true
    }
}

extension SymbolState {
    fileprivate mutating func appendToWindows(_ price: Price, at time: Instant) {
        for input in inputs.indices where inputs[input].kind == .last {
            for window in inputs[input].windows.indices { inputs[input].windows[window].append(price, at: time) }
        }
    }
}
