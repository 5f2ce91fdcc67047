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

/// A watch that turns a signal into a call on the loop, so that no code runs in a signal handler.
@safe
@LoopActor
package final class SignalWatch {
    private let action: @LoopActor () -> Void
    private var source: OpaquePointer?

    /// Starts watching, and blocks the signal for this thread and the threads that it creates. Create the watch
    /// before any other thread.
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

/// Turns write signals into errors of the calls instead of letting them kill the process: SIGPIPE after a write to a
/// closed socket, and SIGXFSZ after a write beyond the file size limit, which counts as a full disk.
package func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
