package import Time

/// The format of the times in a chart.
package enum ChartClock: Equatable, Sendable {
    /// Local time at these offsets from UTC. Each offset is valid from its time on. The first one also applies to
    /// earlier times.
    case local([ZoneOffset])
    /// The time elapsed since an instant, such as `5m`.
    case elapsed(since: WallTime)

    /// The offset of local time from UTC, valid from an instant on.
    package struct ZoneOffset: Equatable, Sendable {
        package var since: WallTime
        /// In seconds, positive east of Greenwich.
        package var seconds: Int

        package init(since: WallTime, seconds: Int) {
            self.since = since
            self.seconds = seconds
        }
    }

    package static let utc = ChartClock.local([])

    /// Returns the offset of the clock from UTC at the given time, in milliseconds.
    func offset(at time: Int64) -> Int64 {
        switch self {
        case .elapsed(let start): return 0 &- start.milliseconds
        case .local(let offsets):
            let current = offsets.last { $0.since.milliseconds <= time } ?? offsets.first
            return Int64(current?.seconds ?? 0) &* 1_000
        }
    }

    /// Returns the time plus the offset of the clock, in milliseconds. Read as UTC, the result is local time.
    func shown(_ time: Int64) -> Int64 { time.clamped &+ offset(at: time) }

    /// Returns the full time: `Nov 21 14:05`, or `5m`.
    package func text(_ time: Int64) -> String {
        let shown = shown(time)
        if case .elapsed = self { return Milliseconds(shown).approximate }
        return "\(dayText(shown)) \(clockText(shown, hasSeconds: false))"
    }
}

extension Int64 {
    /// The time, limited to about 285,000 years before or after 1970, so that sums with offsets never overflow.
    var clamped: Int64 { Swift.min(Swift.max(self, -9_000_000_000_000_000), 9_000_000_000_000_000) }
}

let dayLength: Int64 = 86_400_000

/// Returns a date without the year: `Nov 21`.
func dayText(_ shown: Int64) -> String {
    let date = CivilDate(daysSinceEpoch: shown.floored(by: dayLength).quotient)
    return "\(monthNames[Int(date.month) - 1]) \(date.day)"
}

/// Returns a time of day: `14:05`, or `14:05:30`.
func clockText(_ shown: Int64, hasSeconds: Bool) -> String {
    let seconds = shown.floored(by: dayLength).remainder / 1_000
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].prefix(hasSeconds ? 3 : 2)
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}

let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
