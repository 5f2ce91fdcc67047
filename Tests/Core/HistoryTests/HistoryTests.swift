import History
import Market
import TestSupport
import Testing
import Time

@Suite("History")
struct HistoryTests {
    let btc = Symbol("btcinr")

    private func instant(_ poll: Int) -> WallTime {
        WallTime(milliseconds: 1_000_000 + Int64(poll) * 30_000)
    }

    private func ticker(_ symbol: String, _ price: String?) throws -> Ticker {
        Ticker(symbol: try #require(Symbol(symbol)), last: try price.map { try Price($0) })
    }

    private func capacity(polls: Int, bytes: Int = 64 << 20) -> HistoryCapacity {
        HistoryCapacity(keep: .seconds(Int64(polls - 1) * 30), interval: .seconds(30), bytes: bytes)
    }

    private func prices(_ history: History, _ symbol: String, since: WallTime = WallTime(milliseconds: 0)) throws
        -> [String]
    {
        var texts: [String] = []
        history.forEachSample(of: try #require(Symbol(symbol)), since: since) { texts.append($0.price.description) }
        return texts
    }

    @Test func whatComesOutIsWhatWentIn() throws {
        var history = History(capacity(polls: 100))
        let texts = ["73216.0", "0.00000041", "9223372036854775807", "1"]
        for (poll, text) in texts.enumerated() {
            history.append([try ticker("btcinr", text)], at: instant(poll))
        }
        let expected = try texts.map { try Price($0) }
        #expect(try prices(history, "btcinr").map { try Price($0) } == expected)
        #expect(try prices(history, "btcinr", since: instant(2)).map { try Price($0) } == Array(expected[2...]))
        #expect(try prices(history, "nosuch").isEmpty)
    }

    /// Random walks of prices in every style, with large jumps, come back as the same numbers.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func everyNumberComesBack(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var history = History(capacity(polls: 2_000))
        let symbol = try #require(Symbol("a"))
        var expected: [Price] = []
        var mantissa: Int64 = 1_000
        for poll in 0..<1_000 {
            switch Int.random(in: 0..<50, using: &random) {
            case 0: mantissa = Int64.random(in: 1...Int64.max, using: &random)
            case 1: mantissa = 1
            default: mantissa = max(1, mantissa &+ Int64.random(in: -1_000...1_000, using: &random))
            }
            let isRare = Int.random(in: 0..<20, using: &random) == 0
            let scale = UInt8.random(in: isRare ? 0...18 : 2...4, using: &random)
            let price = try #require(Price(mantissa: mantissa, scale: scale))
            expected.append(price)
            history.append([Ticker(symbol: symbol, last: price)], at: instant(poll))
        }
        var seen: [Price] = []
        history.forEachSample(of: symbol, since: WallTime(milliseconds: 0)) { seen.append($0.price) }
        #expect(seen == expected, "seed \(seed)")
    }

    @Test func pricesThatJumpWildlyKeepTheLimitToo() throws {
        var history = History(capacity(polls: 100_000, bytes: 1 << 20))
        for poll in 0..<400 {
            let wild = poll % 2 == 0 ? "9223372036854775807" : "0.000000000000000001"
            history.append(try (0..<200).map { try ticker("s\($0)", wild) }, at: instant(poll))
            #expect(history.byteCount <= 1 << 20)
        }
        #expect(try prices(history, "s7").last.map { try Price($0) } == Price("0.000000000000000001"))
    }

    /// Short blocks compress badly: a block gets all the rows that an eighth of the memory has room for.
    @Test func aBlockHasAsManyPollsAsFit() throws {
        var history = History(capacity(polls: 100_000, bytes: 1 << 20))
        for poll in 0..<120 {
            history.append(try (0..<100).map { try ticker("s\($0)", "1") }, at: instant(poll))
        }
        #expect(history.sealed.isEmpty)
        for poll in 120..<150 {
            history.append(try (0..<100).map { try ticker("s\($0)", "1") }, at: instant(poll))
        }
        #expect(history.sealed.count == 1)
    }

    @Test func gapsStayGaps() throws {
        var history = History(capacity(polls: 100))
        history.append([try ticker("a", "1"), try ticker("b", "10")], at: instant(0))
        history.append([try ticker("a", nil), try ticker("b", "11")], at: instant(1))
        history.append([try ticker("b", "12"), try ticker("a", "0")], at: instant(2))
        history.append([try ticker("b", "13"), try ticker("a", "4")], at: instant(3))
        #expect(try prices(history, "a") == ["1", "4"])
        #expect(try prices(history, "b") == ["10", "11", "12", "13"])
    }

    @Test func statisticsOfAWindow() throws {
        var history = History(capacity(polls: 1_000))
        for poll in 0..<500 {
            history.append([try ticker("a", "\((poll * 37) % 101 + 1)")], at: instant(poll))
        }
        let symbol = try #require(Symbol("a"))
        let window = try #require(history.statistics(of: symbol, since: instant(400)))
        let expected = (400..<500).map { Int64(($0 * 37) % 101 + 1) }
        #expect(window.count == 100)
        #expect(window.first.price.mantissa == expected.first)
        #expect(window.last.price.mantissa == expected.last)
        #expect(window.lowest.price.mantissa == expected.min())
        #expect(window.highest.price.mantissa == expected.max())
        #expect(history.statistics(of: symbol, since: instant(500)) == nil)
    }

    @Test func theOldestGoFirst() throws {
        var history = History(capacity(polls: 200))
        for poll in 0..<1_000 {
            history.append([try ticker("a", "\(poll + 1)")], at: instant(poll))
        }
        let kept = try prices(history, "a")
        #expect(kept.last == "1000")
        #expect((200...712).contains(kept.count))
        #expect(kept.count == history.pollCount)
        #expect(kept == (1_001 - kept.count...1_000).map(String.init))
    }

    @Test func theByteLimitHoldsWhateverArrives() throws {
        var history = History(capacity(polls: 100_000, bytes: 1 << 20))
        for poll in 0..<2_000 {
            let tickers = try (0...min(poll, 150)).map { try ticker("s\($0 * (1 + poll / 900))", "5") }
            history.append(tickers, at: instant(poll))
            #expect(history.byteCount <= 1 << 20)
        }
        #expect(history.pollCount > 100)
        history.setCapacity(capacity(polls: 10, bytes: 1 << 20))
        #expect(history.pollCount <= 130)
    }

    /// Ten thousand symbols, different ones in every poll, with unusable prices.
    @Test func theByteLimitHoldsInTheWorstMarket() throws {
        var history = History(capacity(polls: 100_000, bytes: 2 << 20))
        var random = SplitMix(seed: 1)
        let symbols = try (0..<20_000).map { try #require(Symbol("s\($0)")) }
        for poll in 0..<9 {
            let tickers = symbols[(poll % 3) * 5_000..<(poll % 3) * 5_000 + 10_000].map { symbol in
                let mantissa = Int64.random(in: 1 ... .max, using: &random)
                return Ticker(
                    symbol: symbol, last: Price(mantissa: mantissa, scale: UInt8.random(in: 0...18, using: &random)))
            }
            history.append(tickers, at: instant(poll))
            #expect(history.byteCount <= 2 << 20)
            #expect(history.pollCount > 0)
        }
    }

    @Test func aFullSymbolTableRefusesOnlyNewSymbols() throws {
        var history = History(capacity(polls: 10, bytes: 4 << 20))
        let many = try (0..<SymbolTable.capacity + 5).map { try ticker("s\($0)", "1") }
        history.append(many, at: instant(0))
        history.append(many, at: instant(1))
        #expect(try prices(history, "s0") == ["1", "1"])
        #expect(try prices(history, "s\(SymbolTable.capacity)").isEmpty)
        #expect(history.byteCount <= 4 << 20)
    }

    @Test func responsesWithoutAPriceKeepNothing() throws {
        var history = History(capacity(polls: 10))
        history.append([try ticker("a", nil)], at: instant(0))
        history.append([], at: instant(1))
        #expect(history.pollCount == 0)
        #expect(history.oldest == nil)
    }

    @Test func theNeedIsSaidBeforehand() {
        let day = HistoryCapacity(keep: .seconds(86_400), interval: .seconds(30), bytes: 64 << 20)
        #expect(day.polls == 2_881)
        #expect(day.bytesExpected(symbols: 450) == 2_881 * 450)
        #expect(HistoryCapacity(keep: .seconds(86_400), interval: Milliseconds(0), bytes: 0).bytes == 1 << 20)
    }
}
