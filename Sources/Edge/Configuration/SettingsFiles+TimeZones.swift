package import Time

/// Where the system has its time zones.
package let timeZoneFolder = "/usr/share/zoneinfo"

extension SettingsFiles {
    /// A time zone of the system such as `Europe/Stockholm`; nil if there is none of that name.
    package func timeZone(_ name: String) -> TimeZoneFile? {
        guard TimeZoneFile.isName(name),
            case .found(let bytes) = contents(of: "\(timeZoneFolder)/\(name)", limit: TimeZoneFile.largest)
        else { return nil }
        return TimeZoneFile(bytes)
    }
}
