/// A part of each day, by the clock on the wall: `23:00-07:00`.
package struct DailyHours: Equatable, Sendable {
    /// Minutes after midnight: 0 to 1,439.
    package let start: Int
    /// The first minute after them: 1 to 1,440; before ``start`` when midnight is among them.
    package let end: Int

    /// How many minutes the clock on the wall shows in a day.
    package static let minutesOfDay = 1_440

    /// Reads `23:00-07:00`, or `00:00-24:00` for the whole day; nil for any other text, and when both times are the
    /// same.
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

    /// Whether a minute of the day is among them.
    package func contains(minute: Int) -> Bool {
        start < end ? minute >= start && minute < end : minute >= start || minute < end
    }

    /// Computes how long they last from now on.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - minuteOfDay: The minute of the day that the clock on the wall shows at a time. It may jump, when summer time
    ///     begins or ends.
    /// - Returns: Nil when it is not one of these hours now.
    package func rest(at now: WallTime, minuteOfDay: (WallTime) -> Int) -> Milliseconds? {
        let current = minuteOfDay(now)
        guard contains(minute: current) else { return nil }
        let left = end > current ? end - current : end - current + Self.minutesOfDay
        // The rest of the current minute is over already.
        let elapsed = now.milliseconds.floored(by: 60_000).remainder
        let planned = Milliseconds(Int64(left) * 60_000 - elapsed)
        let shown = minuteOfDay(WallTime(milliseconds: now.milliseconds + planned.count))
        // The clock was put forward in between (the end comes sooner) or back (it comes later).
        var jump = (shown - end + Self.minutesOfDay) % Self.minutesOfDay
        if jump > Self.minutesOfDay / 2 { jump -= Self.minutesOfDay }
        // These hours may end within the jump: then every minute until it is looked at.
        return Milliseconds(max(60_000 - elapsed, planned.count - Int64(jump) * 60_000))
    }

    /// Looks whether more of a time than this is outside these hours. Those of the whole day never end, so all of it
    /// counts then.
    ///
    /// - Parameters:
    ///   - length: How much may be outside.
    ///   - start: The beginning of the time.
    ///   - end: Its end; nothing is outside if it is before the beginning.
    ///   - minuteOfDay: As for ``rest(at:minuteOfDay:)``.
    /// - Returns: Whether the parts that are outside are longer than `length`, together.
    package func isOutside(
        longerThan length: Milliseconds, from start: WallTime, to end: WallTime, minuteOfDay: (WallTime) -> Int
    ) -> Bool {
        outside(from: start, to: end, upTo: length, minuteOfDay: minuteOfDay) > length
    }

    /// Computes when to look again whether more of the time since `start` than `length` is outside these hours.
    ///
    /// - Parameters:
    ///   - length: How much may be outside.
    ///   - start: The beginning of the time; when it is in the future, the clock was set back since.
    ///   - now: The current time.
    ///   - minuteOfDay: As for ``rest(at:minuteOfDay:)``.
    /// - Returns: The time until these hours end if it is one of them now, since nothing of them counts. Otherwise the
    ///   time until it is more, if they do not begin before that.
    package func wait(
        untilOutside length: Milliseconds, from start: WallTime, now: WallTime, minuteOfDay: (WallTime) -> Int
    ) -> Milliseconds {
        if others != nil, let rest = rest(at: now, minuteOfDay: minuteOfDay) { return rest }
        let outside = outside(from: start, to: now, upTo: length, minuteOfDay: minuteOfDay)
        return Milliseconds(max(0, length.count - max(0, outside.count)) + 1)
    }

    /// How much of a time is outside. As soon as it is more than `limit`, the rest of the time is not looked at: a
    /// clock that was wrong makes it decades.
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

    /// The rest of the day; nil if there is none.
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
