package import Events
internal import Market
internal import Time

extension AlertTest {
    /// Returns the text of an event about a limit that was reached while prices were not available: `BTC/INR reached
    /// ₹75,10,000.00, at or above its maximum ₹75,00,000.00, between 02:10 and 02:14 UTC, while prices were not
    /// available`.
    ///
    /// - Parameters:
    ///   - event: The event, with the time in its details; its own text is ignored.
    ///   - market: The market's name for people: `BTC/INR`.
    ///   - own: The rule's own text, which replaces the first part.
    ///   - shown: The formatted price in the display currency; nil if it is the same currency.
    /// - Returns: The text, on one line.
    package func text(touched event: Occurrence, market: String, own: String?, shown: String?) -> String {
        let when = [event.touchedTime, "while prices were not available"].compactMap(\.self).joined(separator: ", ")
        if let own { return "\(own) (reached \(when))" }
        let title = bound.title(event.amounts.limits)
        guard let price = event.amounts.price, bound != .within else {
            return "\(market) reached its \(title) \(when)"
        }
        let side = bound == .min ? "below" : "above"
        let aside = shown.map { " (\($0))" } ?? ""
        return "\(market) reached \(price)\(aside), at or \(side) its \(title), \(when)"
    }
}

extension Occurrence {
    /// `between 02:10 and 02:14 UTC`, with the dates unless both are on the day of the event; nil for other events.
    fileprivate var touchedTime: String? {
        guard let from = details.touchedFrom, let until = details.touchedUntil else { return nil }
        let hasDates = from.date != time.date || until.date != time.date
        let texts = [from, until].map { moment in
            let text = "\(moment)"
            let clock = text.dropFirst(11).prefix(5)
            return hasDates ? "\(text.prefix(10)) \(clock)" : "\(clock)"
        }
        return "between \(texts[0]) and \(texts[1]) UTC"
    }
}
