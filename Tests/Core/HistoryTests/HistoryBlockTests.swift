import FuzzEntries
import History
import Market
import TestSupport
import Testing

@Suite("History block")
struct HistoryBlockTests {
    private func block(rows: Int = 70, symbols: Int = 9, seed: UInt64 = 1) throws -> HistoryBlock {
        var random = SplitMix(seed: seed)
        var market = try MadeUpMarket(symbols: symbols, polls: rows, jumps: false, &random)
        for _ in 0..<rows { market.poll(&random) }
        return try #require(market.history.encodeOpen(fromRow: 0))
    }

    @Test func eachFlippedBitIsFound() throws {
        let block = try block(rows: 20, symbols: 3)
        for index in block.bytes.indices {
            for bit in 0..<8 {
                var bytes = block.bytes
                bytes[index] ^= 1 << UInt8(bit)
                #expect(throws: BlockError.self) { try HistoryBlock(bytes: bytes) }
            }
        }
    }

    @Test func eachShorterOrLongerOneIsFound() throws {
        let bytes = try block(symbols: 3).bytes
        for count in 0..<bytes.count {
            #expect(throws: BlockError.self) { try HistoryBlock(bytes: Array(bytes.prefix(count))) }
        }
        #expect(throws: BlockError.length(expected: bytes.count, found: bytes.count + 1)) {
            try HistoryBlock(bytes: bytes + [0])
        }
        #expect(throws: BlockError.length(expected: bytes.count, found: bytes.count - 1)) {
            try HistoryBlock(bytes: bytes.dropLast())
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        var bytes = try block().bytes
        bytes[4] = 2
        #expect(throws: BlockError.version(2)) { try HistoryBlock(bytes: bytes) }
        bytes[4] = 1
        bytes[60] ^= 1
        #expect(throws: BlockError.checksum) { try HistoryBlock(bytes: bytes) }
        #expect(throws: BlockError.notABlock) { try HistoryBlock(bytes: Array("SQLite format 3".utf8)) }
        #expect(throws: BlockError.notABlock) { try HistoryBlock(bytes: []) }
        #expect(BlockError.version(2).description.contains("version 2"))
        #expect("\(BlockError.length(expected: 5, found: 4))" == "a block of 5 bytes, but 4 were found")
        for error in [BlockError.notABlock, .checksum, .content] { #expect(error.description.contains("block")) }
    }

    /// Bytes that are damaged on purpose, with a correct checksum: nothing breaks, whatever they contain.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func nonsenseDoesNoHarm(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let bytes = try block(rows: 300, seed: seed).bytes
        var accepted = 0
        for _ in 0..<100 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...1, using: &random) == 0 ? 500 : damaged.count - 4
                damaged[Int.random(in: 5..<place, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            accepted += FuzzEntry.historyBlock.run(damaged) ? 1 : 0
        }
        #expect(accepted > 10, "seed \(seed)")
    }

    /// The seeds of the fuzzer are valid, and so is everything that can be done with them.
    @Test func theFuzzersSeedsAreBlocks() {
        let seeds = FuzzEntry.historyBlock.seeds()
        #expect(seeds.count == 4)
        for seed in seeds {
            #expect((try? HistoryBlock(bytes: seed)) != nil)
            #expect(FuzzEntry.historyBlock.run(seed))
        }
        #expect(!FuzzEntry.historyBlock.run([]))
    }

    @Test func aBlockSaysWhatItHolds() throws {
        var random = SplitMix(seed: 5)
        var market = try MadeUpMarket(symbols: 9, polls: 512, jumps: false, &random)
        for _ in 0..<512 { market.poll(&random) }
        let block = try #require(market.history.sealed.first)
        #expect(block.rowCount == 512)
        #expect(block.summaries.map(\.symbol) == market.symbols.sorted())
        for summary in block.summaries {
            let expected = try #require(
                market.model.statistics(summary.symbol, since: .distantPast, until: .distantFuture))
            #expect(summary.count == expected.count)
            #expect(areIdentical([summary.first, summary.last], [expected.first, expected.last]))
            #expect(summary.lowest == expected.lowest.price)
            #expect(summary.highest == expected.highest.price)
        }
    }
}
