/// The format of a block of history, version 1: the same bytes in memory and in a store.
///
/// A block contains up to 512 polls (rows) and a column for each symbol that has a price in any of them. It is
/// self-contained: it includes the names of its symbols, its number and a checksum. Numbers of fixed size are
/// little-endian. A "variable" number has seven bits per byte, least significant first, and the highest bit of a byte
/// is set if another byte follows; "zigzag" maps 0, −1, 1, −2 … to 0, 1, 2, 3 …; bits fill each byte from the
/// least significant one.
///
/// | bytes | contents |
/// | --- | --- |
/// | 4 | `aHst` |
/// | 1 | version, 1 |
/// | 1 | bit 0: no row is earlier than the one before it |
/// | 2 | rows, 1 to 512 |
/// | 2 | columns, 1 to 10,000 |
/// | 2 | number of the first row; greater than 0 only in a later part of an unfinished block |
/// | 4 | length of the block in bytes |
/// | 8 | number of the block |
/// | 8 | oldest time, milliseconds since 1970 |
/// | 8 | newest time |
/// | 4 × columns | offset of each column from the start of the block, ordered by symbol |
/// | … | time column |
/// | … | price columns, ordered by symbol |
/// | 4 | CRC-32C of all bytes before it |
///
/// ## Times
///
/// | bytes | contents |
/// | --- | --- |
/// | 1 | *w*: bytes per time in the index; 0 if all rows are one step apart, and then no index or bits follow |
/// | variable | first time − oldest |
/// | variable, zigzag | the step: second time − first |
/// | 1 | Rice parameter |
/// | (*w* + 2) × groups after the first | the group's first time − oldest; the bit offset of its other times |
/// | bits | for each group's rows after the first: a mask of the rows whose step changes, then the changes |
///
/// A group is 64 rows. Each group starts from the step of the block. A change is coded as zigzag − 1, because it is
/// never 0.
///
/// ## Prices
///
/// | bytes | contents |
/// | --- | --- |
/// | 1, n | the symbol: length, text |
/// | 2 | bits 0–4: scale *s*, or 31 if each price has its own; bits 5–9: *m*; bits 10–15: Rice parameter |
/// | variable | rows without a price |
/// | variable, 4 times | row of the first price; rows after the last price; row of the lowest, of the highest price |
/// | variable | tick: the greatest common divisor of all changes |
/// | variable, zigzag | first price |
/// | variable, 3 times | (first − lowest) ÷ tick, (highest − lowest) ÷ tick, (last − lowest) ÷ tick |
/// | bits | for each group: masks of rows with a price and of changed prices; changes in ticks as zigzag − 1 |
///
/// Prices are whole numbers of 10^−*s*. A price was received with as few decimal places as it needs, but at least
/// *m*: with *s* 2 and *m* 1, 732160 is `7321.6` and 732100 is `7321.0`. The mask of rows with a price is omitted if
/// every row has one.
///
/// If the prices were received in any other form, or do not fit in 64 bits at one scale, *s* is 31 and the tick is 1.
/// The first, last, lowest and highest price, each followed by a byte with its scale, replace the first price and the
/// three quotients. Each group ends with a mask of the prices whose scale differs from the one before, and their
/// scales in 5 bits each. Changes are differences of mantissas, whatever their scales, modulo 2^64.
///
/// ## A mask
///
/// Two bits: 0 for none, 1 for all, 2 if one bit per row or price follows. For the Rice code, see ``Rice``.
///
/// ## An example
///
/// Three polls of `btcinr`, 73216.0, 73216.5 and 73216.5, at 1,000, 31,000 and 61,000 ms, are block 1 of 76 bytes:
///
/// | bytes | meaning |
/// | --- | --- |
/// | `61 48 73 74` `01` `01` | `aHst`, version 1, rows in order of time |
/// | `03 00` `01 00` `00 00` `4c 00 00 00` | 3 rows, 1 column, from row 0 on, 76 bytes |
/// | `01 00 00 00 00 00 00 00` | block 1 |
/// | `e8 03 00 00 00 00 00 00` `48 ee 00 00 00 00 00 00` | from 1,000 to 61,000 ms |
/// | `32 00 00 00` | the column begins at byte 50 |
/// | `00` `00` `e0 d4 03` `00` | one step apart; first − oldest 0; step 30,000, zigzag 60,000; Rice parameter 0 |
/// | `06 62 74 63 69 6e 72` | `btcinr` |
/// | `21 00` | *s* 1, *m* 1, Rice parameter 0 |
/// | `00` `00` `00` `00` `01` | none missing, first row 0, none after the last, lowest in row 0, highest in row 1 |
/// | `05` `80 b0 59` | tick 0.5; first 732,160 tenths, zigzag 1,464,320 |
/// | `00` `01` `01` | first − lowest 0, highest − lowest 1 tick, last − lowest 1 tick |
/// | `2a` | bits 0 1, a mask of changes follows; 0 1 0, row 1; 1 0, zigzag(1) − 1 = 1 as Rice code |
/// | `88 15 46 3e` | CRC-32C |
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
