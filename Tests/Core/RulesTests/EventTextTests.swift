import Events
import Market
import Rules
import Testing
import Time

/// What events of alerts say to people. Spaces inside an amount are no-break spaces.
struct EventTextTests {
    private struct Draft {
        var kind = EventKind.fired
        var price: String? = "101"
        var limit: String?
        var currency = "INR"
        var reason: Reason?
        var notified = true
        var conversion: ConversionEvidence?
        var extreme: String?
        var shown: String?
        var clearFor: Milliseconds?

        func text(_ condition: Condition, place: Int = 0) throws -> String {
            let test = condition.tests[place]
            var event = Occurrence(
                time: WallTime(milliseconds: 0), kind: kind, symbol: Symbol("btcinr"), bound: test.bound,
                severity: .warning, price: try price.map { try Price($0) },
                limit: limit.flatMap { LimitValue($0) } ?? test.limit, currency: Currency(currency),
                conversion: conversion, notified: notified, reason: reason, text: "")
            event.details.clearFor = clearFor
            event.details.extreme = try extreme.map { try Price($0) }
            return test.text(for: event, market: "BTC/INR", shown: shown).replacing("\u{A0}", with: " ")
        }
    }

    private func band(min: String? = nil, max: String? = nil, hysteresis: String? = nil) throws -> Condition {
        .band(
            try Band(
                min: try min.map { try Price($0) }, max: try max.map { try Price($0) },
                hysteresis: try hysteresis.map { .amount(try Price($0)) }))
    }

    private func move(_ direction: Direction, _ distance: Distance) throws -> Condition {
        .move(try Move(direction, by: distance, window: .seconds(900)))
    }

    @Test(arguments: [
        (EventKind.fired, "7500000", "BTC/INR ₹75,00,000.00 is at or above its maximum ₹75,00,000.00"),
        (.repeated, "7500001.5", "BTC/INR ₹75,00,001.50 is still at or above its maximum ₹75,00,000.00"),
        (.resolved, "7460000", "BTC/INR ₹74,60,000.00 is back below its maximum ₹75,00,000.00"),
        (
            .repeated, "7499999",
            "BTC/INR ₹74,99,999.00 has reached its maximum ₹75,00,000.00 "
                + "and has not yet fallen back to ₹74,90,000.00"
        ),
    ])
    func aMaximum(kind: EventKind, price: String, text: String) throws {
        let condition = try band(max: "7500000", hysteresis: "10000")
        #expect(try Draft(kind: kind, price: price).text(condition) == text)
    }

    @Test(arguments: [
        (EventKind.fired, "99", "BTC/INR ₹99.00 is at or below its minimum ₹100.00"),
        (.resolved, "101", "BTC/INR ₹101.00 is back above its minimum ₹100.00"),
        (
            .repeated, "101",
            "BTC/INR ₹101.00 has reached its minimum ₹100.00 and has not yet risen back to ₹102.00"
        ),
    ])
    func aMinimum(kind: EventKind, price: String, text: String) throws {
        #expect(try Draft(kind: kind, price: price).text(try band(min: "100", hysteresis: "2")) == text)
    }

    @Test(arguments: [
        (EventKind.fired, "130", "BTC/INR ₹130.00 is between ₹120.00 and ₹135.00"),
        (.repeated, "135", "BTC/INR ₹135.00 is still between ₹120.00 and ₹135.00"),
        (.repeated, "136", "BTC/INR ₹136.00 has been between ₹120.00 and ₹135.00 and is still close to it"),
        (.resolved, "140", "BTC/INR ₹140.00 is no longer between ₹120.00 and ₹135.00"),
    ])
    func aZone(kind: EventKind, price: String, text: String) throws {
        let zone = try Zone(low: Price("120"), high: Price("135"), hysteresis: .amount(Price("2")))
        #expect(try Draft(kind: kind, price: price).text(.within(zone)) == text)
    }

    @Test(arguments: [
        (EventKind.fired, "94", "BTC/INR fell 6% within 15m, from ₹100.00 to ₹94.00"),
        (.repeated, "93.7", "BTC/INR is still down 6.3% within 15m, from ₹100.00 to ₹93.70"),
        (.resolved, "96", "BTC/INR is no longer down 5% or more within 15m: ₹96.00 is above ₹95.00"),
    ])
    func aFall(kind: EventKind, price: String, text: String) throws {
        let condition = try move(.down, .percent(Price("5")))
        #expect(try Draft(kind: kind, price: price, limit: "95", extreme: "100").text(condition) == text)
    }

