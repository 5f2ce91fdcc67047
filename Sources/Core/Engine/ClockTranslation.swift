internal import Time

/// A translation of stored instants to the clock of the current boot.
///
/// After a reboot, only the wall clock shows how long ago something happened. The latest stored instant is translated
/// by the wall clock. All other instants keep their distance from it, so that samples and durations stay exact even
/// if the wall clock was set between them.
struct ClockTranslation {
    let now: Instant
    /// The difference added to a stored boot time.
    private let shift: Int64

    /// - Parameters:
    ///   - now: the current time.
    ///   - isSameBoot: true if the machine has not rebooted since.
    ///   - anchor: the latest stored instant.
    init(now: Instant, isSameBoot: Bool, anchor: Instant) {
        self.now = now
        shift = isSameBoot ? 0 : anchor.translated(toBootOf: now).boot.milliseconds &- anchor.boot.milliseconds
    }

    /// Translates an instant to the clock of the current boot. The result is never later than now.
    func translated(_ time: Instant) -> Instant {
        Instant(boot: translated(time.boot), wall: time.wall)
    }

    func translated(_ time: BootTime) -> BootTime {
        min(time.advanced(by: Milliseconds(shift)), now.boot)
    }
}
