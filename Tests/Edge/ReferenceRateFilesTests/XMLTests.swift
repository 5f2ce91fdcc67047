import ExchangeRates
import Market
import ReferenceRateFiles
import Testing

struct XMLTests {
    @Test func aDayIsRead() throws {
        let history = try RateHistory(xml: xml(daily))
        #expect(history.tables.count == 1)
        #expect(history.latest.date == (try day(2026, 4, 13)))
        #expect(history.latest.source == "Made-up Bank")
        #expect(history.latest.currencies.map(\.description) == ["USD", "SEK", "INR"])
        #expect(["USD", "SEK", "INR"].map(history.latest.text) == ["1.1684", "10.8920", "109.0470"])
    }

    @Test func datesMayHaveDifferentCurrencies() throws {
        let tables = try RateHistory(xml: xml(history)).tables
        #expect(tables.map(\.date) == [try day(2026, 4, 10), try day(2026, 4, 13)])
        #expect(tables.map { $0.text("BGN") } == ["1.9558", nil])
        #expect(tables.map { $0.text("SEK") } == [nil, "10.8920"])
    }

    @Test(arguments: ["'", "\""], ["\n", "\r\n", "\r", ""])
    func quotesAndLineEndsDoNotMatter(quote: String, lineEnd: String) throws {
        let text = String(decoding: xml(daily), as: UTF8.self)
        let changed = text.split(separator: "\n").map { line in
            line.hasPrefix("<Cube") ? String(line).replacing("'", with: quote) : String(line)
        }
        let read = try RateHistory(xml: Array(changed.joined(separator: lineEnd).utf8))
        #expect(read == (try RateHistory(xml: xml(daily))))
    }

    @Test func attributesMayStandInAnyOrderOnSeveralLines() throws {
        let text = daily.replacing(" currency='USD' rate='1.1684'", with: "\n\trate = '1.1684'\n\tcurrency = 'USD'\n")
        #expect(try RateHistory(xml: xml(text)) == RateHistory(xml: xml(daily)))
    }

    @Test func namesOfNamespacesDoNotMatter() throws {
        let text = String(decoding: xml(daily), as: UTF8.self)
            .replacing("gesmes:", with: "g:").replacing(":gesmes", with: ":g")
            .replacing("Cube", with: "ecb:Cube").replacing(" xmlns=", with: " xmlns:ecb=")
        #expect(try RateHistory(xml: Array(text.utf8)) == RateHistory(xml: xml(daily)))
    }

    @Test func everyAttributeIsKept() throws {
        let text = daily.replacing("time=", with: "kind='final' time=")
            .replacing("'SEK'", with: "'SEK' unit='1' note='n'")
        let history = try RateHistory(xml: xml(text))
        #expect(history.latest.attributes == [RateAttribute(name: "kind", value: "final")])
        let sek = try #require(Currency("SEK"))
        #expect(history.latest.attributes(of: sek).map(\.name) == ["unit", "note"])
        #expect(history.latest.attributes(of: sek).map(\.value) == ["1", "n"])
        #expect(history.latest.attributes(of: try #require(Currency("USD"))).isEmpty)
        #expect(history.attributes.map(\.name) == ["subject", "Sender/name"])
        #expect(history.attributes.map(\.value) == ["Reference rates", "Made-up Bank"])
    }

    @Test func aSourceThatIsGivenWins() throws {
        #expect(try RateHistory(xml: xml(daily), source: "a mirror").latest.source == "a mirror")
    }

    @Test func commentsAndInstructionsAreNothing() throws {
        let text = daily.replacing("<Cube currency='SEK'", with: "<!-- c --><?pi x?><Cube currency='SEK'")
        #expect(try RateHistory(xml: xml(text)) == RateHistory(xml: xml(daily)))
    }

