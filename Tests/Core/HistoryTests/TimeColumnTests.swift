import TestSupport
import Testing

@testable import History

/// Times of rows: how they are written, found and read.
@Suite("Times")
struct TimeColumnTests {
    enum Kind: CaseIterable {
        case regular, equal, irregular, jumping, backward

        func times(_ count: Int, _ random: inout SplitMix) -> [Int64] {
            var time: Int64 = -5_000
            return (0..<count).map { row in
                switch self {
                case .regular: time += 30_000
                case .equal: break
                case .irregular: time += 30_000 + Int64.random(in: -3...3, using: &random)
                case .jumping: time += row % 50 == 49 ? 1 << 40 : 30_000
                case .backward: time += row % 70 == 69 ? -100_000 : 30_000
                }
                return time
            }
        }
    }

    private func column(_ times: [Int64]) throws -> (column: TimeColumn, bytes: [UInt8]) {
        // Something stands before and after it.
        var bytes: [UInt8] = [1, 2, 3]
        let oldest = times.min() ?? 0
        TimeColumn.append(times[...], oldest: oldest, to: &bytes)
        let read = TimeColumn(at: 3, in: bytes.span, rows: times.count, oldest: oldest)
        let column = try #require(read)
        return (column, bytes + [0xAA, 0xBB])
    }

    @Test(arguments: Kind.allCases, [1, 2, 3, 63, 64, 65, 66, 128, 129, 511, 512])
    func eachRowHasItsTime(_ kind: Kind, _ count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        let times = kind.times(count, &random)
        let (column, bytes) = try column(times)
        let found = (0..<count).map { column.time(ofRow: $0, in: bytes.span) }
        #expect(found == times)
        for group in 0..<BlockFormat.groupCount(rows: count) {
            let base = column.base(ofGroup: group, in: bytes.span)
            #expect(base == times[group * 64])
            var read = TimeColumn.Group(repeating: 0)
            column.read(group, from: bytes.span, into: &read)
            let rows = BlockFormat.rows(ofGroup: group, of: count)
            #expect((0..<rows).map { read[$0] } == Array(times[group * 64..<group * 64 + rows]))
        }
    }

    @Test(arguments: [Kind.regular, .equal, .irregular, .jumping], [1, 2, 63, 64, 65, 129, 512])
    func theFirstRowNotBeforeATime(_ kind: Kind, _ count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        let times = kind.times(count, &random)
        let (column, bytes) = try column(times)
        for time in Set(times.flatMap { [$0 - 1, $0, $0 + 1] }) {
            let expected = times.firstIndex { $0 >= time } ?? count
            let row = column.firstRow(notBefore: time, in: bytes.span)
            #expect(row == expected, "\(time)")
        }
    }

    /// Polls that are as far apart as the first two take no bits.
    @Test func regularTimesTakeFewBytes() {
        var random = SplitMix(seed: 1)
        for (kind, limit) in [(Kind.regular, 8), (.equal, 5), (.irregular, 512), (.jumping, 512)] {
            var bytes: [UInt8] = []
            let times = kind.times(512, &random)
            TimeColumn.append(times[...], oldest: times[0], to: &bytes)
            #expect(bytes.count <= limit, "\(kind)")
        }
    }

    @Test func timesAtTheEndsOfTheirRange() throws {
        for times in [[Int64.max], [.min], [.min, .max], [.max, .min, 0], [0, .max, .min, .max]] {
            let (column, bytes) = try column(times)
            let found = times.indices.map { column.time(ofRow: $0, in: bytes.span) }
            #expect(found == times)
        }
    }

    private func isThere(_ bytes: [UInt8], rows: Int, at position: Int = 0) -> Bool {
        TimeColumn(at: position, in: bytes.span, rows: rows, oldest: 5) != nil
    }

    @Test func bytesThatEndTooSoonAreNone() {
        var bytes: [UInt8] = []
        TimeColumn.append([5, 10, 20, 21], oldest: 5, to: &bytes)
        #expect(isThere(bytes, rows: 4))
        for count in 0..<4 { #expect(!isThere(Array(bytes.prefix(count)), rows: 4)) }
        #expect(!isThere(bytes, rows: 4, at: bytes.count))
        // More bytes than a number has, an invalid parameter, and fewer bytes than an index of two groups.
        #expect(!isThere([9, 0, 0, 0], rows: 4))
        #expect(!isThere([1, 0, 0, 64], rows: 4))
        #expect(isThere([1, 0, 0, 63], rows: 4))
        #expect(!isThere([1, 0, 0, 0, 0, 0], rows: 65))
        #expect(isThere([1, 0, 0, 0, 0, 0, 0], rows: 65))
    }
}
