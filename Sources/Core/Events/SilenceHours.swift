package import Time

/// The hours of a recurring silence: a part of each day, on all or some days of the week, in local time.
package struct SilenceHours: Equatable, Sendable {
    /// Converts a time to local minutes since 1970-01-01T00:00. The result jumps when daylight saving time begins or
    /// ends.
    package typealias LocalMinutes = (WallTime) -> Int64

    /// The part of the day.
    package let hours: DailyHours
    /// The days on which the hours begin, from Monday. A night that begins on Friday ends on Saturday.
    package let days: [Bool]
    /// The name of the time zone, such as `Europe/Stockholm`; nil for the daemon's time zone.
    package let zone: String?

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Returns UTC as local time.
    package static func utc(_ time: WallTime) -> Int64 {
        (time.milliseconds - floorMod(time.milliseconds, 60_000)) / 60_000
    }

    /// Parses the hours like ``DailyHours``, and the days: `mon-fri`, `sat,sun`, `fri-mon`; nil for any other text.
    /// Without `days`, the hours apply every day. The time zone need not exist.
    package init?(hours: String, days: String? = nil, zone: String? = nil) {
        guard let hours = DailyHours(hours), zone.map(TimeZoneFile.isName) ?? true else { return nil }
        self.hours = hours
        self.zone = zone
        guard let days else {
            self.days = [Bool](repeating: true, count: 7)
            return
        }
        var chosen = [Bool](repeating: false, count: 7)
        for part in days.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Self.day($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
            let count = (last - first + 7) % 7 + 1
            for offset in 0..<count { chosen[(first + offset) % 7] = true }
        }
        self.days = chosen
    }

    /// Parses the format of ``description``.
    package init?(_ text: String) {
        var parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
        guard let hours = parts.popFirst() else { return nil }
        // Names of time zones begin with a capital letter, names of days do not.
        let zone = parts.last.flatMap { $0.first?.isUppercase == true ? $0 : nil }
        if zone != nil { parts.removeLast() }
        guard parts.count < 2 else { return nil }
        self.init(hours: hours, days: parts.first, zone: zone)
    }

    /// Parses `mon` or `monday`.
    private static func day(_ text: Substring) -> Int? {
        let whole = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return text.count >= 3 ? whole.firstIndex { $0.hasPrefix(text) } : nil
    }

    /// Returns the end of the hours if `now` is within them; nil otherwise.
    package func end(at now: WallTime, _ local: LocalMinutes) -> WallTime? {
        let day = Int64(DailyHours.minutesOfDay)
        func minuteOfDay(_ time: WallTime) -> Int { Int(floorMod(local(time), day)) }
        guard let rest = hours.rest(at: now, minuteOfDay: minuteOfDay) else { return nil }
        let minute = local(now)
        let isAfterMidnight = hours.start > hours.end && minuteOfDay(now) < hours.end
        let date = (minute - floorMod(minute, day)) / day - (isAfterMidnight ? 1 : 0)
        // 1970-01-01 was a Thursday.
        guard days[Int(floorMod(date + 3, 7))] else { return nil }
        return WallTime(milliseconds: now.milliseconds + rest.count)
    }
}

extension SilenceHours: CustomStringConvertible {
    /// Formats as `22:00-07:00`, `22:00-07:00 mon-fri` or `00:00-24:00 sat,sun Europe/Stockholm`.
    package var description: String {
        ["\(hours)", daysText, zone].compactMap(\.self).joined(separator: " ")
    }

    /// Nil for every day.
    private var daysText: String? {
        guard days.contains(false) else { return nil }
        let chosen = days.indices.filter { days[$0] }
        guard let first = chosen.first, let last = chosen.last else { return nil }
        let isRange = last - first + 1 == chosen.count && chosen.count > 2
        return isRange
            ? "\(Self.names[first])-\(Self.names[last])" : chosen.map { Self.names[$0] }.joined(separator: ",")
    }
}

/// Returns the remainder of a division, which is never negative.
private func floorMod(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
}
