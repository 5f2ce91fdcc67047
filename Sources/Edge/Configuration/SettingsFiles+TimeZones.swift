package import Time

/// The folder with the system's time zones.
package let timeZoneFolder = "/usr/share/zoneinfo"

extension SettingsFiles {
    /// Returns a time zone of the system, such as `Europe/Stockholm`; nil if it does not exist or is invalid.
    package func timeZone(_ name: String) -> TimeZoneFile? {
        guard TimeZoneFile.isName(name),
            case .found(let bytes) = contents(of: "\(timeZoneFolder)/\(name)", limit: TimeZoneFile.largest)
        else { return nil }
        return TimeZoneFile(bytes)
    }
}
