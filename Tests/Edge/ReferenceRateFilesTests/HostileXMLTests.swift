import ExchangeRates
import FuzzEntries
import Market
import ReferenceRateFiles
import TestSupport
import Testing

struct HostileXMLTests {
    @Test(arguments: [
        "<!DOCTYPE html><html/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "<!DOCTYPE a PUBLIC 'b' 'http://localhost/c'><a/>",
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
        "<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://localhost/'> %b;]><a/>",
    ])
    func aDocumentTypeIsRefused(text: String) {
        #expect(refusal(text)?.fault == .documentType)
    }

    @Test func aBillionLaughsAreRefusedBeforeTheFirst() {
        let entities = (1...9).map { "<!ENTITY l\($0) '\(String(repeating: "&l\($0 - 1);", count: 10))'>" }
        let laughs = "<!DOCTYPE l [<!ENTITY l0 'lol'>\(entities.joined())]>"
        let file = String(decoding: xml(daily.replacing("1.1684", with: "&l9;")), as: UTF8.self)
        let error = refusal(file.replacing("?>\n", with: "?>\n" + laughs + "\n"))
        #expect(error?.fault == .documentType)
        #expect(error?.line == 2)
    }

    @Test func anEntityThatNobodyDeclaredIsRefused() {
        let error = refusal(xml(daily.replacing("1.1684", with: "&rate;")))
        #expect(error?.fault == .malformedXML("undefined entity"))
    }

    @Test func deepElementsAreRefused() {
        let deep = String(repeating: "<a>", count: 1_000_000)
        #expect(
            refusal("<e:Envelope xmlns:e='http://www.gesmes.org/xml/2002-08-01'>" + deep)?.fault == .tooDeep(limit: 16))
    }

    @Test func hugeNamesValuesAndTextsAreRefused() {
        let huge = String(repeating: "a", count: 300)
        for (old, new) in [
            ("'1.1684'", "'\(huge)'"), ("currency='USD'", "currency='USD' \(huge)='1'"),
            ("<Cube currency='USD'", "<\(huge) currency='USD'"),
        ] {
            #expect(refusal(xml(daily.replacing(old, with: new)))?.fault == .tooLong(limit: 256))
        }
        let file = String(decoding: xml(daily), as: UTF8.self)
        #expect(refusal(file.replacing("Made-up", with: huge))?.fault == .tooLong(limit: 256))
    }

    @Test func manyAttributesAreRefused() {
        let many = (0..<100_000).map { " a\($0)='1'" }.joined()
        #expect(
            refusal(xml(daily.replacing("'USD'", with: "'USD'" + many)))?.fault == .tooManyAttributes(limit: 16))
        let file = String(decoding: xml(daily), as: UTF8.self)
        let names = String(repeating: "<name>n</name>", count: 17)
        #expect(refusal(file.replacing("<Cube>\n", with: names + "<Cube>\n"))?.fault == .tooManyAttributes(limit: 16))
    }

    @Test func manyDatesAndCurrenciesAreRefused() throws {
        var limits = RateFileLimits()
        limits.dateCount = 1
        #expect(refusal(xml(history), limits: limits)?.fault == .tooManyDates(limit: 1))
        limits = RateFileLimits()
        limits.currencyCount = 2
        #expect(refusal(xml(history), limits: limits) == nil)
        #expect(refusal(xml(daily), limits: limits)?.fault == .tooManyCurrencies(limit: 2))
        limits.byteCount = xml(history).count
        #expect(refusal(xml(history), limits: limits) == nil)
        #expect(refusal(xml(history) + [0x0A], limits: limits)?.fault == .tooManyBytes(limit: limits.byteCount))
    }

    @Test(arguments: [
        [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x00], [0x01],
    ])
    func bytesThatAreNoTextAreRefused(bytes: [UInt8]) throws {
        for place in ["Made-up Bank", "USD", "2026-04-13"] {
            let file = xml(daily)
            let found = try #require(file.firstRange(of: Array(place.utf8)))
            let error = refusal(Array(file[..<found.lowerBound]) + bytes + file[found.upperBound...])
            #expect(error?.fault == .malformedXML("not well-formed (invalid token)"))
        }
    }

    @Test func theEncodingThatAFileDeclaresDoesNotCount() throws {
        let good = try RateHistory(xml: xml(daily))
        for name in ["UTF-16", "ISO-8859-1", "x-unknown"] {
            let text = String(decoding: xml(daily), as: UTF8.self).replacing("UTF-8", with: name)
            #expect(try RateHistory(file: Array(text.utf8)) == good)
        }
        // Two bytes a character are recognized by themselves.
        #expect(try RateHistory(xml: [0xFF, 0xFE] + xml(daily).flatMap { [$0, 0] }) == good)
    }

    @Test func aByteOrderMarkDoesNotMatter() throws {
        #expect(try RateHistory(file: [0xEF, 0xBB, 0xBF] + xml(daily)) == RateHistory(xml: xml(daily)))
    }

    @Test func aFileCutOffAnywhereIsRefused() {
        let file = xml(history)
        for count in 0..<file.count {
            #expect(refusal(Array(file.prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test func theFuzzersSeedsAreRates() {
        for entry in [FuzzEntry.rateXML, .rateCSV] {
            #expect(entry.seeds().allSatisfy(entry.run) && !entry.run([]))
        }
    }

    /// A broken file is refused, or gives valid tables.
    @Test func brokenBytesNeverTrap() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        let good = xml(history)
        for _ in 0..<3_000 {
            var file = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<file.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: file[index] = .random(in: 0...255, using: &random)
                case 1: file.remove(at: index)
                default:
                    file.insert(
                        contentsOf: good[index % good.count..<min(index % good.count + 20, good.count)], at: index)
                }
            }
            guard let read = try? RateHistory(file: file) else { continue }
            #expect(isSound(read), "seed \(seed)")
        }
    }
}

/// Whether the tables satisfy the guarantees of their type.
func isSound(_ history: RateHistory) -> Bool {
    !history.tables.isEmpty
        && history.tables.allSatisfy { table in
            let rates = table.currencies.map { table[$0] }
            return rates.contains { $0 != nil } && rates.allSatisfy { $0?.isPositive ?? true }
                && Set(table.currencies).count == table.currencies.count && !table.currencies.contains(.euro)
        }
}
