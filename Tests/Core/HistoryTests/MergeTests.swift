import History
import Market
import TestSupport
import Testing
import Time

/// Samples inserted between others are there afterwards, once, and nothing else has changed.
@Suite("Merge")
struct MergeTests {
    private let roomy = HistoryCapacity(keep: Milliseconds(86_400_000_000), interval: .seconds(30), bytes: 256 << 20)
    private let btc = Symbol("btcinr")

    private func samples(_ times: some Sequence<Int64>, _ symbol: Symbol, price: Int64 = 5) -> [SymbolSample] {
        times.map {
            SymbolSample(
                symbol: symbol, time: WallTime(milliseconds: $0), price: Price(mantissa: price + $0, scale: 1) ?? .zero)
        }
    }

    /// What a merge does, in the simplest way.
    private func naive(_ given: [SymbolSample], into model: inout Model) -> MergeCounts {
        var counts = MergeCounts()
        for sample in given {
            let there = (model.samples[sample.symbol] ?? []).filter { $0.time == sample.time }
            if there.isEmpty {
                model.samples[sample.symbol, default: []].append(Sample(time: sample.time, price: sample.price))
                counts.added += 1
            } else if there.contains(where: { $0.price == sample.price }) {
                counts.duplicate += 1
            } else {
                counts.conflicting += 1
            }
        }
        return counts
    }

