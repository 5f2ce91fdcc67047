import History
import Market
import TestSupport
import Testing
import Time

/// What a store gives back after a restart is what was in memory before it.
@Suite("Restore")
struct RestoreTests {
    private let capacity = HistoryCapacity(
        keep: Milliseconds(86_400_000_000), interval: .seconds(30), bytes: 256 << 20)

    /// A market and what a store has of it that takes a part every ten polls.
    private func stored(polls: Int, seed: UInt64) throws -> (market: MadeUpMarket, parts: [OpenRows]) {
        var random = SplitMix(seed: seed)
        var market = try MadeUpMarket(symbols: 9, polls: polls + 30, jumps: false, &random)
        var parts: [OpenRows] = []
        for poll in 0..<polls {
            market.poll(&random)
            parts.removeAll { $0.id != market.history.open.id }
            guard poll % 10 == 9 else { continue }
            let stored = parts.reduce(0) { $0 + $1.rowCount }
            if let part = market.history.encodeOpenRows(fromRow: stored) { parts.append(part) }
        }
        return (market, parts)
    }

    private func isSame(_ history: History, _ market: MadeUpMarket) -> Bool {
        market.symbols.allSatisfy { areIdentical(history.all($0), market.model.sorted($0)) }
    }

    @Test(arguments: [10, 500, 510, 512, 520, 1_100, 1_540])
    func theSameAgain(polls: Int) throws {
        let (market, parts) = try stored(polls: polls, seed: UInt64(polls))
        let rest = market.history.encodeOpenRows(fromRow: parts.reduce(0) { $0 + $1.rowCount })
        let blocks = try (market.history.sealed.reversed()).map { try HistoryBlock(bytes: $0.bytes) }
        var history = History(capacity)
        let all = parts + [rest].compactMap { $0 }
        let restored = history.restore(sealed: blocks, parts: all.reversed())
        #expect(restored.isComplete)
        #expect(restored.unreadable.isEmpty)
        #expect(isSame(history, market))
        #expect(history.sealed.map(\.id) == market.history.sealed.map(\.id))
        #expect(history.open == market.history.open)
        #expect(history.pollCount == polls)
        #expect(history.oldest == market.history.oldest)
        #expect(history.newest == market.history.newest)
    }

    /// Later samples continue the same block, and its parts follow those that are stored.
    @Test func itGoesOnWhereItWas() throws {
        var (market, parts) = try stored(polls: 600, seed: 3)
        var history = History(capacity)
        history.restore(sealed: market.history.sealed, parts: parts)
        let id = history.open.id
        #expect(history.open.rowCount == 88)
        let tickers = market.symbols.map { Ticker(symbol: $0, last: Price(mantissa: 5, scale: 0)) }
        history.append(tickers, at: WallTime(milliseconds: market.time + 30_000))
        let part = try #require(history.encodeOpenRows(fromRow: 88))
        #expect(part.id == id)
        #expect(part.firstRow == 88)
        #expect(part.rowCount == 1)
        parts.append(part)
        var again = History(capacity)
        again.restore(sealed: market.history.sealed, parts: parts)
        #expect(again.open == (id, 89))
        #expect(market.symbols.allSatisfy { areIdentical(again.all($0), history.all($0)) })
    }

    /// A crash between sealing a block and storing it leaves parts of it, which are in the block as well.
    @Test func partsOfASealedBlockAreNotTakenTwice() throws {
        var (market, parts) = try stored(polls: 500, seed: 4)
        var random = SplitMix(seed: 5)
        for _ in 0..<20 { market.poll(&random) }
        #expect(market.history.sealed.count == 1)
        if let part = market.history.encodeOpenRows(fromRow: 0) { parts.append(part) }
        var history = History(capacity)
        history.restore(sealed: market.history.sealed, parts: parts)
        #expect(isSame(history, market))
    }

    @Test func theCapacityHoldsForWhatIsRestored() throws {
        let (market, parts) = try stored(polls: 3_000, seed: 7)
        var history = History(HistoryCapacity(keep: .seconds(30 * 1_000), interval: .seconds(30), bytes: 1 << 20))
        history.restore(sealed: market.history.sealed, parts: parts)
        #expect((1_001...1_512).contains(history.pollCount))
        var small = History(HistoryCapacity(keep: .seconds(30 * 1_000), interval: .seconds(30), bytes: 0))
        small.restore(sealed: market.history.sealed, parts: [])
        #expect(small.byteCount <= 1 << 20)
    }

    @Test func nothingIsNothing() {
        var history = History(capacity)
        history.restore(sealed: [], parts: [])
        #expect(history.open == (1, 0))
        #expect(history.pollCount == 0)
        #expect(history.encodeOpenRows(fromRow: 0)?.bytes == nil)
        #expect(history.encodeOpenRows(fromRow: -1)?.bytes == nil)
        #expect(history.encodeOpen(fromRow: 0)?.bytes == nil)
        #expect(history.encodeOpen(fromRow: -1)?.bytes == nil)
    }
}
