import Events
import Market
import Rules
import Testing
import Time

/// The list from which settings, help and checks of conditions are made.
struct ConditionKindTests {
    private func condition(_ key: ConditionKey) throws -> Condition {
        let price = try Price("100")
        return switch key.kind {
        case .band: .band(try Band(min: key == .min ? price : nil, max: key == .max ? price : nil))
        case .within: .within(try Zone(low: price, high: Price("120")))
        case .move: .move(try Move(key.direction, by: .percent(Price("5")), window: .seconds(300)))
        case .cross: .cross(try Crossing(key.direction, over: price))
        }
    }

    @Test(arguments: ConditionKey.allCases)
    func aKeyMakesAConditionThatKnowsIt(key: ConditionKey) throws {
        let condition = try condition(key)
        #expect(condition.keys == [key])
        #expect(condition.kind == key.kind)
        #expect(condition.tests.map(\.bound) == key.bounds)
        #expect(condition.description.hasPrefix("\(key.rawValue) "))
    }

    @Test func aBandWithBothLimitsHasBothKeys() throws {
        let condition = Condition.band(try Band(min: Price("100"), max: Price("120")))
        #expect(condition.keys == [.min, .max])
    }

    @Test func everyBoundHasAKey() {
        #expect(Set(ConditionKey.allCases.flatMap(\.bounds)) == Set(Bound.allCases))
    }

    @Test func eachModifierGoesWithSomeKinds() {
        #expect(ConditionModifier.window.conditions == [.rise, .fall, .move])
        #expect(ConditionModifier.hysteresis.conditions == [.min, .max, .within])
        #expect(!ConditionModifier.hold.conditions.contains(.cross))
        #expect(ConditionKind.cross.modifiers.isEmpty)
    }

    @Test func limitsKnowTheirKeyAndSide() throws {
        let band = Condition.band(try Band(min: Price("100"), max: Price("120"))).limits
        #expect(band.map(\.key) == [.min, .max])
        #expect(band.map(\.approach) == [.fromAbove, .fromBelow])
        let cross = try condition(.cross).limits
        #expect(cross.map(\.key) == [.cross])
        #expect(cross.map(\.approach) == [nil])
        #expect(try condition(.within).limits.map(\.price) == [Price("100"), Price("120")])
        #expect(try condition(.move).limits.isEmpty)
    }

    @Test func onlyBandsAndZonesTakeAHysteresis() throws {
        let hysteresis = Distance.amount(try Price("2"))
        for key in ConditionKey.allCases {
            let changed = try condition(key).with(hysteresis: hysteresis)
            #expect(changed?.hysteresis == (key.kind.modifiers.contains(.hysteresis) ? hysteresis : nil))
        }
        #expect(try condition(.max).with(hysteresis: .amount(Price("100"))) == nil)
    }

    @Test func aMoveKnowsItsWindowAndDistance() throws {
        #expect(try condition(.fall).window == .seconds(300))
        #expect(try condition(.fall).distance?.key == .fall)
        #expect(try condition(.max).window == nil)
    }

    @Test(arguments: [("max", "90", "10"), ("max", "110", "-10"), ("min", "110", "10"), ("within", "125", "5")])
    func theWayBackIsPositiveOutside(key: String, price: String, way: String) throws {
        let test = try condition(try #require(ConditionKey(rawValue: key))).tests[0]
        #expect(test.wayBack(to: try Price(price)) == (try Price(way)))
    }

    @Test func theKeysOfAllKindsAsText() {
        #expect(
            ConditionKind.text
                == "`min` and/or `max`, or `within`, or one of `rise`, `fall` and `move` with a `window`, "
                + "or one of `cross`, `cross_up` and `cross_down`")
        #expect(ConditionKind.allCases.filter(\.isMomentary) == [.cross])
    }

    @Test func crossingsAreMomentary() {
        #expect(Bound.allCases.filter(\.isMomentary) == [.crossUp, .crossDown])
        #expect(Bound.list == "min, max, within, rise, fall, cross_up or cross_down")
    }
}