    @Test(arguments: [
        ("rate='1.1684'", "rate='1,1684'", 2, "the rate of USD is not a positive number with a decimal point: 1,1684"),
        ("rate='1.1684'", "rate='0'", 2, "the rate of USD is not a positive number with a decimal point: 0"),
        ("rate='1.1684'", "rate='0.000'", 2, "the rate of USD is not a positive number with a decimal point: 0.000"),
        ("rate='1.1684'", "rate='-1.2'", 2, "the rate of USD is not a positive number with a decimal point: -1.2"),
        ("rate='1.1684'", "rate='+1.2'", 2, "the rate of USD is not a positive number with a decimal point: +1.2"),
        ("rate='1.1684'", "rate='1e3'", 2, "the rate of USD is not a positive number with a decimal point: 1e3"),
        ("rate='1.1684'", "rate=' 1.2'", 2, "the rate of USD is not a positive number with a decimal point:  1.2"),
        ("rate='1.1684'", "rate=''", 2, "the rate of USD is not a positive number with a decimal point: (empty)"),
        ("rate='1.1684'", "rate='N/A'", 2, "the rate of USD is not a positive number with a decimal point: N/A"),
        ("rate='1.1684'", "rate='.5'", 2, "the rate of USD is not a positive number with a decimal point: .5"),
        ("rate='1.1684'", "rate='1.2.3'", 2, "the rate of USD is not a positive number with a decimal point: 1.2.3"),
        (
            "rate='1.1684'", "rate='12345678901234567890'", 2,
            "the rate of USD is not a positive number with a decimal point: 12345678901234567890"
        ),
        (" rate='1.1684'", "", 2, "the rate of USD is not a positive number with a decimal point: (empty)"),
        (" currency='SEK'", "", 3, "a Cube without the attribute currency"),
        (" time='2026-04-13'", "", 1, "a Cube without the attribute time"),
        ("'SEK'", "'USD'", 3, "the currency USD appears twice, or is the base of all rates"),
        ("'SEK'", "'EUR'", 3, "the currency EUR appears twice, or is the base of all rates"),
        ("'SEK'", "'sek'", 3, "not a currency of three capital letters: sek"),
        ("'SEK'", "'SE'", 3, "not a currency of three capital letters: SE"),
        ("'SEK'", "'S\u{1F4B0}'", 3, "not a currency of three capital letters: S????"),
        ("2026-04-13", "2026-02-29", 1, "not a date: 2026-02-29"),
        ("2026-04-13", "2026-13-01", 1, "not a date: 2026-13-01"),
        ("2026-04-13", "2026-4-13", 1, "not a date: 2026-4-13"),
        ("2026-04-13", "13.04.2026", 1, "not a date: 13.04.2026"),
        ("2026-04-13", "2026-04-13T00:00:00Z", 1, "not a date: 2026-04-13T00:00:00Z"),
    ])
    func aFaultIsRefusedWithItsPlace(old: String, new: String, line: Int, words: String) {
        #expect(daily.contains(old))
        let error = refusal(xml(daily.replacing(old, with: new, maxReplacements: 1)))
        #expect(error?.fault.description == words)
        #expect(error?.line == firstCubeLine + line - 1)
        #expect(error?.column == 1)
    }

    @Test func thePlaceIsThatOfTheElement() {
        let error = refusal(xml("<Cube time='2026-04-13'>\n  <Cube currency='USD' rate='1,1476'/></Cube>"))
        #expect(
            error?.description
                == "line 7, column 3: the rate of USD is not a positive number with a decimal point: 1,1476")
    }

    @Test(arguments: [
        ("<Cube time='2026-04-13'/>", RateFileError.Fault.noRates, 6), ("", .noRates, 7),
        ("<Cube time='2026-04-13'><Rate currency='USD' rate='1'/></Cube>", .notRates(found: "Rate"), 6),
        ("<Cube time='2026-04-13'>1.5</Cube>", .notRates(found: "1.5"), 6),
        ("<Cube time='2026-04-13'><Cube currency='USD' rate='1'><Cube/></Cube></Cube>", .tooDeep(limit: 16), 6),
        (history.replacing("-10", with: "-13"), .repeatedDate("2026-04-13"), 7),
    ])
    func aFileOfTheWrongShapeIsRefused(cubes: String, fault: RateFileError.Fault, line: Int) {
        let error = refusal(xml(cubes))
        #expect(error?.fault == fault)
        #expect(error?.line == line)
    }

    @Test(arguments: [
        ("<html><body>403 Forbidden</body></html>", "not a file of reference rates: html"),
        ("<Envelope/>", "not a file of reference rates: Envelope"),
        ("<Cube xmlns='http://www.ecb.int/vocabulary/2002-08-01/eurofxref'/>", "not a file of reference rates: Cube"),
        ("<e:Envelope xmlns:e='http://www.gesmes.org/xml/2002-08-01'/>", "a date without rates"),
        ("<", "not well-formed XML: unclosed token"), (" <a", "not well-formed XML: unclosed token"),
        ("<a></b>", "not a file of reference rates: a"), ("<!-- -->", "not well-formed XML: no element found"),
    ])
    func anotherFileIsRefused(text: String, words: String) {
        #expect(refusal(text)?.fault.description == words)
    }
}
