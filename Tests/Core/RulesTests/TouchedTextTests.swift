import Events
import Market
import Rules
import Testing
import Time

/// The text of a limit that was reached while prices were not available.
struct TouchedTextTests {
    private func text(
        _ condition: Condition, price: String, limit: LimitValue, from: String, until: String, own: String? = nil,
        shown: String? = nil
    ) throws -> String? {
        var event = Occurrence(
            time: try #require(WallTime(rfc3339: "2026-11-21T12:00:00Z")), kind: .touched,
            symbol: Symbol("btcinr"), severity: .warning, price: try Price(price), limit: limit,
            currency: Currency("INR"), text: "")
        event.details.touchedFrom = WallTime(rfc3339: from)
        event.details.touchedUntil = WallTime(rfc3339: until)
        return condition.tests.first?.text(touched: event, market: "BTC/INR", own: own, shown: shown)
    }

    @Test func aMaximumIsReachedFromBelow() throws {
        #expect(
            try text(
                .band(Band(min: nil, max: Price("110"))), price: "112.5", limit: .price(Price("110")),
                from: "2026-11-21T02:10:00Z", until: "2026-11-21T02:14:00Z", shown: "US$1.30")
                == "BTC/INR reached ₹112.50 (US$1.30), at or above its maximum ₹110.00, between 02:10 and "
                + "02:14 UTC, while prices were not available")
    }

    /// On another day than the event, the times have their dates.
    @Test func aMinimumIsReachedFromAbove() throws {
        #expect(
            try text(
                .band(Band(min: Price("90"), max: nil)), price: "90", limit: .price(Price("90")),
                from: "2026-11-20T23:59:00Z", until: "2026-11-21T00:01:00Z")
                == "BTC/INR reached ₹90.00, at or below its minimum ₹90.00, between 2026-11-20 23:59 and "
                + "2026-11-21 00:01 UTC, while prices were not available")
    }

    @Test func aZoneHasNoSide() throws {
        #expect(
            try text(
                .within(Zone(low: Price("50"), high: Price("60"))), price: "40",
                limit: .range(low: Price("50"), high: Price("60")), from: "2026-11-21T02:10:00Z",
                until: "2026-11-21T02:11:00Z")
                == "BTC/INR reached its zone ₹50.00 to ₹60.00 between 02:10 and 02:11 UTC, while prices were not "
                + "available")
    }

    @Test func aTextOfTheUserSaysWhen() throws {
        #expect(
            try text(
                .band(Band(min: nil, max: Price("110"))), price: "112", limit: .price(Price("110")),
                from: "2026-11-21T02:10:00Z", until: "2026-11-21T02:14:00Z", own: "sell!")
                == "sell! (reached between 02:10 and 02:14 UTC, while prices were not available)")
    }
}
