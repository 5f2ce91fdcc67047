/// A daily time range in local time, such as `23:00-07:00`.
package struct DailyHours: Equatable, Sendable {
    /// The first minute of the range, counted from midnight: 0 to 1,439.
    package let start: Int
    /// The first minute after the range: 1 to 1,440. It is less than ``start`` if the range includes midnight.
    package let end: Int

    /// The number of minutes that a clock shows in a day.
    package static let minutesOfDay = 1_440

    /// Parses `23:00-07:00`, or `00:00-24:00` for the whole day. Returns nil for any other text, and if both times are
    /// the same.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Self.minute(parts[0]), let end = Self.minute(parts[1]), start != end else {
            return nil
        }
        (self.start, self.end) = (start, end == 0 ? Self.minutesOfDay : end)
        guard start < Self.minutesOfDay else { return nil }
    }

    private static func minute(_ text: Substring) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == 0x3A else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        let isMidnight = hour == 24 && minute == 0
        return hour < 24 && minute < 60 || isMidnight ? hour * 60 + minute : nil
    }

    /// Returns true if the range includes a minute of the day.
    package func contains(minute: Int) -> Bool {
        start < end ? minute >= start && minute < end : minute >= start || minute < end
    }

    /// Computes the remaining time until these hours end.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - minuteOfDay: returns the local minute of the day at a time. It may jump when summer time begins or ends.
    /// - Returns: nil if `now` is outside these hours.
    package func rest(at now: WallTime, minuteOfDay: (WallTime) -> Int) -> Milliseconds? {
        let current = minuteOfDay(now)
        guard contains(minute: current) else { return nil }
        let left = end > current ? end - current : end - current + Self.minutesOfDay
        // The current minute has partly elapsed.
        let elapsed = now.milliseconds.floored(by: 60_000).remainder
        let planned = Milliseconds(Int64(left) * 60_000 - elapsed)
        let shown = minuteOfDay(WallTime(milliseconds: now.milliseconds + planned.count))
        // If the clock is put forward before the end, the end comes sooner; if it is put back, later.
        var jump = (shown - end + Self.minutesOfDay) % Self.minutesOfDay
        if jump > Self.minutesOfDay / 2 { jump -= Self.minutesOfDay }
        // These hours may end within the jump. In that case, return the rest of the current minute, so that the caller
        // checks every minute.
        return Milliseconds(max(60_000 - elapsed, planned.count - Int64(jump) * 60_000))
    }

    /// The rest of the day; nil if there is none.
    package var others: DailyHours? {
        let isWhole = start == 0 && end == Self.minutesOfDay
        return isWhole ? nil : DailyHours(start: end % Self.minutesOfDay, end: start == 0 ? Self.minutesOfDay : start)
    }

    private init(start: Int, end: Int) { (self.start, self.end) = (start, end) }
}

extension DailyHours: CustomStringConvertible {
    /// `23:00-07:00`.
    package var description: String {
        let text = { (minute: Int) in
            [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
        }
        return "\(text(start))-\(text(end))"
    }
}
