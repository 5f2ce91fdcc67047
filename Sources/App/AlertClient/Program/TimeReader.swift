internal import Arguments
internal import Market
internal import Time

/// Reads times as people write them, in the time zone that times are shown in.
struct TimeReader {
    static let forms =
        "2026-11-20, '2026-11-20 14:00', 14:00, 14.00 or 2pm, 2026-11-20T14:00:00Z, 24h, -24h or '24 hours ago', "
        + "today, yesterday, or 'mon 09:00' for the last Monday"

    private let now: WallTime
    private let zone: (WallTime) -> LocalZone

    init(now: WallTime, zone: @escaping (WallTime) -> LocalZone) {
        self.now = now
        self.zone = zone
    }

    /// The time; nil if the text has none of the ``forms``. A date is its first instant; a time without a date is
    /// today's.
    func time(_ text: String) -> WallTime? {
        let text = Self.withFullClock(text.lowercased())
        if text == "now" { return now }
        if let distance = Self.distance(text) {
            let (time, isOver) = now.milliseconds.addingReportingOverflow(distance)
            return isOver ? nil : WallTime(milliseconds: time)
        }
        return WallTime(rfc3339: text.uppercased()) ?? named(text) ?? local(text)
    }

    /// The milliseconds from now: `24h`, `-24h` and `24 hours ago` are in the past, `+2h` is in the future.
    private static func distance(_ text: String) -> Int64? {
        if let ago = Milliseconds(text) { return -ago.count }
        if let sign = ["-", "+"].first(where: { text.hasPrefix($0) }) {
            return Milliseconds(String(text.dropFirst())).map { sign == "-" ? -$0.count : $0.count }
        }
        let words = text.split(separator: " ").map(String.init)
        guard words.last == "ago", words.count >= 2 else { return nil }
        return length(words.dropLast()).map { -$0 }
    }

    /// `1 hour 30 minutes`, `90min`, `2 days`
    private static func length(_ words: [String]) -> Int64? {
        if words.count == 1 { return Milliseconds(words[0])?.count }
        guard words.count.isMultiple(of: 2) else { return nil }
        var sum: Int64 = 0
        for place in stride(from: 0, to: words.count, by: 2) {
            guard let number = Int64(words[place]), number >= 0, let unit = unit(words[place + 1]) else { return nil }
            let (part, isOver) = number.multipliedReportingOverflow(by: unit)
            let (total, isTooLong) = sum.addingReportingOverflow(part)
            guard !isOver, !isTooLong else { return nil }
            sum = total
        }
        return sum
    }

    /// The milliseconds of a unit of time.
    private static func unit(_ word: String) -> Int64? {
        switch word {
        case "s", "sec", "secs", "second", "seconds": 1_000
        case "m", "min", "mins", "minute", "minutes": 60_000
        case "h", "hr", "hrs", "hour", "hours": 3_600_000
        case "d", "day", "days": 86_400_000
        case "w", "week", "weeks": 7 * 86_400_000
        default: nil
        }
    }

    /// `yesterday`, `today 14:00`, `mon 09:00`: a named day, at its beginning unless a time follows.
    private func named(_ text: String) -> WallTime? {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first, let day = day(word) else { return nil }
        return local(words.count > 1 ? "\(day)T\(words[1])" : "\(day)")
    }

    private func day(_ word: String) -> CivilDate? {
        let today = LocalTime(now, zone(now)).date.daysSinceEpoch
        switch word {
        case "today": return CivilDate(daysSinceEpoch: today)
        case "yesterday": return CivilDate(daysSinceEpoch: today - 1)
        case "tomorrow": return CivilDate(daysSinceEpoch: today + 1)
        default:
            // 1970-01-01 was a Thursday.
            let names = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
            guard word.count >= 3, let wanted = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
            let back = ((today - Int64(wanted)) % 7 + 7) % 7
            return CivilDate(daysSinceEpoch: today - back)
        }
    }

    /// The time as ``time(_:)`` reads it, but a time without a date that has passed today is tomorrow's.
    func coming(_ text: String) -> WallTime? {
        let text = Self.withFullClock(text.lowercased())
        guard let time = time(text), time <= now, Self.isClock(text) else { return time(text) }
        let tomorrow = CivilDate(daysSinceEpoch: LocalTime(now, zone(now)).date.daysSinceEpoch + 1)
        return local("\(tomorrow)T\(text)")
    }

    /// The text with its time of day in 24 hours, two digits and a colon: `mon 9:30 pm` is `mon 21:30`, and so is
    /// `mon 21.30`.
    static func withFullClock(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        if words.count > 1, let last = words.last, ["am", "pm"].contains(last) {
            words.removeLast()
            words[words.count - 1] += last
        }
        guard var clock = words.popLast() else { return text }
        let half = ["am", "pm"].first { clock.hasSuffix($0) }
        if half != nil { clock.removeLast(2) }
        if let dot = clock.firstIndex(of: "."), clock[dot...].dropFirst().utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            clock[dot...].utf8.count == 3
        {
            clock.replaceSubrange(dot...dot, with: ":")
        }
        var parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, first.utf8.count <= 2, var hour = Int(first), parts.count > 1 || half != nil
        else { return text }
        if let half {
            guard (1...12).contains(hour) else { return text }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
            if parts.count == 1 { parts.append("00") }
        }
        parts[0] = (hour < 10 ? "0" : "") + "\(hour)"
        return (words + [parts.joined(separator: ":")]).joined(separator: " ")
    }

    private static func isClock(_ text: String) -> Bool { text.dropFirst(2).first == ":" }

    private func local(_ text: String) -> WallTime? {
        let whole = Self.isClock(text) ? "\(LocalTime(now, zone(now)).date)T\(text)" : text
        let ends = ["Z", ":00Z", "T00:00:00Z"]
        let reading = ends.lazy.compactMap { WallTime(rfc3339: whole + $0) }.first
        return reading.map(onTheWall)
    }

    /// The instant at which local clocks show the time that UTC shows at `reading`. When clocks are set back, it is the
    /// first of the two; when they are set forward past it, the instant that it would have been.
    private func onTheWall(_ reading: WallTime) -> WallTime {
        let day: Int64 = 86_400_000
        let offsets = [-day, day].map { distance in
            Int64(zone(WallTime(milliseconds: reading.milliseconds + distance)).offsetSeconds) * 1_000
        }
        let candidates = offsets.map { WallTime(milliseconds: reading.milliseconds - $0) }
        let fitting = zip(candidates, offsets).filter { Int64(zone($0).offsetSeconds) * 1_000 == $1 }
        return fitting.map(\.0).min() ?? candidates[0]
    }
}

/// The time range that a user asks for; nil means open-ended.
struct TimeRange {
    var since: WallTime?
    var until: WallTime?

    /// Reads `--since` and `--until`.
    init(_ context: Context) throws(ClientError) {
        since = try Self.time("since", context)
        until = try Self.time("until", context)
        if let since, let until, since >= until {
            throw .usage("--since \(since) is not before --until \(until)")
        }
    }

    private static func time(_ option: String, _ context: Context) throws(ClientError) -> WallTime? {
        guard let text = context.arguments.value(option) else { return nil }
        guard let time = context.formatter.reader.time(text) else {
            throw .usage("--\(option) takes a time: \(TimeReader.forms)")
        }
        return time
    }
}
