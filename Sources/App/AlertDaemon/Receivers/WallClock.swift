internal import Configuration
internal import EventLoop
internal import Events
internal import Time

/// What clocks on the wall show: in the time zone of the machine, and in others that the machine knows.
@LoopActor
final class WallClock {
    /// Where the system has its time zones.
    static let folder = "/usr/share/zoneinfo"
    static let shared = WallClock()

    private let files: any SettingsFiles
    /// Those that were asked for; nil for one that does not exist. There are at most as many as silences.
    private var zones: [String: TimeZoneFile?] = [:]

    init(_ files: any SettingsFiles = LocalFiles()) {
        self.files = files
    }

    /// Whether the machine has that time zone now.
    func knows(_ zone: String) -> Bool {
        zones[zone] = nil
        return file(zone) != nil
    }

    /// The clock in a time zone; in that of the machine when nil, and when the machine no longer knows the zone.
    func minutes(in zone: String?) -> SilenceHours.LocalMinutes {
        guard let zone, let file = file(zone) else { return localMinutes }
        return { SilenceHours.utc($0) + file.offsetSeconds(at: $0) / 60 }
    }

    private func file(_ zone: String) -> TimeZoneFile? {
        if let known = zones[zone] { return known }
        var found: TimeZoneFile?
        if TimeZoneFile.isName(zone),
            case .found(let bytes) = files.contents(of: "\(Self.folder)/\(zone)", limit: TimeZoneFile.largest)
        {
            found = TimeZoneFile(bytes)
        }
        if zones.count >= SilenceList.limit { zones.removeAll() }
        zones[zone] = .some(found)
        return found
    }
}
