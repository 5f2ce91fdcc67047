internal import CSystemd.Event

/// Conditions of a descriptor, either to watch for or as reported by epoll.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    /// The bits are those of `epoll`: `EPOLLIN`, `EPOLLOUT`.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Bytes or the end of the stream can be read.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// Both sides are closed; always reported.
    package static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// An error is pending; always reported.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
}

/// A watch that calls its action whenever a descriptor is ready. It does not own the descriptor: end the watch before
/// closing it.
@safe
@LoopActor
package final class DescriptorWatch {
    private let action: @LoopActor (Readiness) -> Void
    private var source: OpaquePointer?

    /// The conditions to watch for. Errors and hang-ups are always reported.
    package var interest: Readiness {
        didSet {
            guard interest != oldValue, let source = unsafe source else { return }
            check(unsafe sd_event_source_set_io_events(source, interest.rawValue), "sd_event_source_set_io_events")
        }
    }

    /// The priority of the watch when several event sources are ready.
    package var priority: LoopPriority {
        didSet {
            guard priority != oldValue, let source = unsafe source else { return }
            unsafe setPriority(priority, of: source)
        }
    }

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - descriptor: an open descriptor that can be polled.
    ///   - interest: the conditions to watch for, level-triggered.
    ///   - priority: the priority of the watch when several event sources are ready.
    ///   - action: called on the loop with the conditions that hold.
    package init(
        _ descriptor: Int32, for interest: Readiness, priority: LoopPriority = .standard,
        action: @escaping @LoopActor (Readiness) -> Void
    ) {
        self.action = action
        self.priority = priority
        self.interest = interest
        let status = unsafe sd_event_add_io(
            Loop.shared.event, &source, descriptor, interest.rawValue, descriptorReady,
            Unmanaged.passUnretained(self).toOpaque())
        check(status, "sd_event_add_io")
        unsafe setPriority(priority, of: source)
    }

    fileprivate func dispatch(_ readiness: Readiness) {
        Loop.shared.didDispatch(priority)
        action(readiness)
    }

    isolated deinit {
        unsafe sd_event_source_disable_unref(source)
    }

    /// Ends the watch for good; the action is not called again.
    package func end() {
        unsafe source = unsafe sd_event_source_disable_unref(source)
    }
}

/// Handles an event of the descriptor. This is a separate function because a closure in code of ``LoopActor`` would
/// check its isolation at run time.
private func descriptorReady(
    _: OpaquePointer?, _: Int32, _ events: UInt32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let watch = unsafe Unmanaged<DescriptorWatch>.fromOpaque(context)
    LoopActor.assumeIsolated { unsafe watch.takeUnretainedValue().dispatch(Readiness(rawValue: events)) }
    return 0
}
