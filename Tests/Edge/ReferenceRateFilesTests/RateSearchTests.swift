import ExchangeRates
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import ReferenceRateFiles

private let csv = Array(
    """
    Date,USD,CYP,SEK,
    2026-04-13,1.1684,N/A,10.8920,
    2026-04-10,1.17,0.5842,N/A,
    2009-01-02,1.3866,N/A,10.7,

    """.utf8)
private let oldestFirst = Array(
    "\u{FEFF}Date,USD,SEK\n2009-01-02,1.3866,10.7\n2026-04-10,1.17,N/A\n2026-04-13,1.1684,10.8920\n\n".utf8)
private let xmlFile = xml(
    history + "<Cube time='2009-01-02'><Cube currency='USD' rate='1.3866'/></Cube>")

/// One date of a file that comes in pieces.
struct RateSearchTests {
    private func find(_ date: String, in file: [UInt8], piece: Int = 7) throws -> RateSearch.Result {
        let search = RateSearch(for: try #require(CivilDate(date)))
        var rest = file[...]
        while !rest.isEmpty {
            try search.add(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        return try search.finish()
    }

    @Test(arguments: [csv, oldestFirst, xmlFile], [1, 2, 13, 64, 100_000])
    func theDateOrTheLastOneBeforeItIsFound(file: [UInt8], piece: Int) throws {
        let whole = try RateHistory(file: file)
        for date in ["2026-05-01", "2026-04-13", "2026-04-12", "2026-04-10", "2026-04-09", "2009-01-02", "2009-01-01"] {
            let wanted = try #require(CivilDate(date))
            let result = try find(date, in: file, piece: piece)
            #expect(result.table == whole.table(on: wanted), "\(date)")
            #expect(result.next == whole.tables.first { $0.date > result.table?.date ?? day0 }?.date, "\(date)")
            #expect(result.dates == whole.tables[0].date...whole.latest.date)
        }
    }

    private let day0 = CivilDate(daysSinceEpoch: 0)

    /// However a file is cut, it is refused; half a number looks like one.
    @Test(arguments: [csv, xmlFile]) func aFileThatIsCutIsRefused(file: [UInt8]) throws {
        let end = try #require(file.lastIndex { !isSpace($0) })
        for count in stride(from: 0, to: end, by: 3) {
            // A table that ends with a whole line is complete for all that anybody can know.
            if file.first == UInt8(ascii: "D"), count > 20, [0x0A, 0x2C].contains(file[count - 1]) { continue }
            #expect(throws: RateFileError.self, "\(count)") {
                try find("2026-04-10", in: Array(file.prefix(count)))
            }
        }
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a 'b'>]><x/>", "<html><body>Sign in</body></html>", "not,rates\n1,2\n",
        "Date,USD\n2026-04-13,1.1\n2026-04-13,1.1\n", "Date,USD\nyesterday,1.1\n", "Date,USD\n2026-04-13,1.1,2\n", "",
        "Date,USD\n", "\u{0}\u{1}", "Date,USD,USD\n2026-04-13,1,1\n",
    ])
    func whatIsNotAFileOfRatesIsRefused(text: String) throws {
        for piece in [1, 1_000] {
            #expect(throws: RateFileError.self) { try find("2026-04-13", in: Array(text.utf8), piece: piece) }
        }
    }

    @Test func tooMuchIsRefusedAsItComes() throws {
        var limits = RateFileLimits()
        limits.byteCount = 1_000
        for start in ["", "Date,USD\n", "<a>"] {
            let search = RateSearch(for: day0, limits: limits)
            #expect(throws: RateFileError.self) {
                for piece in [start] + Array(repeating: String(repeating: " ", count: 100), count: 11) {
                    try search.add(Array(piece.utf8)[...])
                }
            }
        }
        // A line without an end is not collected forever.
        let search = RateSearch(for: day0)
        #expect(throws: RateFileError.self) {
            for _ in 0..<20 { try search.add([UInt8](repeating: 0x31, count: 10_000)[...]) }
        }
    }

    /// What has no end is not read again with each piece: a tag, a comment, blanks.
    @Test(arguments: ["<Envelope a='", "<!--", " "])
    func whatHasNoEndIsRefusedEarly(start: String) throws {
        let search = RateSearch(for: day0)
        try search.add(Array(start.utf8)[...])
        var pieces = 0
        #expect(throws: RateFileError.self) {
            while pieces < 100 {
                pieces += 1
                try search.add([UInt8](repeating: 0x20, count: 10_000)[...])
            }
        }
        #expect(pieces < 10, "64 KiB are enough for every tag")
    }

    /// A bad rate is missing, as in a file that is read as a whole; those of other dates do not matter.
    @Test func aBadRateIsMissing() throws {
        let text = "Date,USD,SEK\n2026-04-14,x,1\n2026-04-13,x,10.5\n2026-04-10,1.1,y\n"
        let table = try #require(try find("2026-04-13", in: Array(text.utf8)).table)
        #expect(table.text("SEK") == "10.5" && table.text("USD") == nil)
    }

    @Test(.enabled(if: recordings != nil, "ALERTD_RECORDED_DATA is not set"))
    func theWholeHistoryIsSearchedAsItIsRead() throws {
        let name = try #require(recordings).appending(path: "eurofxref-hist_to-2023-05-12.csv.gz").path
        let file = try ChildProcess.run("/bin/gzip", ["-dc", name]).output
        let whole = try RateHistory(csv: file)
        for days in stride(from: Int64(0), to: 8_900, by: 1_711) {
            let date = CivilDate(daysSinceEpoch: PastConversion.firstDate.daysSinceEpoch + days)
            #expect(try find("\(date)", in: file, piece: 32 << 10).table == whole.table(on: date))
        }
    }
}
