/// The format of a block of history, version 1: the same bytes in memory and in a store.
///
/// A block holds the prices of up to 512 polls (rows) for every symbol that had one in them (columns). It is
/// self-contained: it includes the names of its symbols, its number and a checksum. Numbers of fixed size begin with
/// their least significant byte; a "variable" number has seven bits a byte, the least significant first, and its
/// highest bit says that more follow; "zigzag" maps 0, −1, 1, −2 … to 0, 1, 2, 3 …; bits fill a byte from the
/// least significant on.
///
/// | bytes | what |
/// | --- | --- |
/// | 4 | `aHst` |
/// | 1 | version, 1 |
/// | 1 | bit 0: times never go back from a row to the next |
/// | 2 | rows, 1 to 512 |
/// | 2 | columns, 1 to 10,000 |
/// | 2 | number of its first row: 0, or more in a part of a block that is not full yet |
/// | 4 | length of the block in bytes |
/// | 8 | number of the block |
/// | 8 | oldest time, milliseconds since 1970 |
/// | 8 | newest time |
/// | 4 × columns | where each column begins, counted from the start of the block; by name |
/// | … | column of times |
/// | … | columns of prices, by name |
/// | 4 | CRC-32C of all bytes before it |
///
/// ## Times
///
/// | bytes | what |
/// | --- | --- |
/// | 1 | *w*: how many bytes a time of the index has, or 0: the rows are one step apart, and nothing follows the step |
/// | variable | first time − oldest |
/// | variable, zigzag | the step: second time − first |
/// | 1 | Rice's parameter |
/// | (*w* + 2) × groups after the first | the group's first time − oldest; in which bit its others begin |
/// | bits | for each group its rows after the first: a mask of those whose step differs from the one before, then how |
///
/// A group is 64 rows. The step before a group's first is the block's. A difference is coded as zigzag − 1, since it
/// is never 0.
///
/// ## Prices
///
/// | bytes | what |
/// | --- | --- |
/// | 1, n | the symbol: length, text |
/// | 2 | bits 0–4: scale *s*, or 31: each price has its own; bits 5–9: *m*; bits 10–15: Rice's parameter |
/// | variable | rows without a price |
/// | variable, 4 times | row of the first price; rows after the last; row of the first lowest, of the first highest |
/// | variable | tick: the greatest number that divides every change |
/// | variable, zigzag | first price |
/// | variable, 3 times | (first − lowest) ÷ tick, (highest − lowest) ÷ tick, (last − lowest) ÷ tick |
/// | bits | for each group: which rows have a price, which of these changed, and by how many ticks, as zigzag − 1 |
///
/// Prices are whole numbers of 10^−*s*. A price was written with as few decimal places as it needs, but at least *m*:
/// with *s* 2 and *m* 1, 732160 is `7321.6` and 732100 is `7321.0`. The rows with a price are not coded where every row
/// has one.
///
/// Where prices are not written like that, or do not fit 64 bits at one scale, *s* is 31: the tick is 1, the first
/// price and the three quotients are replaced by the first, last, lowest and highest price with a byte of scale each,
/// and each group ends with a mask of the prices whose scale differs from the one before, and those scales in 5 bits
/// each. Changes are of the digits alone, modulo 2^64.
///
/// ## A mask
///
/// Two bits: 0 none, 1 all, 2 a bit for each follows. Rice's code: ``Rice``.
///
/// ## An example
///
/// Three polls of `btcinr`, 73216.0, 73216.5 and 73216.5, at 1,000, 31,000 and 61,000 ms, are block 1 of 76 bytes:
///
/// | bytes | what |
/// | --- | --- |
/// | `61 48 73 74` `01` `01` | `aHst`, version 1, times never go back |
/// | `03 00` `01 00` `00 00` `4c 00 00 00` | 3 rows, 1 column, from row 0 on, 76 bytes |
/// | `01 00 00 00 00 00 00 00` | block 1 |
/// | `e8 03 00 00 00 00 00 00` `48 ee 00 00 00 00 00 00` | from 1,000 to 61,000 ms |
/// | `32 00 00 00` | the column begins at byte 50 |
/// | `00` `00` `e0 d4 03` `00` | one step apart; first − oldest 0; step 30,000, zigzag 60,000; no parameter |
/// | `06 62 74 63 69 6e 72` | `btcinr` |
/// | `21 00` | *s* 1, *m* 1, Rice's parameter 0 |
/// | `00` `00` `00` `00` `01` | none missing, first row 0, none after the last, lowest in row 0, highest in row 1 |
/// | `05` `80 b0 59` | tick 0.5; first 732,160 tenths, zigzag 1,464,320 |
/// | `00` `01` `01` | first − lowest 0, highest − lowest 1 tick, last − lowest 1 tick |
/// | `2a` | bits 0 1, a mask of the changed; 0 1 0, row 1; 1 0, zigzag(1) − 1 = 1 in Rice's code |
/// | `88 15 46 3e` | CRC-32C |
enum BlockFormat {
    static let magic: [UInt8] = Array("aHst".utf8)
    static let version: UInt8 = 1
    /// Four hours of polls every 30 s. Half as many cost a tenth more bytes per price; twice as many save a twentieth,
    /// but double what a query has to decode at the ends of its window.
    static let rowLimit = 512
    /// The numbers that blocks may have: enough for a thousand a second over 285,000 years, and the next one never
    /// overflows.
    static let ids: ClosedRange<Int64> = 0...1 << 53
    /// The number of rows that share a mask, which then fits into a word.
    static let groupSize = 64
    static let headerCount = 40
    static let checksumCount = 4
    static let offsetCount = 4
    /// Replaces the scale where each price has its own.
    static let ownScales: UInt8 = 31

    static func groupCount(rows: Int) -> Int { (rows + groupSize - 1) / groupSize }

    /// How many rows the group has.
    static func rows(ofGroup group: Int, of rows: Int) -> Int { min(groupSize, rows - group * groupSize) }
}
