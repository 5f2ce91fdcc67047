package import Time

/// How the times of a chart are written.
package enum ChartClock: Equatable, Sendable {
    /// On a clock that is set this far east of UTC; each offset holds from its time on, and the first one before it.
    case local([ZoneOffset])
    /// As the time that has passed since then: `5m`.
    case elapsed(since: WallTime)

    /// The difference of local time from UTC from an instant on.
    package struct ZoneOffset: Equatable, Sendable {
        package var since: WallTime
        /// Seconds east of UTC.
        package var seconds: Int

        /// `seconds` are added to UTC; negative west of Greenwich.
        package init(since: WallTime, seconds: Int) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// UTC.
    package static let utc = ChartClock.local([])

    /// How far the clock is ahead of UTC at that time, in milliseconds.
    func offset(at time: Int64) -> Int64 {
        switch self {
        case .elapsed(let start): return 0 &- start.milliseconds
        case .local(let offsets):
            let current = offsets.last { $0.since.milliseconds <= time } ?? offsets.first
            return Int64(current?.seconds ?? 0) &* 1_000
        }
    }

    /// The time that the clock shows, as milliseconds since 1970 if it were UTC.
    func shown(_ time: Int64) -> Int64 { time.clamped &+ offset(at: time) }

    /// A time in full: `Nov 21 14:05`, or `5m`.
    package func text(_ time: Int64) -> String {
        let shown = shown(time)
        if case .elapsed = self { return Milliseconds(shown).approximate }
        return "\(dayText(shown)) \(clockText(shown, hasSeconds: false))"
    }
}

extension Int64 {
    /// Within a few hundred thousand years of 1970, so that sums with offsets never overflow.
    var clamped: Int64 { Swift.min(Swift.max(self, -9_000_000_000_000_000), 9_000_000_000_000_000) }
}

let dayLength: Int64 = 86_400_000

/// `Nov 21`
func dayText(_ shown: Int64) -> String {
    let date = CivilDate(daysSinceEpoch: shown.floored(by: dayLength).quotient)
    return "\(monthNames[Int(date.month) - 1]) \(date.day)"
}

/// `14:05`, or `14:05:30`
func clockText(_ shown: Int64, hasSeconds: Bool) -> String {
    let seconds = shown.floored(by: dayLength).remainder / 1_000
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].prefix(hasSeconds ? 3 : 2)
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}

let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
