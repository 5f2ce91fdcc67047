internal import Market
internal import Time

/// The form of the times in a file.
enum TimeForm: Equatable, Sendable {
    case text
    case seconds
    case milliseconds
    case microseconds
    case nanoseconds

    var text: String {
        switch self {
        case .text: "times as dates (UTC unless they have a zone)"
        case .seconds: "times in seconds"
        case .milliseconds: "times in milliseconds"
        case .microseconds: "times in microseconds"
        case .nanoseconds: "times in nanoseconds"
        }
    }
}

/// Reads a time: a number since 1970, whose number of digits determines its unit, or a date and time in the style of
/// ISO 8601, in UTC unless it has a zone. Digits finer than a millisecond are dropped. Returns nil for anything else.
///
/// For times from 1973 to 5138, no two units have the same number of digits: seconds have 9 to 11, milliseconds 12 to
/// 14, microseconds 15 to 17, nanoseconds 18 and 19.
func importedTime(_ text: Span<UInt8>, in range: Range<Int>) -> (form: TimeForm, milliseconds: Int64)? {
    var cursor = ByteCursor(in: range)
    guard let digits = cursor.digits(upTo: 19, text) else { return nil }
    guard digits.count >= 9 else {
        return isoTime(text, in: range).map { (.text, $0) }
    }
    var fraction: Int64 = 0
    if cursor.consume(0x2E, text) {
        guard let part = cursor.fraction(text) else { return nil }
        fraction = part
    }
    guard cursor.isAtEnd else { return nil }
    switch digits.count {
    case 9...11: return (.seconds, digits.value * 1_000 + fraction)
    case 12...14: return (.milliseconds, digits.value)
    case 15...17: return (.microseconds, digits.value / 1_000)
    default: return (.nanoseconds, digits.value / 1_000_000)
    }
}

/// Reads `2026-11-21`, `2026-11-21 05:22` or `2026-11-21T05:22:44.123+01:00`.
private func isoTime(_ text: Span<UInt8>, in range: Range<Int>) -> Int64? {
    var cursor = ByteCursor(in: range)
    guard let year = cursor.number(4, text), cursor.consume(0x2D, text),
        let month = cursor.number(2, text), cursor.consume(0x2D, text),
        let day = cursor.number(2, text), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let midnight = date.daysSinceEpoch * 86_400_000
    if cursor.isAtEnd { return midnight }
    guard cursor.consume(0x54, text) || cursor.consume(0x20, text) else { return nil }
    guard let hour = cursor.number(2, text), hour < 24, cursor.consume(0x3A, text),
        let minute = cursor.number(2, text), minute < 60
    else { return nil }
    var rest: Int64 = 0
    if cursor.consume(0x3A, text) {
        guard let second = cursor.number(2, text), second < 60 else { return nil }
        rest = second * 1_000
        // ISO 8601 allows a decimal comma too.
        if cursor.consume(0x2E, text) || cursor.consume(0x2C, text) {
            guard let fraction = cursor.fraction(text) else { return nil }
            rest += fraction
        }
    }
    guard let offset = cursor.offset(text), cursor.isAtEnd else { return nil }
    return midnight + (hour * 60 + minute - offset) * 60_000 + rest
}

/// A cursor that reads bytes from left to right.
struct ByteCursor {
    private(set) var position: Int
    private let end: Int

    init(in range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// Returns the next byte without consuming it; nil at the end.
    func next(_ text: Span<UInt8>) -> UInt8? { position < end ? text[position] : nil }

    mutating func consume(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard position < end, text[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skip(_ text: Span<UInt8>, while accepts: (UInt8) -> Bool) {
        while position < end, accepts(text[position]) { position += 1 }
    }

    /// Consumes a run of at most `most` digits. Returns nil if there are no digits or more than `most`, or if the
    /// number does not fit in 64 bits, which numbers of 18 digits always do.
    mutating func digits(upTo most: Int, _ text: Span<UInt8>) -> (value: Int64, count: Int)? {
        let start = position
        var value: Int64 = 0
        while position < end, position - start <= most, text[position] &- 0x30 < 10 {
            let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooLarge) = product.addingReportingOverflow(Int64(text[position] - 0x30))
            guard !isLarge, !isTooLarge else { return nil }
            value = sum
            position += 1
        }
        let count = position - start
        return (1...most).contains(count) ? (value, count) : nil
    }

    /// Consumes a number of exactly `count` digits.
    mutating func number(_ count: Int, _ text: Span<UInt8>) -> Int64? {
        guard position + count <= end else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            guard text[position] &- 0x30 < 10 else { return nil }
            value = value * 10 + Int64(text[position] - 0x30)
            position += 1
        }
        return value
    }

    /// Consumes the digits after a decimal point, and returns them as milliseconds.
    mutating func fraction(_ text: Span<UInt8>) -> Int64? {
        let start = position
        var value: Int64 = 0
        while position < end, text[position] &- 0x30 < 10 {
            if position - start < 3 { value = value * 10 + Int64(text[position] - 0x30) }
            position += 1
        }
        let count = position - start
        guard count > 0 else { return nil }
        return value * [1, 100, 10, 1][min(count, 3)]
    }

    /// Consumes `Z`, `+01:00`, `+0100` or ` UTC`, and returns the minutes east of UTC; 0 at the end of the text.
    mutating func offset(_ text: Span<UInt8>) -> Int64? {
        if isAtEnd || consume(0x5A, text) { return 0 }
        if consume(0x20, text) { return consume(0x55, text) && consume(0x54, text) && consume(0x43, text) ? 0 : nil }
        let isWest = consume(0x2D, text)
        guard isWest || consume(0x2B, text), let hours = number(2, text), hours < 24 else { return nil }
        _ = consume(0x3A, text)
        guard let minutes = number(2, text), minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
