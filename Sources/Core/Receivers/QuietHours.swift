package import Events
package import Time

/// The hours in which a receiver gets critical events only: a part of each day, on all or some days of the week, by the
/// clock of a time zone.
package struct QuietHours: Equatable, Sendable {
    package typealias LocalMinutes = SilenceHours.LocalMinutes

    private let recurring: SilenceHours

    /// Reads hours, and optionally days and the name of a time zone: `23:00-07:00`, `22:00-07:00 mon-fri`,
    /// `00:00-24:00 sat,sun Europe/Stockholm`; nil for another text. Whether there is a zone of that name is not
    /// checked.
    package init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard let hours = parts.first else { return nil }
        // Days may be capitalized as zones are.
        let days = parts.dropFirst().first.flatMap { SilenceHours(hours: hours, days: $0) == nil ? nil : $0 }
        let rest = parts.dropFirst(days == nil ? 1 : 2)
        guard rest.count <= 1, let recurring = SilenceHours(hours: hours, days: days, zone: rest.first) else {
            return nil
        }
        self.recurring = recurring
    }

    /// The part of the day.
    package var hours: DailyHours { recurring.hours }
    /// The name of the time zone; nil for that of the daemon.
    package var zone: String? { recurring.zone }

    /// Computes how long the present hours last from now on.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - local: What the clock on the wall shows in ``zone``.
    /// - Returns: Nil when it is not one of these hours now.
    package func rest(at now: WallTime, _ local: LocalMinutes) -> Milliseconds? {
        recurring.end(at: now, local).map { $0.since(now) }
    }

    /// Looks whether more of a time than this is outside these hours. Those of the whole day on every day never end, so
    /// all of it counts then.
    ///
    /// - Parameters:
    ///   - length: How much may be outside.
    ///   - start: The beginning of the time.
    ///   - end: Its end; nothing is outside if it is before the beginning.
    ///   - local: As for ``rest(at:_:)``.
    /// - Returns: Whether the parts that are outside are longer than `length`, together.
    package func isOutside(
        longerThan length: Milliseconds, from start: WallTime, to end: WallTime, _ local: LocalMinutes
    ) -> Bool {
        outside(from: start, to: end, upTo: length, local) > length
    }

    /// Computes when to look again whether more of the time since `start` than `length` is outside these hours.
    ///
    /// - Parameters:
    ///   - length: How much may be outside.
    ///   - start: The beginning of the time; when it is in the future, the clock was set back since.
    ///   - now: The current time.
    ///   - local: As for ``rest(at:_:)``.
    /// - Returns: The time until these hours end if it is one of them now, since nothing of them counts. Otherwise the
    ///   time until it is more, if they do not begin before that.
    package func wait(
        untilOutside length: Milliseconds, from start: WallTime, now: WallTime, _ local: LocalMinutes
    ) -> Milliseconds {
        if !isAlways, let rest = rest(at: now, local) { return rest }
        let outside = outside(from: start, to: now, upTo: length, local)
        return Milliseconds(max(0, length.count - max(0, outside.count)) + 1)
    }

    private var isAlways: Bool { hours.others == nil && !recurring.days.contains(false) }

    /// How much of a time is outside. As soon as it is more than `limit`, the rest of the time is not looked at: a
    /// clock that was wrong makes it decades.
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
            // Until they may begin: the rest of the day, or these hours on a day that is not one of theirs.
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
