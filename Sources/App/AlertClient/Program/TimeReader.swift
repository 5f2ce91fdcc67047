internal import Arguments
internal import Market
internal import Time

/// Reads times as people write them, in the time zone that times are shown in.
struct TimeReader {
    static let forms = "2026-11-20, '2026-11-20 14:00', 14:00, 2026-11-20T14:00:00Z, or 24h for 24 hours ago"

    private let now: WallTime
    private let zone: (WallTime) -> LocalZone

    init(now: WallTime, zone: @escaping (WallTime) -> LocalZone) {
        self.now = now
        self.zone = zone
    }

    /// The time; nil if the text has none of the ``forms``. A date is its first instant; a time without a date is
    /// today's.
    func time(_ text: String) -> WallTime? {
        if text == "now" { return now }
        if let ago = Milliseconds(text) { return WallTime(milliseconds: now.milliseconds - ago.count) }
        return WallTime(rfc3339: text) ?? local(text)
    }

    /// The time as ``time(_:)`` reads it, but a time without a date that has passed today is tomorrow's.
    func coming(_ text: String) -> WallTime? {
        guard let time = time(text), time <= now, Self.isClock(text) else { return time(text) }
        let tomorrow = CivilDate(daysSinceEpoch: LocalTime(now, zone(now)).date.daysSinceEpoch + 1)
        return local("\(tomorrow)T\(text)")
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
