internal import CSystemd.Event
internal import Glibc

/// A signal that asks a program to stop or to reload.
package enum Signal: CaseIterable, Sendable {
    case terminate
    case interrupt
    case hangUp

    /// The number of the signal on this system.
    package var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}

/// Turns a signal into a call on the loop: nothing runs in a signal handler.
@safe
@LoopActor
package final class SignalWatch {
    private let action: @LoopActor () -> Void
    private var source: OpaquePointer?

    /// Starts to watch, and blocks the signal for this thread and those that it creates. Create it before any other
    /// thread.
    package init(_ signal: Signal, action: @escaping @LoopActor () -> Void) {
        self.action = action
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, signal.number)
        check(unsafe -pthread_sigmask(SIG_BLOCK, &set, nil), "pthread_sigmask")
        let status = unsafe sd_event_add_signal(
            Loop.shared.event, &source, signal.number,
            { _, _, context in
                guard let context = unsafe context else { return 0 }
                let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(context)
                Loop.shared.didDispatch(.signal)
                LoopActor.assumeIsolated { unsafe watch.takeUnretainedValue().action() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        check(status, "sd_event_add_signal")
        unsafe setPriority(.signal, of: source)
    }

    isolated deinit {
        unsafe sd_event_source_disable_unref(source)
    }
}

/// Makes a failed write an error of the call instead of a signal that kills the process: to a closed socket, and beyond
/// the limit on the size of files, which counts as a full disk.
package func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
