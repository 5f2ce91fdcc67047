import ExchangeRates
import Market
import ReferenceRateFiles
import TestSupport
import Testing

private let csv = """
    Date,USD,CYP,SEK,INR,
    2026-04-13,1.1684,N/A,10.8920,109.0470,
    2026-04-10,1.17,0.5842,N/A,108.9,
    2009-01-02,1.3866,N/A,10.7,67.3,

    """

struct CSVTests {
    @Test func aHistoryIsRead() throws {
        let tables = try RateHistory(csv: Array(csv.utf8)).tables
        #expect(tables.map(\.date) == [try day(2009, 1, 2), try day(2026, 4, 10), try day(2026, 4, 13)])
        #expect(tables.map { $0.text("USD") } == ["1.3866", "1.17", "1.1684"])
        #expect(tables.map { $0.text("CYP") } == [nil, "0.5842", nil])
        #expect(tables.allSatisfy { $0.currencies.map(\.description) == ["USD", "CYP", "SEK", "INR"] })
        #expect(tables[0].source == "European Central Bank")
    }

    @Test func theDailyFormIsRead() throws {
        let text = "Date, USD, JPY, SEK, \n13 April 2026, 1.1684, 186.75, 10.8920, \n"
        let history = try RateHistory(file: Array(text.utf8), source: "ECB")
        #expect(history.latest.date == (try day(2026, 4, 13)))
        #expect(history.latest.source == "ECB")
        #expect(["USD", "JPY", "SEK"].map(history.latest.text) == ["1.1684", "186.75", "10.8920"])
    }

    @Test(arguments: [
        ("1 January 2027", 2027, 1, 1), ("28 February 2026", 2026, 2, 28), ("31 March 2026", 2026, 3, 31),
        ("30 September 2026", 2026, 9, 30), ("31 December 1999", 1999, 12, 31), ("05 May 2026", 2026, 5, 5),
    ])
    func datesInWordsAreRead(text: String, year: Int64, month: Int64, dayOfMonth: Int64) throws {
        let history = try RateHistory(csv: Array("Date,USD\n\(text),1.2\n".utf8))
        #expect(history.latest.date == (try day(year, month, dayOfMonth)))
    }

