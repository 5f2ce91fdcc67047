import ExchangeRates
import Market
import ReferenceRateFiles
import Testing

/// With `onIgnored`, a currency or a date that cannot be used does not spoil the others.
@Suite struct IgnoredRatesTests {
    private func read(_ text: [UInt8]) throws -> (history: RateHistory, ignored: [String]) {
        var ignored: [String] = []
        let history = try RateHistory(file: text) { ignored.append($0.description) }
        return (history, ignored)
    }

    /// As when the rate of the rouble was suspended.
    @Test(arguments: ["rate='N/A'", "rate=''", "rate='-1'", "rate='0'", "rate='1,5'", ""])
    func aBadRateOfTheDayIsNamedAndTheOthersAreUsed(rate: String) throws {
        let text = daily.replacing("\n</Cube>", with: "\n<Cube currency='RUB' \(rate)/>\n</Cube>")
        let (history, ignored) = try read(xml(text))
        #expect(history.latest.currencies.map(\.description) == ["USD", "SEK", "INR"])
        #expect(history.latest.text("USD") == "1.1684" && history.latest.text("RUB") == nil)
        #expect(ignored.count == 1 && ignored[0].hasPrefix("line 10, column 1: the rate of RUB is not"))
    }

    @Test(arguments: ["rub", "", "RUBL", "R?B"]) func aBadCodeIsNamedAndTheOthersAreUsed(code: String) throws {
        let (history, ignored) = try read(xml(daily.replacing("'SEK'", with: "'\(code)'")))
        #expect(history.latest.currencies.map(\.description) == ["USD", "INR"])
        #expect(ignored.count == 1 && ignored[0].contains("not a currency of three capital letters"))
    }

    @Test func aBadRateOfAHistoryIsMissingOnItsDateOnly() throws {
        let text = history.replacing("rate=\"1.17\"", with: "rate=\"N/A\"")
        let (found, ignored) = try read(xml(text))
        #expect(found.tables.map { $0.text("USD") } == [nil, "1.1684"])
        #expect(found.tables.first?.text("BGN") == "1.9558")
        #expect(ignored.count == 1)
    }

    @Test func aDateWithoutRatesIsLeftOut() throws {
        let text = history.replacing("<Cube currency=\"USD\" rate=\"1.17\"/>", with: "")
            .replacing("<Cube currency=\"BGN\" rate=\"1.9558\"/>", with: "")
        let (found, ignored) = try read(xml(text))
        #expect(found.tables.map(\.date) == [try day(2026, 4, 13)])
        #expect(ignored == ["line 7, column 25: a date without rates"])
    }

    @Test func columnsAndFieldsOfTextAreIgnoredOneByOne() throws {
        let text = """
            Date,USD,xx,SEK,,
            2026-04-13,1.1684,7,-,3,
            2026-04-10,1.17,7,N/A,3,
            2026-04-09,N/A,7,N/A,3,
            2026-04-08,,7,10.8,3,

            """
        let (found, ignored) = try read(Array(text.utf8))
        #expect(found.tables.map { $0.text("USD") } == [nil, "1.17", "1.1684"])
        #expect(found.tables.map { $0.text("SEK") } == ["10.8", nil, nil])
        #expect(
            ignored == [
                "line 1, column 10: not a currency of three capital letters: xx",
                "line 1, column 17: not a currency of three capital letters: ",
                "line 2, column 21: the rate of SEK is not a positive number with a decimal point: -",
                "line 4, column 22: a date without rates",
                "line 5, column 12: the rate of USD is not a positive number with a decimal point: (empty)",
            ])
    }

    /// The first fault says why nothing is left.
    @Test func aFileOfBadRatesOnlyIsRefused() {
        let error = #expect(throws: RateFileError.self) { try read(xml(daily.replacing(".", with: ","))) }
        #expect(error?.description.contains("the rate of USD is not") == true)
        let csv = #expect(throws: RateFileError.self) { try read(Array("Date,USD,\n2026-04-13,x,\n".utf8)) }
        #expect(csv?.description.contains("the rate of USD is not") == true)
    }

    /// What could change the meaning of the others spoils the whole file still.
    @Test(arguments: [
        ("'SEK'", "'USD'"), ("<Cube currency='SEK'", "<Rate currency='SEK'"), ("2026-04-13", "2026-13-04"),
        ("</Cube>", ""),
    ])
    func otherFaultsRefuseTheFile(old: String, new: String) {
        #expect(throws: RateFileError.self) { try read(xml(daily.replacing(old, with: new))) }
    }
}
