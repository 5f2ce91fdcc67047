extension WallTime: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds: `2026-11-21T05:22:44.123Z`.
    ///
    /// Years are 0000 to 9999 of the Gregorian calendar. A time outside this range is shown as the nearest time in it.
    @usableFromInline package var description: String {
        let rest = inside.floored(by: 86_400_000).remainder
        let (minutes, remainder) = rest.quotientAndRemainder(dividingBy: 60_000)
        var writer = FixedWriter()
        date.write(to: &writer)
        writer.put("T")
        writer.number(minutes / 60, digits: 2)
        writer.put(":")
        writer.number(minutes % 60, digits: 2)
        writer.put(":")
        writer.number(remainder / 1_000, digits: 2)
        writer.put(".")
        writer.number(remainder % 1_000, digits: 3)
        writer.put("Z")
        return writer.text
    }

    /// The date in UTC, with years limited to the same range.
    package var date: CivilDate { CivilDate(daysSinceEpoch: inside.floored(by: 86_400_000).quotient) }

    /// The end of the year 9999, the latest time that can be shown.
    package static let latest = WallTime(milliseconds: 253_402_300_799_999)

    private var inside: Int64 { min(max(milliseconds, -62_167_219_200_000), Self.latest.milliseconds) }

    /// Parses RFC 3339 with any offset and up to nine decimals of the second: `2026-11-21T05:22:44Z`,
    /// `2026-11-21 06:22:44.5+01:00`. Returns nil for any other text. Digits after the milliseconds are cut off.
    package init?(rfc3339 text: String) {
        var reader = FixedReader(Array(text.utf8))
        guard let date = CivilDate(reading: &reader), reader.consume("Tt "),
            let hour = reader.number(2, 0...23), reader.consume(":"),
            let minute = reader.number(2, 0...59), reader.consume(":"),
            let second = reader.number(2, 0...60),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let minutes = date.daysSinceEpoch * 1_440 + hour * 60 + minute - offset
        self.init(milliseconds: minutes * 60_000 + second * 1_000 + fraction)
    }
}

/// A day of the Gregorian calendar, proleptic before 1582.
public struct CivilDate: Hashable, Sendable {
    /// 0 to 9999.
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// 1 to the last day of the month.
    public let day: Int64

    /// Makes a date, or nil if there is no such day or the year is not in 0 to 9999.
    public init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9_999).contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= Self.days(inMonth: month, ofYear: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Makes the date that is this many days after 1970-01-01, by Howard Hinnant's `civil_from_days`, in which years
    /// begin in March.
    package init(daysSinceEpoch: Int64) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01, by Howard Hinnant's `days_from_civil`.
    public var daysSinceEpoch: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The start of the day in UTC.
    package var begin: WallTime { WallTime(milliseconds: daysSinceEpoch * 86_400_000) }

    /// Parses `2026-11-21`. Returns nil for any other text.
    package init?(_ text: String) {
        var reader = FixedReader(Array(text.utf8))
        guard let date = CivilDate(reading: &reader), reader.isAtEnd else { return nil }
        self = date
    }

    fileprivate init?(reading reader: inout FixedReader) {
        guard let year = reader.number(4, 0...9_999), reader.consume("-"), let month = reader.number(2, 1...12),
            reader.consume("-"), let day = reader.number(2, 1...31)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func days(inMonth month: Int64, ofYear year: Int64) -> Int64 {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2026-11-21`.
    public var description: String {
        var writer = FixedWriter()
        write(to: &writer)
        return writer.text
    }

    fileprivate func write(to writer: inout FixedWriter) {
        writer.number(year, digits: 4)
        writer.put("-")
        writer.number(month, digits: 2)
        writer.put("-")
        writer.number(day, digits: 2)
    }
}

extension CivilDate: Comparable {
    /// Returns true if the left date is before the right one.
    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

/// A reader of fixed-width fields, from the start of a text.
private struct FixedReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func consume(_ accepted: StaticString) -> Bool {
        guard position < bytes.count else { return false }
        let byte = bytes[position]
        guard accepted.withUTF8Buffer({ unsafe $0.contains(byte) }) else { return false }
        position += 1
        return true
    }

    mutating func number(_ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
        guard position + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[position..<position + digits] {
            guard byte &- 0x30 < 10 else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        position += digits
        return range.contains(value) ? value : nil
    }

    /// Reads a fraction such as `.123456` as whole milliseconds. Returns 0 if there is none.
    mutating func fraction() -> Int64? {
        guard consume(".") else { return 0 }
        let digits = bytes[position...].prefix { $0 &- 0x30 < 10 }
        guard (1...9).contains(digits.count) else { return nil }
        position += digits.count
        let three = digits.prefix(3).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return three * [1, 100, 10, 1][min(digits.count, 3)]
    }

    /// Reads `Z` or an offset such as `+01:00` as minutes east of UTC.
    mutating func offset() -> Int64? {
        if consume("Zz") { return 0 }
        let isWest = consume("-")
        guard isWest || consume("+"), let hours = number(2, 0...23), consume(":"), let minutes = number(2, 0...59)
        else {
            return nil
        }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}

/// A writer of fixed-width fields. It makes no strings for the parts, because lists have a time in each row.
private struct FixedWriter {
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(24)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func put(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
    }

    /// Writes the last digits of a non-negative number, with leading zeros.
    mutating func number(_ number: Int64, digits: Int) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        for _ in 0..<digits {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
