/// A point on the clock that keeps running during suspend and never jumps, in milliseconds since boot.
///
/// Durations are measured on it. It is meaningless on another machine or after a reboot.
@usableFromInline
package struct BootTime: Hashable, Sendable {
    /// Milliseconds since boot.
    @usableFromInline package let milliseconds: Int64

    /// `milliseconds` since boot.
    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The time from `earlier` to this point; negative when this point is earlier.
    @inlinable
    package func since(_ earlier: BootTime) -> Milliseconds {
        Milliseconds(milliseconds &- earlier.milliseconds)
    }

    /// The point that is `length` later, or earlier when it is negative; it saturates at either end.
    @inlinable
    package func advanced(by length: Milliseconds) -> BootTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(length.count)
        return BootTime(milliseconds: overflow ? (length.count < 0 ? .min : .max) : sum)
    }
}

extension BootTime: Comparable {
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// A point in time as people read it, in milliseconds since 1970-01-01T00:00:00Z without leap seconds; it may jump.
@usableFromInline
package struct WallTime: Hashable, Sendable {
    /// Milliseconds since the epoch.
    @usableFromInline package let milliseconds: Int64

    /// `milliseconds` since 1970-01-01T00:00:00Z; any number, also before that.
    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The time from `earlier` to this point; negative when this point is earlier.
    @inlinable
    package func since(_ earlier: WallTime) -> Milliseconds {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return Milliseconds(overflow ? (milliseconds < 0 ? .min + 1 : .max) : difference)
    }
}

extension WallTime: Comparable {
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// One moment on both clocks: ``boot`` decides, ``wall`` is what people read.
@usableFromInline
package struct Instant: Hashable, Sendable {
    /// The time since boot, from which durations are measured.
    @usableFromInline package let boot: BootTime
    /// The time of day, which may be set.
    @usableFromInline package let wall: WallTime

    /// The same moment by both clocks.
    @inlinable
    package init(boot: BootTime, wall: WallTime) {
        self.boot = boot
        self.wall = wall
    }

    // Without it, other modules ask for the conformance at run time, for each price of each poll.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.boot.milliseconds == right.boot.milliseconds && left.wall.milliseconds == right.wall.milliseconds
    }
}

extension Instant {
    /// The same wall time on the boot clock that `now` was read from. After a reboot, nothing better is known.
    ///
    /// A wall time after `now` (the clock was set back) counts as `now`: what was stored cannot be in the future.
    package func translated(toBootOf now: Instant) -> Instant {
        let age = max(.zero, now.wall.since(wall))
        return Instant(boot: now.boot.advanced(by: Milliseconds(-age.count)), wall: wall)
    }
}
