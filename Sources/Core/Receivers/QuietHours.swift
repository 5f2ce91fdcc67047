package import Events
package import Time

/// The hours when a receiver gets critical events only: a part of the day, on all or some days of the week, in a time
/// zone.
package struct QuietHours: Equatable, Sendable {
    package typealias LocalMinutes = SilenceHours.LocalMinutes

    private let recurring: SilenceHours

    /// Parses hours, and optionally days and the name of a time zone: `23:00-07:00`, `22:00-07:00 mon-fri`,
    /// `00:00-24:00 sat,sun Europe/Stockholm`; nil if the text is invalid. The zone need not exist.
    package init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard let hours = parts.first else { return nil }
        // Days may be capitalized like time zones, so parse the word instead of looking at its first letter.
        let days = parts.dropFirst().first.flatMap { SilenceHours(hours: hours, days: $0) == nil ? nil : $0 }
        let rest = parts.dropFirst(days == nil ? 1 : 2)
        guard rest.count <= 1, let recurring = SilenceHours(hours: hours, days: days, zone: rest.first) else {
            return nil
        }
        self.recurring = recurring
    }

    /// The part of the day.
    package var hours: DailyHours { recurring.hours }
    /// The name of the time zone; nil for the daemon's time zone.
    package var zone: String? { recurring.zone }

    /// Returns the time until the current quiet hours end.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - local: Converts a time to the local time in ``zone``.
    /// - Returns: The remaining time; nil outside quiet hours.
    package func rest(at now: WallTime, _ local: LocalMinutes) -> Milliseconds? {
        recurring.end(at: now, local).map { $0.since(now) }
    }

    /// Checks if more than `length` of a period is outside quiet hours. If quiet hours never end, the whole period
    /// counts as outside.
    ///
    /// - Parameters:
    ///   - length: The time that may be outside.
    ///   - start: The beginning of the period.
    ///   - end: The end of the period; nothing is outside if it is before the beginning.
    ///   - local: As for ``rest(at:_:)``.
    /// - Returns: True if the parts outside quiet hours are longer than `length` in total.
    package func isOutside(
        longerThan length: Milliseconds, from start: WallTime, to end: WallTime, _ local: LocalMinutes
    ) -> Bool {
        outside(from: start, to: end, upTo: length, local) > length
    }

    /// Returns the time until the next check if more than `length` since `start` is outside quiet hours.
    ///
    /// - Parameters:
    ///   - length: The time that may be outside.
    ///   - start: The beginning of the period. It is in the future if the clock was set back.
    ///   - now: The current time.
    ///   - local: As for ``rest(at:_:)``.
    /// - Returns: During quiet hours, the time until they end, because they do not count. Otherwise, the time until
    ///   more than `length` is outside, assuming that quiet hours do not begin before that.
    package func wait(
        untilOutside length: Milliseconds, from start: WallTime, now: WallTime, _ local: LocalMinutes
    ) -> Milliseconds {
        if !isAlways, let rest = rest(at: now, local) { return rest }
        let outside = outside(from: start, to: now, upTo: length, local)
        return Milliseconds(max(0, length.count - max(0, outside.count)) + 1)
    }

    private var isAlways: Bool { hours.others == nil && !recurring.days.contains(false) }

    /// Returns the part of a period that is outside quiet hours. Stops as soon as it is more than `limit`, because a
    /// clock that was wrong can make the period decades long.
    private func outside(
        from start: WallTime, to end: WallTime, upTo limit: Milliseconds, _ local: LocalMinutes
    ) -> Milliseconds {
        guard !isAlways else { return end.since(start) }
        func minuteOfDay(_ time: WallTime) -> Int { Int(local(time).floored(by: 1_440).remainder) }
        var (time, outside) = (start, Milliseconds.zero)
        while time < end, outside <= limit {
            let left = end.since(time)
            if let rest = rest(at: time, local) {
                time = WallTime(milliseconds: time.milliseconds + min(rest, left).count)
                continue
            }
            // Skip to the next time when quiet hours may begin or end: the other hours of the day, or these hours on
            // a day without quiet hours.
            let next =
                hours.others?.rest(at: time, minuteOfDay: minuteOfDay)
                ?? hours.rest(at: time, minuteOfDay: minuteOfDay) ?? left
            outside = Milliseconds(outside.count + min(next, left).count)
            time = WallTime(milliseconds: time.milliseconds + min(next, left).count)
        }
        return outside
    }
}

extension QuietHours: CustomStringConvertible {
    /// `23:00-07:00`, `22:00-07:00 mon-fri Europe/Stockholm`
    package var description: String { recurring.description }
}