    @Test func aRiseByAnAmountNamesItAsMoney() throws {
        let condition = try move(.both, .amount(Price("1500")))
        let draft = Draft(price: "11600", limit: "11500", extreme: "10000", shown: "$124.10")
        #expect(
            try draft.text(condition)
                == "BTC/INR rose ₹1,600.00 (16%) within 15m, from ₹10,000.00 to ₹11,600.00 ($124.10)")
    }

    @Test(arguments: [
        (0, "102", "BTC/INR ₹102.00 crossed above ₹100.00"), (0, "100", "BTC/INR ₹100.00 rose to ₹100.00"),
        (1, "98", "BTC/INR ₹98.00 crossed below ₹100.00"), (1, "100", "BTC/INR ₹100.00 fell to ₹100.00"),
    ])
    func aCrossing(place: Int, price: String, text: String) throws {
        let condition = Condition.cross(try Crossing(.both, over: Price("100")))
        #expect(try Draft(price: price).text(condition, place: place) == text)
    }

    @Test(arguments: [
        (Reason.alreadyBreached, true, " (already there when first seen)"), (.afterGap, true, " (seen after a gap)"),
        (.afterSuspend, true, " (seen after suspend)"), (.cooldown, false, ""), (.silenced, false, ""),
        (.cooldown, true, " (notified now that the cooldown is over)"),
        (.silenced, true, " (notified now that the silence is over)"),
        (.onlyWhile, false, ""), (.onlyWhile, true, " (notified late)"),
        (.disarmed, true, " (notified now that the rule is re-armed)"),
    ])
    func aReasonIsASuffix(reason: Reason, notified: Bool, suffix: String) throws {
        let text = try Draft(reason: reason, notified: notified).text(try band(max: "100"))
        #expect(text == "BTC/INR ₹101.00 is at or above its maximum ₹100.00\(suffix)")
    }

    @Test func aPriceThatIsBackWhileItKeepsFiring() throws {
        let draft = Draft(kind: .repeated, price: "98", extreme: "100", clearFor: .seconds(60))
        let rest = ", but not long enough to resolve"
        #expect(
            try draft.text(try band(max: "100", hysteresis: "1"))
                == "BTC/INR ₹98.00 is back below its maximum ₹100.00\(rest)")
        #expect(
            try draft.text(.within(try Zone(low: Price("100"), high: Price("110"))))
                == "BTC/INR ₹98.00 is no longer between ₹100.00 and ₹110.00\(rest)")
        #expect(
            try draft.text(try move(.down, .percent(Price("5"))))
                == "BTC/INR is no longer down 5% or more within 15m\(rest)")
    }

    /// The price may be beyond the limit again by then.
    @Test func aLateResolutionDoesNotNameThePresentPrice() throws {
        let draft = Draft(kind: .resolved, price: "101", reason: .silenced)
        #expect(
            try draft.text(try band(max: "100"))
                == "BTC/INR was back below its maximum ₹100.00 (notified now that the silence is over)")
        #expect(
            try draft.text(try move(.up, .percent(Price("5"))))
                == "BTC/INR was no longer up 5% or more within 15m (notified now that the silence is over)")
    }

    @Test func thePriceIsGivenInTheCurrencyOfTheDisplayToo() throws {
        let text = try Draft(price: "7500000", shown: "$80,359.42").text(try band(max: "100"))
        #expect(text == "BTC/INR ₹75,00,000.00 ($80,359.42) is at or above its maximum ₹100.00")
        let late = try Draft(kind: .resolved, reason: .silenced, shown: "$1.00").text(try band(max: "100"))
        #expect(!late.contains("$"))
    }

    @Test func aTinyPriceKeepsItsDigits() throws {
        let text = try Draft(price: "0.00041").text(try band(max: "0.0004"))
        #expect(text == "BTC/INR ₹0.00041 is at or above its maximum ₹0.0004")
    }

    @Test func aConvertedPriceIsRoundedUnlessItWouldLookEqualToTheLimit() throws {
        let rate = ConversionEvidence(rate: try Price("0.11"), date: nil, source: "exchange", path: "INR>SEK")
        let condition = try band(max: "100")
        let rounded = try Draft(price: "101.123456789", currency: "SEK", conversion: rate).text(condition)
        #expect(rounded == "BTC/INR 101,12 kr is at or above its maximum 100,00 kr")
        let close = try Draft(kind: .resolved, price: "99.9999123456", currency: "SEK", conversion: rate)
            .text(condition)
        #expect(close == "BTC/INR 99,9999123456 kr is back below its maximum 100,00 kr")
        let peg = ConversionEvidence(rate: try Price("1"), date: nil, source: "peg", path: "USDT>USD")
        let pegged = try Draft(price: "101.1234567", currency: "USD", conversion: peg).text(condition)
        #expect(pegged == "BTC/INR $101.12 is at or above its maximum $100.00")
    }

    @Test(arguments: [
        (Bound.max, "maximum ₹1.00", "maximum"), (.min, "minimum ₹1.00", "minimum"),
        (.rise, "rise to ₹1.00", "rise"),
        (.within, "zone ₹1.00", "zone"), (.fall, "fall to ₹1.00", "fall"),
    ])
    func aBoundHasATitle(bound: Bound, titled: String, bare: String) {
        #expect(bound.title(["₹1.00"]) == titled)
        #expect(bound.title([]) == bare)
        #expect(Bound.within.title(["₹1.00", "₹2.00"]) == "zone ₹1.00 to ₹2.00")
    }
}
