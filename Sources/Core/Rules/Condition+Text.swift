package import Market
internal import Time

extension Condition: CustomStringConvertible {
    /// The condition in the syntax of the settings file: `min 4800000 max 7500000 hysteresis 0.5%`.
    package var description: String {
        text(\.description, distance: \.description)
    }

    /// Formats the declaration of relative limits, for people; nil for other conditions.
    private func origin(_ price: (Price) -> String) -> String? {
        guard case .band(let band) = self, let origin = band.origin else { return nil }
        let limits = [origin.min, origin.max].compactMap(\.self).map { $0.text(price) }
        return "(\(limits.joined(separator: " and ")) from \(origin.base.text(price)))"
    }

    /// Formats the condition for people, with amounts as their currency is written, or in plain digits if it is
    /// unknown.
    func text(in currency: Currency?) -> String {
        guard let currency else { return description }
        let money = { (amount: Price) in moneyText(amount, currency, isRounded: false, hasUnicode: true) }
        let text = text(money) { distance in
            if case .amount(let amount) = distance { money(amount) } else { distance.description }
        }
        return text + (origin(money).map { " \($0)" } ?? "")
    }

    /// The condition as text, in which numbers have no trailing zeros, so that equal conditions have equal texts.
    var meaning: String {
        text(\.reduced.description, distance: \.reduced.description)
    }

    private func text(_ price: (Price) -> String, distance: (Distance) -> String) -> String {
        switch self {
        case .band(let band):
            var text = ""
            if let min = band.min { text += "min " + price(min.price) }
            if let max = band.max { text += (text.isEmpty ? "max " : " max ") + price(max.price) }
            if let hysteresis = band.hysteresis { text += " hysteresis " + distance(hysteresis) }
            return text
        case .relative(let band): return band.text(price, distance)
        case .within(let zone):
            return "within \(price(zone.low.price))..\(price(zone.high.price))"
                + (zone.hysteresis.map { " hysteresis \(distance($0))" } ?? "")
        case .move(let move): return "\(key) \(distance(move.distance)) window \(move.window)"
        case .cross(let crossing): return "\(key) \(price(crossing.limit))"
        }
    }

    /// Its first key in a settings file.
    private var key: String { keys.first?.rawValue ?? "" }
}

extension Rule {
    /// The condition and its modifiers in the syntax of the settings file, without defaults.
    package var terms: String { terms(condition.description) }

    /// Formats the terms for people, with amounts as their currency is written.
    ///
    /// - Parameter quote: The quote currency of the markets that the rule matches; nil if they differ or are unknown.
    /// - Returns: The text; amounts are in plain digits if their currency is unknown.
    package func text(quote: Currency?) -> String {
        terms(condition.text(in: currency ?? quote))
    }

    private func terms(_ condition: String) -> String {
        let parts: [String?] = [
            condition, price == .last ? nil : "price \(price.rawValue)",
            hold == .zero ? nil : "for \(hold)", keepFiring == .zero ? nil : "keep_firing_for \(keepFiring)",
            notification.repeatAfter.map { "repeat \($0)" },
            notification.cooldown == .zero ? nil : "cooldown \(notification.cooldown)",
            notification.onlyWhile.map { "only_while '\($0)'" }, notification.once ? "once" : nil,
            expires.map { "expires \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
