import History
import Market
import TestSupport
import Testing
import Time

/// A history that knows which prices differ from those before, compared with one that does not.
@Suite("Repeated rows")
struct RepeatedRowTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func whatIsKnownChangesNothing(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let capacity = HistoryCapacity(
            keep: .seconds(3_000), interval: .seconds(30), bytes: 64 << 20)
        var (knowing, asking) = (History(capacity), History(capacity))
        var tickers = try (0..<Int.random(in: 1...8, using: &random)).map { try ticker("s\($0)", &random) }
        var former: [Ticker]?
        for poll in 0..<700 {
            let time = WallTime(milliseconds: 1_000_000 + Int64(poll) * 30_000)
            var differences = former.flatMap { Self.differences($0, tickers) }
            if Int.random(in: 0..<5, using: &random) == 0 {
                differences = differences.map { known in
                    tickers.indices.filter { known.contains($0) || Bool.random(using: &random) }
                }
            }
            knowing.append(tickers, at: time, differences: differences)
            asking.append(tickers, at: time)
            former = tickers
            try expectSame(knowing, asking, "seed \(seed), poll \(poll)")
            try disturb(&knowing, &asking, poll, &random)
            change(&tickers, try ticker("s\(Int.random(in: 0..<12, using: &random))", &random), &random)
        }
    }

    @Test func aRowIsThatOfTheResponseAndOfNothingElse() throws {
        var random = SplitMix(seed: 1)
        let capacity = HistoryCapacity(keep: .seconds(3_000), interval: .seconds(30), bytes: 64 << 20)
        let (old, new) = (try ticker("a", &random), Ticker(symbol: try #require(Symbol("a"))))
        var past = History(capacity)
        past.append([old], at: WallTime(milliseconds: 1_000))
        // The response before had no price; the last row is older than the process.
        var history = History(capacity)
        history.append([new], at: WallTime(milliseconds: 2_000))
        let part = try #require(past.encodeOpenRows(fromRow: 0))
        history.restore(sealed: [], parts: [.rows(part)])
        history.append([new], at: WallTime(milliseconds: 3_000), differences: [])
        #expect(history.pollCount == 1)
        var appended = History(capacity)
        appended.append(contentsOf: past)
        appended.append([new], at: WallTime(milliseconds: 3_000), differences: [])
        #expect(appended.pollCount == 1)
    }

    private func ticker(_ symbol: String, _ random: inout SplitMix) throws -> Ticker {
        let scale = UInt8.random(in: 1...2, using: &random)
        let mantissa = Int64.random(in: -1...20, using: &random)
        let price = Int.random(in: 0..<9, using: &random) == 0 ? nil : Price(mantissa: mantissa, scale: scale)
        return Ticker(symbol: try #require(Symbol(symbol)), last: price)
    }

    /// Where prices or symbols differ.
    private static func differences(_ old: [Ticker], _ new: [Ticker]) -> [Int]? {
        guard old.count == new.count else { return nil }
        return new.indices.filter {
            old[$0].symbol != new[$0].symbol || old[$0].last?.mantissa != new[$0].last?.mantissa
                || old[$0].last?.scale != new[$0].last?.scale
        }
    }

    private func expectSame(_ knowing: History, _ asking: History, _ place: String) throws {
        let row = knowing.open.rowCount - 1
        let (part, expected) = (knowing.encodeOpenRows(fromRow: row), asking.encodeOpenRows(fromRow: row))
        try #require(part?.bytes == expected?.bytes && part?.isUnchanged == expected?.isUnchanged, "\(place)")
        try #require(knowing.open == asking.open, "\(place)")
        try #require(knowing.sealed.map(\.bytes) == asking.sealed.map(\.bytes), "\(place)")
        for number in 0..<12 {
            let symbol = try #require(Symbol("s\(number)"))
            let start = WallTime(milliseconds: 0)
            let same = knowing.statistics(of: symbol, since: start) == asking.statistics(of: symbol, since: start)
            try #require(same, "\(place), \(symbol)")
        }
    }

    /// What else can happen to a history between two polls.
    private func disturb(
        _ knowing: inout History, _ asking: inout History, _ poll: Int, _ random: inout SplitMix
    ) throws {
        switch Int.random(in: 0..<60, using: &random) {
        case 0:
            let symbol = try #require(Symbol("s\(Int.random(in: 0..<12, using: &random))"))
            let time = WallTime(milliseconds: 1_015_000 + Int64.random(in: 0...Int64(poll), using: &random) * 30_000)
            let sample = SymbolSample(symbol: symbol, time: time, price: try Price("7.5"))
            #expect(knowing.merge([sample]) == asking.merge([sample]))
        case 1:
            let capacity = HistoryCapacity(
                keep: .seconds(1_500), interval: .seconds(30), bytes: Int.random(in: 1...9, using: &random) << 20)
            knowing.setCapacity(capacity)
            asking.setCapacity(capacity)
        case 2:
            let sealed = knowing.sealed
            let parts = [knowing.encodeOpenRows(fromRow: 0)].compactMap(\.self).map(HistoryPart.rows)
            for history in [knowing, asking] {
                var new = History(history.capacity)
                new.restore(sealed: sealed, parts: parts)
                knowing = new
            }
            asking = knowing
        default: break
        }
    }

    private func change(_ tickers: inout [Ticker], _ new: Ticker, _ random: inout SplitMix) {
        let isNew = !tickers.contains { $0.symbol == new.symbol }
        let place = Int.random(in: 0..<tickers.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where isNew: tickers.insert(new, at: place)
        case 1 where tickers.count > 1: tickers.remove(at: place)
        case 2: tickers.swapAt(0, place)
        case 3 where isNew: tickers[place] = new
        case 4...8:
            if let own = tickers.firstIndex(where: { $0.symbol == new.symbol }) { tickers[own] = new }
        default: break
        }
    }
}
