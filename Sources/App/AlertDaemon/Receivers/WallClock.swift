internal import Configuration
internal import EventLoop
internal import Events
internal import Time

/// The local time in the time zone of the machine, and in others that the machine knows.
@LoopActor
final class WallClock {
    static let shared = WallClock()

    private let files: any SettingsFiles
    /// The time zones used so far; the value is nil for a zone that does not exist. The limits on silences and
    /// receivers also limit their number.
    private var zones: [String: TimeZoneFile?] = [:]

    init(_ files: any SettingsFiles = LocalFiles()) {
        self.files = files
    }

    /// Returns true if the machine has the time zone now.
    func knows(_ zone: String) -> Bool {
        zones[zone] = nil
        return file(zone) != nil
    }

    /// Returns the clock of a time zone. If `zone` is nil or the machine no longer knows it, the machine's own time
    /// zone is used.
    func minutes(in zone: String?) -> SilenceHours.LocalMinutes {
        guard let zone, let file = file(zone) else { return localMinutes }
        return { SilenceHours.utc($0) + file.offsetSeconds(at: $0) / 60 }
    }

    private func file(_ zone: String) -> TimeZoneFile? {
        if let known = zones[zone] { return known }
        let found = files.timeZone(zone)
        if zones.count >= SilenceList.limit { zones.removeAll() }
        zones[zone] = .some(found)
        return found
    }
}
