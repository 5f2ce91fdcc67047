package import Time

extension Instant {
    /// A start for tests, far from zero on both clocks.
    package static let testStart = Instant(
        boot: BootTime(milliseconds: 1_000_000), wall: WallTime(milliseconds: 1_700_000_000_000))

    /// The instant that is this many seconds later, on both clocks.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        Instant(
            boot: boot.advanced(by: .seconds(seconds)),
            wall: WallTime(milliseconds: wall.milliseconds + seconds * 1_000))
    }
}
