internal import Arguments
internal import Diagnostics
internal import Market
internal import Time

/// A parser of times as people write them, in the time zone that alertctl shows times in.
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

    /// Parses a time; nil if the text has none of the ``forms``. A date means the first instant of that day. A time
    /// without a date means today.
    func time(_ text: String) -> WallTime? {
        let text = Self.withFullClock(text.lowercased())
        if text == "now" { return now }
        if text.hasPrefix("@") { return Self.unixTime(text.dropFirst()) }
        if let distance = Self.distance(text) {
            let (time, isOver) = now.milliseconds.addingReportingOverflow(distance)
            return isOver ? nil : WallTime(milliseconds: time)
        }
        return WallTime(rfc3339: text.uppercased()) ?? Self.zoned(text) ?? named(text) ?? local(text)
    }

    /// Returns advice about a text that has none of the ``forms``.
    func advice(_ text: String) -> String {
        TimeAdvice(text, now: LocalTime(now, zone(now)).date).sentence ?? "write \(Self.forms)"
    }

    /// Parses seconds since 1970, `@1795392000` in the syntax of journalctl.
    private static func unixTime(_ digits: Substring) -> WallTime? {
        guard !digits.isEmpty, digits.utf8.count <= 12, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int64(digits).map { WallTime(milliseconds: $0 * 1_000) }
    }

    /// Parses an offset from now in milliseconds: `24h`, `-24h` and `24 hours ago` are in the past, `+2h` is in the
    /// future.
    private static func distance(_ text: String) -> Int64? {
        if text.hasPrefix("+") { return Milliseconds.written(String(text.dropFirst()))?.count }
        let past = text.hasPrefix("-") ? text.dropFirst() : text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
        return Milliseconds.written(String(past)).map { -$0.count }
    }

    /// Parses a date and time with an offset from UTC, less strictly than RFC 3339: seconds may be missing, a space
    /// may precede the offset, and it may be written `UTC` or `+0530`.
    private static func zoned(_ text: String) -> WallTime? {
        guard let (clock, offset) = splitOffset(text) else { return nil }
        let body = withFullClock(String(clock.reversed().drop { $0 == " " }.reversed()))
        let seconds = body.utf8.count { $0 == UInt8(ascii: ":") } == 1 ? ":00" : ""
        return WallTime(rfc3339: (inFull(body) + seconds + offset).uppercased())
    }

    /// Splits a text into the part before the offset and the offset in the form of RFC 3339.
    private static func splitOffset(_ text: String) -> (Substring, String)? {
        for name in ["utc", "gmt", "z"] where text.hasSuffix(name) { return (text.dropLast(name.utf8.count), "z") }
        guard let colon = text.firstIndex(of: ":"), let sign = text[colon...].lastIndex(where: { "+-".contains($0) })
        else { return nil }
        let digits = text[sign...].dropFirst()
        switch digits.utf8.count {
        case 2: return (text[..<sign], "\(text[sign...]):00")
        case 4: return (text[..<sign], "\(text[sign])\(digits.prefix(2)):\(digits.suffix(2))")
        default: return (text[..<sign], String(text[sign...]))
        }
    }

    /// Parses a named day, such as `yesterday`, `today 14:00` or `mon 09:00`; without a time, the beginning of the
    /// day.
    private func named(_ text: String) -> WallTime? {
        var words = text.split(separator: " ").map(String.init)
        let isBefore = words.first == "last" && words.count > 1
        if isBefore { words.removeFirst() }
        guard let word = words.first, words.count <= 2, let day = day(word, isBefore: isBefore) else { return nil }
        return local(words.count > 1 ? "\(day)T\(words[1])" : "\(day)")
    }

    /// Parses the name of a day.
    ///
    /// - Parameters:
    ///   - word: The name of the day.
    ///   - isBefore: True if the day must be before today, as after `last`; then only days of the week are valid.
    /// - Returns: The day; nil if the word does not name a day.
    private func day(_ word: String, isBefore: Bool) -> CivilDate? {
        let today = LocalTime(now, zone(now)).date.daysSinceEpoch
        let distances: [String: Int64] = ["yesterday": -1, "today": 0, "tomorrow": 1]
        if !isBefore, let distance = distances[word] { return CivilDate(daysSinceEpoch: today + distance) }
        // 1970-01-01 was a Thursday.
        let names = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
        guard word.count >= 3, let wanted = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
        let back = ((today - Int64(wanted)) % 7 + 7) % 7
        return CivilDate(daysSinceEpoch: today - (isBefore && back == 0 ? 7 : back))
    }

    /// Parses a time like ``time(_:)``, but a time without a date that has already passed today means tomorrow.
    func coming(_ text: String) -> WallTime? {
        let text = Self.withFullClock(text.lowercased())
        guard let time = time(text), time <= now, Self.isClock(text) else { return time(text) }
        let tomorrow = CivilDate(daysSinceEpoch: LocalTime(now, zone(now)).date.daysSinceEpoch + 1)
        return local("\(tomorrow)T\(text)")
    }

    /// Returns the text with its time of day as two digits of a 24-hour clock and a colon: `mon 9:30 pm` and `mon
    /// 21.30` become `mon 21:30`.
    static func withFullClock(_ text: String) -> String {
        var words = text.split(separator: " ").map(String.init)
        if words.count > 1, let last = words.last, ["am", "pm"].contains(last) {
            words.removeLast()
            words[words.count - 1] += last
        }
        guard var clock = words.popLast() else { return text }
        if clock == "noon" { clock = "12:00" }
        if clock == "midnight" { clock = "00:00" }
        let half = ["am", "pm"].first { clock.hasSuffix($0) }
        if half != nil { clock.removeLast(2) }
        if let dot = clock.firstIndex(of: "."), clock[dot...].dropFirst().utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            clock[dot...].utf8.count == 3
        {
            clock.replaceSubrange(dot...dot, with: ":")
        }
        var parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, first.utf8.count <= 2, first.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            var hour = Int(first), parts.count > 1 || half != nil
        else { return text }
        if let half {
            guard (1...12).contains(hour) else { return text }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
            if parts.count == 1 { parts.append("00") }
        }
        parts[0] = (hour < 10 ? "0" : "") + "\(hour)"
        return (words + [parts.joined(separator: ":")]).joined(separator: " ")
    }

    /// Returns the text with its leading date in the form of RFC 3339: `2026/11/2 14:00` and `20261102 14:00` become
    /// `2026-11-02 14:00`.
    private static func inFull(_ text: String) -> String {
        let date = text.prefix { $0 != " " && $0 != "t" }
        let isDigits = { (part: Substring) in part.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        let parts =
            date.utf8.count == 8 && isDigits(date)
            ? [date.prefix(4), date.dropFirst(4).prefix(2), date.suffix(2)] : date.split { $0 == "-" || $0 == "/" }
        guard parts.count == 3, parts[0].utf8.count == 4, parts.allSatisfy(isDigits) else { return text }
        let whole = parts.map { $0.utf8.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        return whole + text.dropFirst(date.count)
    }

    private static func isClock(_ text: String) -> Bool { text.dropFirst(2).first == ":" }

    private func local(_ text: String) -> WallTime? {
        let whole = Self.isClock(text) ? "\(LocalTime(now, zone(now)).date)T\(text)" : Self.inFull(text)
        let ends = ["Z", ":00Z", "T00:00:00Z"]
        let reading = ends.lazy.compactMap { WallTime(rfc3339: whole + $0) }.first
        return reading.map(onTheWall)
    }

    /// Returns the instant at which local clocks show the time that UTC shows at `reading`. If clocks show it twice
    /// because they are set back, this is the first instant; if clocks skip it, the instant at which they would have
    /// shown it.
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

/// The time range of `--since` and `--until`; nil means open-ended.
struct TimeRange {
    var since: WallTime?
    var until: WallTime?

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
            throw .usage("--\(option): '\(visible(text))' is not a time; \(context.formatter.reader.advice(text))")
        }
        return time
    }
}
