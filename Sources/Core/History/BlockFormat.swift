/// If the prices were received in any other form, or do not fit in 64 bits at one scale, *s* is 31 and the tick is 1.
/// The first, last, lowest and highest price, each followed by a byte with its scale, replace the first price and the
/// three quotients. Each group ends with a mask of the prices whose scale differs from the one before, and their
/// scales in 5 bits each. Changes are differences of mantissas, whatever their scales, modulo 2^64.
enum BlockFormat {
    static let magic: [UInt8] = Array("aHst".utf8)
    static let version: UInt8 = 1
    /// Four hours of polls every 30 s. Half as many rows would cost 10% more bytes per price. Twice as many would save
    /// 5%, but double the work of a query, which decodes the blocks at both ends of its window.
    static let rowLimit = 512
    /// The valid block numbers: enough for a thousand blocks a second over 285,000 years, and adding 1 never
    /// overflows.
    static let ids: ClosedRange<Int64> = 0...1 << 53
    /// The number of rows that share a mask, so that a mask fits in a word.
    static let groupSize = 64
    static let headerCount = 40
    static let checksumCount = 4
    static let offsetCount = 4
    /// The value in place of a scale if each price has its own.
    static let ownScales: UInt8 = 31

    static func groupCount(rows: Int) -> Int { (rows + groupSize - 1) / groupSize }

    static func rows(ofGroup group: Int, of rows: Int) -> Int { min(groupSize, rows - group * groupSize) }
}
