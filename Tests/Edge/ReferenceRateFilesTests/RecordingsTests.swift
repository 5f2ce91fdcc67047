import ExchangeRates
import Foundation
import Market
import ReferenceRateFiles
import TestSupport
import Testing
import Time

/// Real files of the European Central Bank.
@Suite(.enabled(if: recordings != nil, "ALERTD_RECORDED_DATA is not set"))
struct RecordingsTests {
    private func read(_ name: String) throws -> RateHistory {
        try RateHistory(file: [UInt8](Data(contentsOf: try #require(recordings).appending(path: name))))
    }

    @Test(arguments: [
        ("2017-03-08", 31, "1.0556", "9.5223", "70.4960"), ("2018-09-12", 32, "1.1585", "10.4740", "83.6705"),
        ("2021-05-27", 32, "1.2198", "10.1298", "88.5630"), ("2022-07-29", 31, "1.0198", "10.3875", "80.8820"),
        ("2023-05-26", 30, "1.0751", "11.5280", "88.8049"), ("2025-05-09", 30, "1.1252", "10.9200", "96.0755"),
    ])
    func eachDayIsReadAsItStands(date: String, count: Int, usd: String, sek: String, inr: String) throws {
        let history = try read("eurofxref-daily_\(date).xml")
        #expect(history.tables.count == 1)
        #expect(history.latest.date.description == date)
        #expect(history.latest.currencies.count == count)
        #expect(["USD", "SEK", "INR"].map(history.latest.text) == [usd, sek, inr])
        #expect(history.latest.source == "European Central Bank")
        #expect(history.attributes.map(\.name) == ["subject", "Sender/name"])
    }

    @Test func theHistoryOfAMonthInXML() throws {
        let history = try read("eurofxref-hist_2020.xml")
        #expect(history.tables.count == 28)
        #expect(history.tables.first?.date.description == "2019-12-17")
        #expect(history.latest.date.description == "2020-01-28")
        #expect(history.table(on: try day(2020, 1, 1))?.date.description == "2019-12-31")
        #expect(history.tables[0].text("SEK") == "10.4718")
    }

    @Test func theDayInCSV() throws {
        let table = try read("eurofxref_2026-04-13.csv").latest
        #expect(table.date == (try day(2026, 4, 13)))
        #expect(table.currencies.count == 29)
        #expect(["USD", "SEK", "INR", "ZAR"].map(table.text) == ["1.1684", "10.8920", "109.0470", "19.3849"])
    }

    @Test func everyCurrencyOfAllFilesHasAName() throws {
        let folder = try #require(recordings)
        var histories = [try RateHistory(csv: unpacked("eurofxref-hist_to-2023-05-12.csv.gz"))]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix(".gz") {
            histories.append(try read(name))
        }
        #expect(histories.count > 5)
        let currencies = Set(histories.flatMap(\.tables).flatMap(\.currencies))
        #expect(currencies.count > 40)
        #expect(currencies.filter { NationalCurrency.of($0) == nil }.isEmpty)
    }

    /// The whole history as of 2023.
    @Test func theWholeHistoryInCSV() throws {
        let history = try RateHistory(csv: unpacked("eurofxref-hist_to-2023-05-12.csv.gz"))
        #expect(history.tables.count == 6_239)
        #expect(history.tables[0].date.description == "1999-01-04")
        #expect(history.latest.date.description == "2023-05-12")
        #expect(history.tables.allSatisfy { $0.currencies.count == 41 })
        #expect(history.tables.allSatisfy { $0.text("USD") != nil && $0.text("SEK") != nil })
        #expect(history.tables.first { $0.text("INR") != nil }?.date.description == "2009-01-02")
        #expect(history.tables.last { $0.text("RUB") != nil }?.date.description == "2022-03-01")
        #expect(history.tables.last { $0.text("HRK") != nil }?.date.description == "2022-12-30")
        #expect(history.latest.text("ZAR") == "20.943")
        let ages = zip(history.tables, history.tables.dropFirst()).map { $0.age(on: $1.date) }
        #expect(ages.max() == 5)
        #expect(isSound(history))
    }

    /// The same days in both forms have the same rates.
    @Test func csvAndXMLAgree() throws {
        let csv = try RateHistory(csv: unpacked("eurofxref-hist_to-2023-05-12.csv.gz"))
        for table in try read("eurofxref-hist_2020.xml").tables {
            let other = try #require(csv.table(on: table.date))
            #expect(other.date == table.date)
            #expect(table.currencies.allSatisfy { table[$0] == other[$0] })
        }
    }

    private func unpacked(_ name: String) throws -> [UInt8] {
        try ChildProcess.run("/bin/gzip", ["-dc", try #require(recordings).appending(path: name).path]).output
    }
}
