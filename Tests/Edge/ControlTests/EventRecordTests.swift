import Control
import Events
import JSON
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
        #expect(try Event(record) == Event(number: 7, occurrence: occurrence))
    }

    @Test(arguments: [
        ("price", "1,5"), ("currency", "?"), ("time", "noon"), ("kind", "melted"), ("other", "btcusd"),
        ("date", "2026-02-30"), ("limit", "1.."),
    ])
    func aValueThatCannotBeReadIsNamed(field: String, text: String) {
        var record = EventRecord(
            number: 1, time: "1970-01-01T00:00:00.000Z", kind: .fired, severity: .info, notified: true, text: "")
        switch field {
        case "price": record.price = text
        case "currency": record.currency = text
        case "time": record.time = text
        case "kind": record.kind = .init(rawValue: text)
        case "other": record.details = EventDetails(check: "premium", other: text)
        case "date": record.conversion = ConversionRecord(rate: "1", date: text, source: "ecb", path: "INR>EUR")
        default: record.limit = text
        }
        #expect(throws: UnreadableValue(text: field == "other" ? "" : text)) { try Event(record) }
    }

    /// Sums of them would overflow.
    @Test(arguments: [Int.max, Int.min])
    func aNumberThatIsOutOfRangeIsNamed(number: Int) {
        var record = EventRecord(
            number: 1, time: "1970-01-01T00:00:00.000Z", kind: .fired, severity: .info, notified: true, text: "")
        let plain = record
        let unreadable = UnreadableValue(text: "\(number)")
        record.silence = number
        #expect(throws: unreadable) { try Event(record) }
        record = plain
        record.sampleAgeMilliseconds = number
        #expect(throws: unreadable) { try Event(record) }
        for details in [EventDetails(pendingMilliseconds: number), EventDetails(windowMilliseconds: number)] {
            record = plain
            record.details = details
            #expect(throws: unreadable) { try Event(record) }
        }
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

    /// Each detail has a value of its own, so that none can take the place of another.
    @Test func eachDetailIsCarried() throws {
        let time = { (second: Int64) in WallTime(milliseconds: second * 1_000) }
        let author = UserIdentity(id: 1_000, name: "anna")
        var details = DecisionDetails()
        details.clear = .range(low: try Price("1"), high: try Price("2"))
        details.marketPrice = try Price("3")
        details.pendingFor = .seconds(4)
        details.firingSince = time(5)
        details.window = .seconds(6)
        details.extreme = try Price("7")
        details.cooldownEnd = time(8)
        (details.clearFor, details.onlyWhile) = (.seconds(16), "dip")
        details.settingsLimit = try Price("9")
        details.limitBy = "\(author)"
        details.limitSince = time(10)
        (details.touchedFrom, details.touchedUntil) = (time(11), time(12))
        details.divergence = Divergence(
            check: "premium", source: try #require(SourceName("kraken")), symbol: try #require(Symbol("btcusd")),
            price: try Price("13"), percent: try Price("14"), within: try Price("15"))
        details.receiver = "phone"
        var occurrence = Occurrence(time: time(0), kind: .fired, severity: .info, text: "")
        occurrence.details = details
        let second = { (number: Int) in "1970-01-01T00:00:\(number < 10 ? "0" : "")\(number).000Z" }
        let event = Event(number: 1, occurrence: occurrence)
        #expect(try Event(EventRecord(event)) == event)
        #expect(
            EventRecord(event).details
                == EventDetails(
                    clear: "1..2", marketPrice: "3", pendingMilliseconds: 4_000, clearMilliseconds: 16_000,
                    firingSince: second(5),
                    windowMilliseconds: 6_000, extreme: "7", cooldownUntil: second(8), onlyWhile: "dip",
                    settingsLimit: "9",
                    limitBy: "\(author)", limitSince: second(10), touchedFrom: second(11), touchedUntil: second(12),
                    check: "premium", other: "kraken:btcusd", otherPrice: "13", differencePercent: "14",
                    withinPercent: "15", receiver: "phone"))
    }

    @Test func theConversionAndWhoSuppressedItAreCarried() throws {
        var occurrence = Occurrence(
            time: WallTime(milliseconds: 0), kind: .fired, source: SourceName("kraken"), severity: .info,
            received: WallTime(milliseconds: 2_000),
            conversion: ConversionEvidence(
                rate: try Price("0.1"), date: CivilDate("2026-11-20"), source: "ECB",
                path: "INR>EUR>SEK"),
            notified: false, reason: .silenced, silence: 3, text: "")
        (occurrence.exchangeTime, occurrence.sink) = (WallTime(milliseconds: 1_000), "journal")
        let record = EventRecord(Event(number: 1, occurrence: occurrence))
        #expect(try Event(record).occurrence == occurrence)
        #expect(
            record.conversion
                == ConversionRecord(rate: "0.1", date: "2026-11-20", source: "ECB", path: "INR>EUR>SEK"))
        #expect(record.source == "kraken" && record.silence == 3 && record.sink == "journal")
        #expect(record.exchangeTime == "1970-01-01T00:00:01.000Z" && record.received == "1970-01-01T00:00:02.000Z")
    }

    @Test func aLineIsTheRecordAndItsEnd() throws {
        let occurrence = Occurrence(time: WallTime(milliseconds: 0), kind: .test, severity: .info, text: "a\nb")
        let record = EventRecord(Event(number: 1, occurrence: occurrence))
        #expect(record.line.count(where: { $0 == 0x0A }) == 1 && record.line.last == 0x0A)
        #expect(try EventRecord(json: JSONDocument(record.line, limit: 10_000).root) == record)
    }
}
