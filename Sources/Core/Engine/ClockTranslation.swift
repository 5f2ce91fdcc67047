internal import Time

/// Translates stored instants to the clock of the current boot.
///
/// After a reboot only the wall clock says how long ago something was. The latest instant that was stored is found
/// through it, and all others keep their distance from that one, so that samples and durations survive exactly, even if
/// the wall clock was set between them.
struct ClockTranslation {
    let now: Instant
    /// What is added to a stored boot time.
    private let shift: Int64

    /// - Parameters:
    ///   - now: the present.
    ///   - isSameBoot: whether the machine has not rebooted since.
    ///   - anchor: the latest instant that was stored.
    init(now: Instant, isSameBoot: Bool, anchor: Instant) {
        self.now = now
        shift = isSameBoot ? 0 : anchor.translated(toBootOf: now).boot.milliseconds &- anchor.boot.milliseconds
    }

    /// The instant on the clock of this boot. Nothing that was stored is later than now.
    func translated(_ time: Instant) -> Instant {
        Instant(boot: translated(time.boot), wall: time.wall)
    }

    func translated(_ time: BootTime) -> BootTime {
        min(time.advanced(by: Milliseconds(shift)), now.boot)
    }
}