    @Test func lineEndsSpacesAndEmptyLinesAtTheEndDoNotMatter() throws {
        let read = try RateHistory(csv: Array(csv.utf8))
        let variants = [
            csv.replacing("\n", with: "\r\n"), csv + "\n\r\n  \n", csv.replacing(",", with: " ,\t"),
            String(csv.dropLast()), "\u{FEFF}" + csv, csv.replacing(",\n", with: "\n"),
        ]
        for variant in variants { #expect(try RateHistory(csv: Array(variant.utf8)) == read) }
    }

    @Test func theOrderOfDatesDoesNotMatter() throws {
        let lines = csv.split(separator: "\n")
        let oldestFirst = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n") + "\n"
        #expect(try RateHistory(csv: Array(oldestFirst.utf8)) == RateHistory(csv: Array(csv.utf8)))
    }

    @Test(arguments: [
        ("1.1684", "1,1684", 2, 1, "7 fields, but 6 in the first line; rates have a decimal point, not a comma"),
        (",109.0470,", ",109,0470", 2, 1, "6 fields, but 6 in the first line; rates have a decimal point, not a comma"),
        ("1.1684,", "", 2, 1, "5 fields, but 6 in the first line; rates have a decimal point, not a comma"),
        ("1.1684", "\"1.1684\"", 2, 12, "the rate of USD is not a positive number with a decimal point: \"1.1684\""),
        ("10.8920", "0", 2, 23, "the rate of SEK is not a positive number with a decimal point: 0"),
        ("10.8920", "-10.8920", 2, 23, "the rate of SEK is not a positive number with a decimal point: -10.8920"),
        ("10.8920", "n/a", 2, 23, "the rate of SEK is not a positive number with a decimal point: n/a"),
        ("10.8920", "", 2, 23, "the rate of SEK is not a positive number with a decimal point: (empty)"),
        ("0.5842", "1.2e1", 3, 17, "the rate of CYP is not a positive number with a decimal point: 1.2e1"),
        ("2026-04-10", "2026-04-31", 3, 1, "not a date: 2026-04-31"),
        ("2026-04-10", "31 April 2026", 3, 1, "not a date: 31 April 2026"),
        ("2026-04-10", "10 Aprilis 2026", 3, 1, "not a date: 10 Aprilis 2026"),
        ("2026-04-10", "", 3, 1, "not a date: "),
        ("2026-04-10", "10/04/2026", 3, 1, "not a date: 10/04/2026"),
        ("2009-01-02", "2026-04-13", 4, 1, "the date 2026-04-13 appears twice"),
        ("2026-04-10,1.17,0.5842,N/A,108.9", "2026-04-10,N/A,N/A,N/A,N/A", 3, 24, "a date without rates"),
        ("CYP", "USD", 1, 10, "the currency USD appears twice, or is the base of all rates"),
        ("CYP", "EUR", 1, 10, "the currency EUR appears twice, or is the base of all rates"),
        ("CYP", "usd", 1, 10, "not a currency of three capital letters: usd"),
        ("CYP", "", 1, 10, "not a currency of three capital letters: "),
        ("Date", "Day", 1, 1, "the first line is not Date followed by currencies: Day"),
        ("Date", "\u{1B}[31m", 1, 1, "the first line is not Date followed by currencies: ?[31m"),
        (
            "\n2026-04-10", "\n\n2026-04-10", 3, 1,
            "1 fields, but 6 in the first line; rates have a decimal point, not a comma"
        ),
    ])
    func aFaultIsRefusedWithItsPlace(old: String, new: String, line: Int, column: Int, words: String) throws {
        #expect(csv.contains(old))
        let error = try #require(refusal(csv.replacing(old, with: new, maxReplacements: 1)))
        #expect(error.fault.description == words)
        #expect((error.line, error.column) == (line, column))
    }

    @Test(arguments: [
        ("", "the file is empty"), (" \n\n", "the file is empty"), ("Date,USD,\n", "a date without rates"),
    ])
    func aFileWithoutRatesIsRefused(text: String, words: String) {
        #expect(refusal(text)?.fault.description == words)
    }

    @Test func limitsHold() {
        var limits = RateFileLimits()
        limits.dateCount = 2
        #expect(refusal(Array(csv.utf8), limits: limits)?.fault == .tooManyDates(limit: 2))
        limits = RateFileLimits()
        limits.currencyCount = 3
        #expect(refusal(Array(csv.utf8), limits: limits)?.fault == .tooManyCurrencies(limit: 3))
        let long = String(repeating: "1", count: 257)
        #expect(refusal(csv.replacing("1.17,", with: long + ","))?.fault == .tooLong(limit: 256))
        #expect(refusal("Date" + String(repeating: ",", count: 1 << 20))?.fault == .malformedCurrency(""))
    }

    /// With a comma at the end of each line, every cut is seen, or gives whole lines.
    @Test func aFileCutOffAnywhereGivesWholeLinesOrNothing() throws {
        let whole = try RateHistory(csv: Array(csv.utf8))
        let open = csv.replacing(",\n", with: "\n")
        for text in [csv, open] {
            for count in 0..<text.utf8.count {
                guard let cut = try? RateHistory(csv: Array(text.utf8.prefix(count))) else { continue }
                #expect(cut.tables.allSatisfy(whole.tables.contains), "\(count) bytes")
            }
        }
        #expect(refusal(String(open.dropLast()))?.fault == .cutOff)
    }

    @Test func brokenBytesNeverTrap() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<3_000 {
            var file = Array(csv.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<file.count, using: &random)
                if Bool.random(using: &random) {
                    file.remove(at: index)
                } else {
                    file[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 0x2C
                }
            }
            guard let read = try? RateHistory(csv: file) else { continue }
            #expect(isSound(read), "seed \(seed)")
        }
    }
}
