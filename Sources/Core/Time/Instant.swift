/// A point on the boot clock, which keeps running during suspend and never jumps, in milliseconds since boot.
///
/// Durations are measured on this clock. A point on it is meaningless on another machine or after a reboot.
@usableFromInline
package struct BootTime: Hashable, Sendable {
    /// Milliseconds since boot.
    @usableFromInline package let milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns the time from `earlier` to this point, which is negative if this point is earlier.
    @inlinable
    package func since(_ earlier: BootTime) -> Milliseconds {
        Milliseconds(milliseconds &- earlier.milliseconds)
    }

    /// Returns the point that is `length` later, or earlier if it is negative. The result saturates at either end.
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

/// A point on the wall clock, in milliseconds since 1970-01-01T00:00:00Z without leap seconds. This clock may jump.
@usableFromInline
package struct WallTime: Hashable, Sendable {
    /// Milliseconds since the epoch.
    @usableFromInline package let milliseconds: Int64

    /// Makes a time from milliseconds since 1970-01-01T00:00:00Z, which may be negative.
    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns the time from `earlier` to this point, which is negative if this point is earlier.
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

/// One moment on both clocks: decisions use ``boot``, and people read ``wall``.
@usableFromInline
package struct Instant: Hashable, Sendable {
    /// The time since boot, for measuring durations.
    @usableFromInline package let boot: BootTime
    /// The wall time, which jumps if the clock is set.
    @usableFromInline package let wall: WallTime

    /// Makes an instant from the same moment on both clocks.
    @inlinable
    package init(boot: BootTime, wall: WallTime) {
        self.boot = boot
        self.wall = wall
    }

    // Inlinable, because other modules would otherwise look up the conformance at run time, for each price of each
    // poll.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.boot.milliseconds == right.boot.milliseconds && left.wall.milliseconds == right.wall.milliseconds
    }
}

extension Instant {
    /// Returns this instant with a boot time that is computed from the wall time, on the boot clock of `now`. After a
    /// reboot, this is the best available estimate.
    ///
    /// A wall time after `now` means that the clock was set back. It counts as `now`, because a stored time cannot be
    /// in the future.
    package func translated(toBootOf now: Instant) -> Instant {
        let age = max(.zero, now.wall.since(wall))
        return Instant(boot: now.boot.advanced(by: Milliseconds(-age.count)), wall: wall)
    }
}
