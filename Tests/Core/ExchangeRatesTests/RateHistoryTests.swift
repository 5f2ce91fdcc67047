import ExchangeRates
import Market
import Testing
import Time

struct RateHistoryTests {
    private func history(_ days: [Int64]) throws -> RateHistory {
        try #require(RateHistory(try days.map { try table("USD 1.\($0)", on: day(2026, 4, $0)) }))
    }

    @Test func tablesAreInOrderWhateverTheFileHas() throws {
        let dates = try history([13, 10, 16]).tables.map(\.date)
        #expect(dates == [try day(2026, 4, 10), try day(2026, 4, 13), try day(2026, 4, 16)])
        #expect(try history([13, 10, 16]).latest.date == day(2026, 4, 16))
    }

    @Test(arguments: [(9, nil), (10, 10), (11, 10), (12, 10), (13, 13), (15, 13), (16, 16), (30, 16)])
    func theRatesInForceAreThoseAtOrBefore(asked: Int64, found: Int64?) throws {
        let table = try history([10, 13, 16]).table(on: day(2026, 4, asked))
        #expect(table?.date.day == found)
    }

    @Test func aHistoryHasEachDateOnce() throws {
        #expect(RateHistory([]) == nil)
        let one = try table(someRates)
        #expect(RateHistory([one, one]) == nil)
    }

    @Test(arguments: [9, 10, 11, 13, 20])
    func aTableIsInsertedInItsPlace(new: Int64) throws {
        var history = try history([10, 13])
        history.insert(try table("USD 2", on: day(2026, 4, new)))
        #expect(history.tables.map(\.date.day) == Set([10, 13, new]).sorted())
        #expect(history.table(on: try day(2026, 4, new))?[try currency("USD")] == (try price("2")))
    }
}
