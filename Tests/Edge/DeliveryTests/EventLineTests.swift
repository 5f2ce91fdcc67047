import Control
import Events
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import Delivery

struct EventLineTests {
    static let keys = [
        "number", "time", "kind", "source", "rule", "symbol", "bound", "severity", "price", "limit", "currency",
        "previous",
        "exchange_time", "received", "sample_age_ms", "notified", "reason", "conversion", "text", "silence",
        "sink", "details",
    ]

    @Test func anEventWithAllFactsIsWrittenKeyByKey() throws {
        let expected =
            #"{"number":7,"time":"2026-11-21T06:22:44.123Z","kind":"fired","source":"wazirx","#
            + #""rule":"btc band","symbol":"btcinr","#
            + #""bound":"max","severity":"critical","price":"7500100","limit":"7500000.50","currency":"INR","#
            + #""previous":{"time":"2026-11-21T06:22:14.001Z","price":"7499000.0"},"#
            + #""exchange_time":"2026-11-21T06:22:42.000Z","received":"2026-11-21T06:22:44.123Z","#
            + #""sample_age_ms":2123,"notified":true,"reason":"already_breached","conversion":null,"#
            + #""text":"BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00","#
            + #""silence":null,"sink":null,"details":null}"#
            + "\n"
        #expect(text(EventRecord(try fullEvent()).line) == expected)
    }

    @Test func aConversionIsAnObject() throws {
        var occurrence = try fullEvent().occurrence
        occurrence.conversion = ConversionEvidence(
            rate: try Price("0.105"), date: CivilDate("2026-11-20"), source: "ecb", path: "INR>EUR>SEK")
        let line = text(EventRecord(Event(number: 1, occurrence: occurrence)).line)
        let expected = #"{"rate":"0.105","date":"2026-11-20","source":"ecb","path":"INR>EUR>SEK"}"#
        #expect(line.contains(#""conversion":\#(expected),"text":"#))
    }

    @Test(
        arguments: zip(
            EventKind.allCases,
            [
                "fired", "resolved", "repeated", "touched", "feed_stale", "feed_recovered", "symbol_frozen",
                "symbol_missing", "symbol_returned", "rules_changed", "store_failed", "store_recovered",
                "receiver_failed", "receiver_recovered", "diverged", "converged", "test",
            ]))
    func whatAnEventDoesNotHaveIsNull(kind: EventKind, word: String) {
        let expected =
            #"{"number":1,"time":"2026-11-21T06:22:44.123Z","kind":"\#(word)","source":null,"rule":null,"symbol":null,"#
            + #""bound":null,"severity":"warning","price":null,"limit":null,"currency":null,"previous":null,"#
            + #""exchange_time":null,"received":null,"sample_age_ms":null,"notified":false,"reason":null,"#
            + #""conversion":null,"text":"what it is","silence":null,"sink":null,"details":null}"# + "\n"
        #expect(text(EventRecord(bareEvent(kind, notified: false)).line) == expected)
    }

    @Test(
        arguments: zip(
            [
                "\"", "\\", "\n", "\r\n", "\t", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{80}", "\u{9B}31m", "\u{9F}",
                "\u{A0}", "\u{2028}", "\u{2029}", "é", "₹", "🪙", "/", "",
            ],
            [
                #"\""#, #"\\"#, #"\n"#, #"\r\n"#, #"\t"#, #"\u0000"#, #"\u001b[31m"#, #"\u007f"#, #"\u0080"#,
                #"\u009b31m"#, #"\u009f"#, "\u{A0}", #"\u2028"#, #"\u2029"#, "é", "₹", "🪙", "/", "",
            ]))
    func whatCouldActOnATerminalIsEscaped(raw: String, escaped: String) {
        let line = text(EventRecord(bareEvent(.fired, text: raw)).line)
        #expect(line.hasSuffix(#","text":"\#(escaped)","silence":null,"sink":null,"details":null}"# + "\n"))
    }

    @Test func anotherReaderOfJSONGetsTheSameFacts() throws {
        let raw = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init))) + "\u{2028}🪙"
        let line = EventRecord(try fullEvent(number: .max, text: raw)).line
        #expect(line.filter { $0 == 0x0A }.count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(Set(object.keys) == Set(Self.keys))
        #expect(object["text"] as? String == raw)
        #expect((object["number"] as? NSNumber)?.int64Value == .max)
        #expect(object["sample_age_ms"] as? Int == 2_123)
        #expect(object["notified"] as? Bool == true)
        #expect(object["conversion"] is NSNull)
        #expect((object["previous"] as? [String: String])?["price"] == "7499000.0")
    }

    @Test func theKeysComeInOneOrder() throws {
        let line = text(EventRecord(bareEvent(.rulesChanged)).line)
        let places = Self.keys.map { line.range(of: "\"\($0)\":")?.lowerBound }
        let found = places.compactMap(\.self)
        #expect(found.count == Self.keys.count)
        #expect(found == found.sorted())
    }
}
