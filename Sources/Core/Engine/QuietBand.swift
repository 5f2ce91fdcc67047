internal import Events
internal import ExchangeRates
package import Market
internal import Rules
package import Time

/// The prices of a symbol, and the time, at which none of its alerts has to be looked at: strictly between two prices,
/// short of each move, and before something expires.
package struct QuietBand: Sendable {
    /// The symbol's.
    fileprivate let number: Int
    /// In units of 10^-18, both outside.
    fileprivate var low = Int128.min
    fileprivate var high = Int128.max
    /// When the first of the rules expires that has not yet.
    fileprivate let end: WallTime
    fileprivate var moves: [QuietMove] = []
    /// Whether prices that are left out have to be given to windows.
    package let hasWindows: Bool

    /// Whether a last price, in the market's own currency, is between the two at a time before the end.
    package func contains(_ price: Price, at time: WallTime) -> Bool {
        let units = price.units
        return units > low && units < high && time < end
    }
}

/// A move that an alert waits for.
private struct QuietMove: Sendable {
    let input: Int
    let window: Int
    let ratio: Ratio
    let isRise: Bool
}

extension RuleEngine {
    /// The prices that change nothing but what was seen last, as long as rates and silences stay the same.
    ///
    /// - Returns: nil for a symbol whose next price may change something, whatever it is.
    package func quietBand(of symbol: Symbol) -> QuietBand? {
        guard silences.isEmpty, let number = symbols.number(of: symbol) else { return nil }
        let state = symbols[number]
        guard !state.presence.isVacant, state.presence.goneSince == nil, !state.mustEnd else { return nil }
        // A route over a market's price is found again with each response.
        guard state.inputs.allSatisfy({ $0.kind != .last || $0.currency == nil || $0.routeVersion != nil }) else {
            return nil
        }
        var band = QuietBand(
            number: number, end: ruleSet.expiry.next ?? WallTime(milliseconds: .max),
            hasWindows: state.inputs.contains { $0.kind == .last && !$0.windows.isEmpty })
        for (alert, threshold) in zip(state.alerts, state.wake.thresholds)
        where state.inputs[alert.input].kind == .last {
            guard band.leavesOut(alert, threshold) else { return nil }
        }
        return band
    }

    /// Compares a last price with the moves of a band.
    ///
    /// - Parameters:
    ///   - price: the price, in the market's own currency.
    ///   - last: the price before it, which the windows may not have yet.
    ///   - band: the symbol's.
    /// - Returns: whether it is short of all of them.
    package func isShort(_ price: Price, after last: Price, ofMovesIn band: QuietBand) -> Bool {
        // A window may still have prices that are too old by now; with those, more moves look large enough.
        band.moves.allSatisfy { move in
            let window = symbols[band.number].inputs[move.input].windows[move.window]
            if move.isRise {
                return move.ratio.compare(min(window.lowest ?? price, last), to: price) == .greater
            }
            return move.ratio.compare(max(window.highest ?? price, last), to: price) == .less
        }
    }

    /// Gives the windows of a symbol a price that is not evaluated.
    package mutating func takeQuietly(_ price: Price, in band: QuietBand, at time: Instant) {
        symbols[band.number].appendToWindows(price, at: time)
    }
}

extension QuietBand {
    /// Leaves out the prices with which an alert has to be looked at.
    ///
    /// - Returns: false if those are all.
    fileprivate mutating func leavesOut(_ alert: Alert, _ threshold: WakeThreshold) -> Bool {
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
