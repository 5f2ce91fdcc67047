internal import Market
internal import Time

extension Condition: CustomStringConvertible {
    /// The condition in the words of the settings file: `min 4800000 max 7500000 hysteresis 0.5%`.
    package var description: String {
        text({ $0 }, distance: { $0 })
    }

    /// The same with numbers that have no zeros at their end: equal for conditions that are equal.
    var meaning: String {
        text(\.reduced, distance: \.reduced)
    }

    private func text(_ price: (Price) -> Price, distance: (Distance) -> Distance) -> String {
        let key = keys.first?.rawValue ?? ""
        let parts: [String?] =
            switch self {
            case .band(let band):
                [
                    band.min.map { "min \(price($0.price))" }, band.max.map { "max \(price($0.price))" },
                    band.hysteresis.map { "hysteresis \(distance($0))" },
                ]
            case .within(let zone):
                [
                    "within \(price(zone.low.price))..\(price(zone.high.price))",
                    zone.hysteresis.map { "hysteresis \(distance($0))" },
                ]
            case .move(let move): ["\(key) \(distance(move.distance)) window \(move.window)"]
            case .cross(let crossing): ["\(key) \(price(crossing.limit))"]
            }
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension Rule {
    /// The condition and its modifiers in the words of the settings file, with the defaults left out.
    package var terms: String {
        let parts: [String?] = [
            condition.description, price == .last ? nil : "price \(price.rawValue)",
            hold == .zero ? nil : "for \(hold)", notification.repeatAfter.map { "repeat \($0)" },
            notification.cooldown == .zero ? nil : "cooldown \(notification.cooldown)",
            notification.once ? "once" : nil,
            expires.map { "expires \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
