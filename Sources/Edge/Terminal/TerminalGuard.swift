internal import Glibc

/// The state that is needed to restore the terminal in a crash. A signal handler can use nothing but globals.
nonisolated(unsafe) private var savedAttributes = termios()
nonisolated(unsafe) private var guardedDescriptor: Int32 = -1

/// The signals of a crash.
private let fatalSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT]

/// A sequence that leaves the alternate screen, shows the cursor, ends a synchronized update and mouse reports, and
/// resets colors.
let leaveSequence: StaticString = "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

/// Restores the terminal in a crash, and lets the crash continue.
private func restoreAfterCrash(_ signal: Int32) {
    let descriptor = unsafe guardedDescriptor
    if descriptor >= 0 {
        _ = unsafe write(descriptor, leaveSequence.utf8Start, leaveSequence.utf8CodeUnitCount)
        _ = unsafe tcsetattr(descriptor, TCSANOW, &savedAttributes)
    }
    _ = Glibc.signal(signal, SIG_DFL)
    raise(signal)
}

/// Installs signal handlers that restore the terminal on this descriptor, with these attributes, after a crash.
func guardTerminal(_ descriptor: Int32, _ attributes: termios) {
    unsafe savedAttributes = attributes
    unsafe guardedDescriptor = descriptor
    for number in fatalSignals { _ = signal(number, restoreAfterCrash) }
}

/// Ends the protection of a terminal that was restored.
func endGuard() {
    unsafe guardedDescriptor = -1
    for number in fatalSignals { _ = signal(number, SIG_DFL) }
}