    /// Random samples at, between, before and after those of the market, of its symbols and others, some of them twice.
    private func given(_ market: MadeUpMarket, count: Int, _ random: inout SplitMix) throws -> [SymbolSample] {
        let strangers = try (0..<3).map { try #require(Symbol("x\($0)")) }
        let symbols = market.symbols + strangers
        let known = market.model.samples.flatMap { symbol, samples in
            samples.map { SymbolSample(symbol: symbol, time: $0.time, price: $0.price) }
        }.sorted { ($0.time, $0.symbol) < ($1.time, $1.symbol) }
        let range = market.time - 40_000_000...market.time + 3_000_000
        return (0..<count).map { _ in
            let old = known[Int.random(in: known.indices, using: &random)]
            let price = Price(mantissa: Int64.random(in: 1...9_999, using: &random), scale: 2) ?? .zero
            let symbol = symbols[Int.random(in: symbols.indices, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return old
            case 1: return SymbolSample(symbol: old.symbol, time: old.time, price: price)
            case 2: return SymbolSample(symbol: symbol, time: old.time, price: price)
            default:
                let time = WallTime(milliseconds: Int64.random(in: range, using: &random) / 7_000 * 7_000)
                return SymbolSample(symbol: symbol, time: time, price: price)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func asTheNaiveWay(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let polls = [30, 513, 1_400][Int(seed) % 3]
        var market = try MadeUpMarket(symbols: 6, polls: polls + 90, jumps: seed % 2 == 0, &random)
        for _ in 0..<polls { market.poll(&random) }
        for round in 0..<3 {
            let given = try given(market, count: [1, 40, 1_500][round], &random)
            let expected = naive(given, into: &market.model)
            #expect(market.history.merge(given) == expected, "seed \(seed)")
            try expectSame(market, "seed \(seed), round \(round)")
            let ids = market.history.sealed.map(\.id)
            let again = market.history.merge(given)
            #expect(again.added == 0 && again.tooOld == 0, "seed \(seed)")
            #expect(market.history.sealed.map(\.id) == ids, "seed \(seed)")
            for _ in 0..<30 { market.poll(&random) }
            try expectSame(market, "seed \(seed), round \(round), after more polls")
        }
    }

    private func expectSame(_ market: MadeUpMarket, _ comment: Comment) throws {
        for symbol in market.model.samples.keys {
            #expect(areIdentical(market.history.all(symbol), market.model.sorted(symbol)), comment)
        }
        let blocks = market.history.sealed
        #expect(Set(blocks.map(\.id)).count == blocks.count, comment)
        #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.oldest <= $1.oldest }, comment)
        var stored = History(roomy)
        stored.restore(
            sealed: try blocks.map { try HistoryBlock(bytes: $0.bytes) },
            parts: [market.history.encodeOpenRows(fromRow: 0)].compactMap(\.self))
        for symbol in market.model.samples.keys {
            #expect(areIdentical(stored.all(symbol), market.history.all(symbol)), comment)
        }
    }

    /// A file is imported in pieces: the blocks become full nevertheless, forwards and backwards.
    @Test(arguments: [false, true])
    func piecesMakeFullBlocks(_ backward: Bool) throws {
        let btc = try #require(btc)
        let all = samples(stride(from: 0, to: 20_000 * 60_000, by: 60_000), btc)
        var history = History(roomy)
        let pieces = stride(from: 0, to: all.count, by: 1_000).map { Array(all[$0..<$0 + 1_000]) }
        for piece in backward ? pieces.reversed() : pieces {
            #expect(history.merge(piece) == MergeCounts(added: 1_000))
        }
        #expect(history.all(btc).map(\.time) == all.map(\.time))
        #expect(history.sealed.count <= 20_000 / 512 + 21)
        #expect(history.open == (history.sealed.map(\.id).max().map { $0 + 1 } ?? 1, 0))
    }

    /// The open block keeps its number and its rows when earlier samples are merged.
    @Test func theOpenBlockStaysAsItIs() throws {
        let btc = try #require(btc)
        var history = History(roomy)
        for poll: Int64 in 0..<20 {
            history.append(
                [Ticker(symbol: btc, last: try Price("5.5"))], at: WallTime(milliseconds: 1_000_000 + poll * 30_000))
        }
        let open = history.open
        #expect(history.merge(samples([1, 2, 3], btc)) == MergeCounts(added: 3))
        #expect(history.open == open)
        #expect(history.sealed.count == 1)
        #expect(history.sealed.first?.id != open.id)
        #expect(history.merge(samples([1_000_001], btc)) == MergeCounts(added: 1))
        #expect(history.open.rowCount == 0)
        #expect(history.all(btc).count == 24)
    }

    @Test func theSamePriceInOtherDigitsIsNoConflict() throws {
        let btc = try #require(btc)
        let time = WallTime(milliseconds: 1)
        var history = History(roomy)
        let given = try ["1.50", "1.5", "1.6"].map { SymbolSample(symbol: btc, time: time, price: try Price($0)) }
        #expect(history.merge(given) == MergeCounts(added: 1, duplicate: 1, conflicting: 1))
        #expect(history.all(btc).first?.price.description == "1.50")
        #expect(history.merge([]) == MergeCounts())
    }

    @Test func whatIsOlderThanKeptIsCounted() throws {
        let btc = try #require(btc)
        var history = History(HistoryCapacity(keep: .seconds(3_600), interval: .seconds(30), bytes: 64 << 20))
        history.append([Ticker(symbol: btc, last: try Price("5"))], at: WallTime(milliseconds: 10_000_000))
        let counts = history.merge(samples([1, 6_399_999, 6_400_000, 9_000_000], btc))
        #expect(counts == MergeCounts(added: 2, tooOld: 2))
    }

    @Test func theByteLimitHoldsAndWhatHasNoRoomIsCounted() throws {
        var history = History(HistoryCapacity(keep: Milliseconds(1 << 50), interval: .seconds(30), bytes: 1 << 20))
        var random = SplitMix(seed: 1)
        var total = MergeCounts()
        for round in 0..<80 {
            let given = try (0..<2_000).map { number in
                SymbolSample(
                    symbol: try #require(Symbol("s\(number % 20)")),
                    time: WallTime(milliseconds: Int64(100_000 * (80 - round) + number / 20)),
                    price: Price(mantissa: Int64.random(in: 1 ... .max, using: &random), scale: 3) ?? .zero)
            }
            let counts = history.merge(given)
            #expect(history.byteCount <= 1 << 20)
            total.added += counts.added
            total.tooOld += counts.tooOld
        }
        #expect(total.added > 50_000)
        #expect(total.tooOld > 5_000)
        #expect(total.added + total.tooOld == 160_000)
    }

    /// More symbols at one instant than a block can have.
    @Test func verySpecialCrowds() throws {
        var history = History(roomy)
        let given = try (0..<12_000).map {
            SymbolSample(
                symbol: try #require(Symbol("s\($0)")), time: WallTime(milliseconds: 5), price: try Price("1"))
        }
        #expect(history.merge(given) == MergeCounts(added: 12_000))
        #expect(history.all(given[0].symbol).count == 1)
        #expect(history.all(given[11_999].symbol).count == 1)
        #expect(history.merge(given) == MergeCounts(duplicate: 12_000))
    }
}
