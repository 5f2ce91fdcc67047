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

    /// Checks whether more than `length` of a period is outside these hours. If they cover the whole day, the entire
    /// period counts as outside, because they never end.
    ///
    /// - Parameters:
    ///   - length: the time that may be outside.
    ///   - start: the start of the period.
    ///   - end: the end of the period; nothing is outside if it is before the start.
    ///   - minuteOfDay: see ``rest(at:minuteOfDay:)``.
    /// - Returns: true if the parts outside are longer than `length` in total.
    package func isOutside(
        longerThan length: Milliseconds, from start: WallTime, to end: WallTime, minuteOfDay: (WallTime) -> Int
    ) -> Bool {
        outside(from: start, to: end, upTo: length, minuteOfDay: minuteOfDay) > length
    }

    /// Computes when to check again whether more than `length` of the time since `start` is outside these hours.
    ///
    /// - Parameters:
    ///   - length: the time that may be outside.
    ///   - start: the start of the period, which is in the future if the clock was set back.
    ///   - now: the current time.
    ///   - minuteOfDay: see ``rest(at:minuteOfDay:)``.
    /// - Returns: the time until these hours end if `now` is inside them, because time inside does not count.
    ///   Otherwise the time until `length` is exceeded, assuming that these hours do not begin earlier.
    package func wait(
        untilOutside length: Milliseconds, from start: WallTime, now: WallTime, minuteOfDay: (WallTime) -> Int
    ) -> Milliseconds {
        if others != nil, let rest = rest(at: now, minuteOfDay: minuteOfDay) { return rest }
        let outside = outside(from: start, to: now, upTo: length, minuteOfDay: minuteOfDay)
        return Milliseconds(max(0, length.count - max(0, outside.count)) + 1)
    }

    /// Returns how much of a period is outside these hours. It stops as soon as the result exceeds `limit`, because a
    /// wrong clock can make the period decades long.
    private func outside(
        from start: WallTime, to end: WallTime, upTo limit: Milliseconds, minuteOfDay: (WallTime) -> Int
    ) -> Milliseconds {
        guard let others else { return end.since(start) }
        var (time, outside) = (start, Milliseconds.zero)
        while time < end, outside <= limit {
            let left = end.since(time)
            guard let rest = others.rest(at: time, minuteOfDay: minuteOfDay) else {
                let rest = rest(at: time, minuteOfDay: minuteOfDay) ?? left
                time = WallTime(milliseconds: time.milliseconds + min(rest, left).count)
                continue
            }
            outside = Milliseconds(outside.count + min(rest, left).count)
            time = WallTime(milliseconds: time.milliseconds + min(rest, left).count)
        }
        return outside
    }

    /// The other hours of the day; nil if there are none.
    private var others: DailyHours? {
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
