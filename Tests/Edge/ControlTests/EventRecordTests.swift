import Control
import Events
import Market
import Testing
import Time

@Suite struct EventRecordTests {
    @Test func carriesTheEvidence() throws {
        let occurrence = Occurrence(
            time: WallTime(milliseconds: 1_000), kind: .fired, rule: "r", symbol: Symbol("btcinr"), bound: .max,
            severity: .critical, price: try Price("7500000.10"), limit: .price(try Price("7500000")),
            currency: Currency("INR"),
            previous: PreviousPrice(price: try Price("7499999"), time: WallTime(milliseconds: 500)),
            exchangeTime: WallTime(milliseconds: 900), received: WallTime(milliseconds: 1_000),
            sampleAge: Milliseconds(100), notified: false, reason: .afterGap, text: "words")
        let record = EventRecord(Event(number: 7, occurrence: occurrence))
        let expected = EventRecord(
            number: 7, time: "1970-01-01T00:00:01.000Z", kind: .fired, rule: "r", symbol: "btcinr", bound: .max,
            severity: .critical, price: "7500000.10", limit: "7500000", currency: "INR",
            previous: PricePoint(time: "1970-01-01T00:00:00.500Z", price: "7499999"),
            exchangeTime: "1970-01-01T00:00:00.900Z", received: "1970-01-01T00:00:01.000Z",
            sampleAgeMilliseconds: 100, notified: false, reason: .afterGap, text: "words")
        #expect(record == expected)
    }

    @Test func whatIsNotThereIsNil() {
        let occurrence = Occurrence(
            time: WallTime(milliseconds: 0), kind: .feedStale, severity: .warning, text: "stale")
        let record = EventRecord(Event(number: 1, occurrence: occurrence))
        #expect(
            record
                == EventRecord(
                    number: 1, time: "1970-01-01T00:00:00.000Z", kind: .feedStale, severity: .warning,
                    notified: true, text: "stale"))
    }
}
