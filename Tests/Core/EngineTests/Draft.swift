import Market
import Rules
import TestSupport
import Time

/// A rule on `btcinr` as few words, for tables of tests.
struct Draft: Sendable {
    enum Kind: Sendable {
        case min(String)
        case max(String)
        case within(String, String)
        case rise(String, String)
        case fall(String, String)
        case move(String, String)
        case crossUp(String)
        case crossDown(String)
        case cross(String)
    }

    var kind: Kind
    var hysteresis: String?
    var hold = "0s"
    var keepFiring = "0s"
    var repeatAfter: String?
    var cooldown = "0s"
    var once = false
    var onlyWhile: String?
    /// How long after the start of a timeline.
    var expires: String?
    var price = PriceKind.last
    var currency: String?
    var message: String?

    func rule(_ name: String = "rule", symbols: [String] = [Timeline.symbol]) throws -> Rule {
        let end = try expires.map { try required(Milliseconds($0)) }
        var rule = Rule(
            name: name, symbols: symbols.compactMap(SymbolPattern.init), condition: try condition(),
            currency: currency.flatMap(Currency.init), price: price, hold: try required(Milliseconds(hold)),
            notification: NotificationPolicy(
                repeatAfter: repeatAfter.flatMap(Milliseconds.init), cooldown: try required(Milliseconds(cooldown)),
                once: once, onlyWhile: onlyWhile),
            expires: end.map { WallTime(milliseconds: Timeline.start.wall.milliseconds + $0.count) },
            message: try message.map { try MessageTemplate($0) })
        rule.keepFiring = try required(Milliseconds(keepFiring))
        return rule
    }

    private func condition() throws -> Condition {
        let hysteresis = try hysteresis.map(Self.distance)
        switch kind {
        case .min(let price): return .band(try Band(min: Price(price), max: nil, hysteresis: hysteresis))
        case .max(let price): return .band(try Band(min: nil, max: Price(price), hysteresis: hysteresis))
        case .within(let low, let high):
            return .within(try Zone(low: Price(low), high: Price(high), hysteresis: hysteresis))
        case .rise(let distance, let window): return try Self.move(.up, distance, window)
        case .fall(let distance, let window): return try Self.move(.down, distance, window)
        case .move(let distance, let window): return try Self.move(.both, distance, window)
        case .crossUp(let price): return .cross(try Crossing(.up, over: Price(price)))
        case .crossDown(let price): return .cross(try Crossing(.down, over: Price(price)))
        case .cross(let price): return .cross(try Crossing(.both, over: Price(price)))
        }
    }

    private static func move(_ direction: Direction, _ distance: String, _ window: String) throws -> Condition {
        .move(try Move(direction, by: Self.distance(distance), window: required(Milliseconds(window))))
    }

    private static func distance(_ text: String) throws -> Distance {
        text.hasSuffix("%") ? .percent(try Price(String(text.dropLast()))) : .amount(try Price(text))
    }
}
