/// The rule for the UTC offset of a time zone in future years, in the POSIX format of `TZ`:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Equatable, Sendable {
    /// A day of each year, and a local time in seconds from the start of that day. The time may be on an earlier or
    /// later day.
    private struct Change: Equatable {
        enum Day: Equatable {
            /// Month 1 to 12, week 1 to 5 (the last one), and weekday 0 (Sunday) to 6.
            case weekday(month: Int64, week: Int64, weekday: Int64)
            /// Day 1 to 365, not counting 29 February.
            case julian(Int64)
            /// Day 0 to 365, counting 29 February.
            case ordinal(Int64)
        }

        let day: Day
        let time: Int64
    }

    /// The standard offset from UTC in seconds, positive east of Greenwich.
    private let standard: Int64
    private let summer: Int64
    /// The start and end of summer time; nil without summer time.
    private let changes: (begin: Change, end: Change)?

    static func == (left: Self, right: Self) -> Bool {
        left.standard == right.standard && left.summer == right.summer && left.changes?.begin == right.changes?.begin
            && left.changes?.end == right.changes?.end
    }

    /// Parses a rule. Returns nil if the text is not valid.
    init?(_ text: String) {
        var reader = RuleReader(text)
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            (summer, changes) = (standard, nil)
            return
        }
        guard reader.name() else { return nil }
        var ahead = standard + 3_600
        if reader.next != "," {
            guard let west = reader.time() else { return nil }
            ahead = -west
        }
        summer = ahead
        guard let begin = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { return nil }
        changes = (begin, end)
    }

    private static func change(_ reader: inout RuleReader) -> Change? {
        guard reader.skip(","), let day = day(&reader) else { return nil }
        guard reader.skip("/") else { return Change(day: day, time: 7_200) }
        return reader.time().map { Change(day: day, time: $0) }
    }

    private static func day(_ reader: inout RuleReader) -> Change.Day? {
        if reader.skip("M") {
            guard let month = reader.number(in: 1...12), reader.skip("."), let week = reader.number(in: 1...5),
                reader.skip("."), let weekday = reader.number(in: 0...6)
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
        if reader.skip("J") { return reader.number(in: 1...365).map { .julian($0) } }
        return reader.number(in: 0...365).map { .ordinal($0) }
    }

    /// Returns the offset in seconds at a time in seconds since 1970.
    func offset(at seconds: Int64) -> Int64 {
        guard let changes else { return standard }
        let local = seconds + standard
        let year = CivilDate(daysSinceEpoch: local.floored(by: 86_400).quotient).year
        let begin = Self.seconds(of: changes.begin, inYear: year) - standard
        let end = Self.seconds(of: changes.end, inYear: year) - summer
        let isSummer =
            begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end
        return isSummer ? summer : standard
    }

    /// Returns the time of a change as seconds since 1970, in the local time before the change.
    private static func seconds(of change: Change, inYear year: Int64) -> Int64 {
        let first = days(year, 1, 1)
        let day: Int64 =
            switch change.day {
            case .ordinal(let day): first + day
            case .julian(let day): first + day - 1 + (day >= 60 && days(year, 3, 1) - first == 60 ? 1 : 0)
            case .weekday(let month, let week, let weekday):
                Self.day(weekday: weekday, week: week, month: month, year: year)
            }
        return day * 86_400 + change.time
    }

    private static func day(weekday: Int64, week: Int64, month: Int64, year: Int64) -> Int64 {
        let first = days(year, month, 1)
        let end = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
        // 1970-01-01 was a Thursday, weekday 4.
        let offset = (weekday - first - 4).floored(by: 7).remainder
        let day = first + offset + (week - 1) * 7
        return day >= end ? day - 7 : day
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        CivilDate(year: year, month: month, day: day)?.daysSinceEpoch ?? 0
    }
}

/// A parser of the parts of a rule, from left to right.
private struct RuleReader {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }
    var next: Character? { rest.first }

    mutating func skip(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads an abbreviation such as `CEST` or `<+0530>`. Returns false if there is none.
    mutating func name() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let letters = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    mutating func number(in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard digits.count <= 3, let number = Int64(digits), range.contains(number) else { return nil }
        rest = rest.dropFirst(digits.count)
        return number
    }

    /// Reads a time such as `-1`, `+5:30` or `2:00:00`, in seconds.
    mutating func time() -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(in: 0...167) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] as [Int64] where skip(":") {
            guard let part = number(in: 0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }
}
