package import Charts
internal import Glibc
package import Time

/// The reason why a terminal cannot be used.
package enum TerminalError: Error, Equatable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    case system(call: String, errorNumber: Int32)
}

/// An event at a terminal.
package enum TerminalEvent: Equatable, Sendable {
    case key(Key)
    /// The size has changed, or the program continues after a suspension; the whole screen must be drawn again.
    case redraw
    /// The time limit has passed.
    case timeout
    /// The program must end: SIGTERM, SIGHUP, SIGINT, or the terminal is gone.
    case end
}

/// A terminal in raw mode, whose whole screen is drawn by this program.
///
/// The terminal is restored by ``restore()``, when this object is released, and in a crash, but not after SIGKILL.
/// While the terminal is in raw mode, signals are events. Only one object may exist at a time.
package final class Terminal {
    private let input: Int32
    private let output: Int32
    private let signals: TerminalSignals
    private let original: termios
    private var difference: ScreenDifference
    private var parser = KeyParser()
    private var pending: [TerminalEvent] = []
    private var isRaw = false
    private var hasMouse = false
    /// The number of bytes that were written.
    package private(set) var writtenBytes = 0

    /// The longest wait for an answer of the terminal when the program ends, in milliseconds.
    private static let answerDelay: Int32 = 150
    private var asksBackground: Bool
    /// True from the request for the background until the answer arrives.
    private var isAsking = false

    /// Takes over the terminal of the program.
    ///
    /// - Parameters:
    ///   - palette: the colors to draw with.
    ///   - asksBackground: true to ask the terminal for its background, which then decides between the light and the
    ///     dark colors. Nothing waits for the answer: when it arrives, the screen is drawn again.
    ///   - input: the descriptor of the terminal to read from.
    ///   - output: the descriptor of the terminal to write to.
    /// - Throws: ``TerminalError``; nothing is changed in that case.
    package init(
        _ palette: Palette, asksBackground: Bool = false, input: Int32 = 0, output: Int32 = 1
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        var attributes = termios()
        guard unsafe tcgetattr(input, &attributes) == 0 else {
            throw .system(call: "tcgetattr", errorNumber: errno)
        }
        signals = try TerminalSignals()
        original = attributes
        self.input = input
        self.output = output
        self.asksBackground = asksBackground && palette.depth != .none
        difference = ScreenDifference(palette)
        enter()
    }

    deinit {
        restore()
        signals.end()
    }

    private func enter() {
        signals.handle()
        guardTerminal(output, original)
        var raw = original
        unsafe cfmakeraw(&raw)
        _ = unsafe tcsetattr(input, TCSADRAIN, &raw)
        isRaw = true
        put("\u{1B}[?1049h\u{1B}[?25l" + (hasMouse ? Self.mouseOn : ""))
        if asksBackground {
            put(BackgroundColor.query)
            isAsking = true
        }
        difference.forget()
    }

    /// Restores the original state of the terminal. May be called more than once.
    package func restore() {
        guard isRaw else { return }
        isRaw = false
        discardAnswer()
        put("\(leaveSequence)")
        var attributes = original
        _ = unsafe tcsetattr(input, TCSADRAIN, &attributes)
        endGuard()
        signals.stopHandling()
    }

    /// Discards an answer that is still on its way, so that the shell does not read it as input. A terminal that has
    /// not answered by then is not asked again.
    private func discardAnswer() {
        guard isAsking else { return }
        (isAsking, asksBackground) = (false, false)
        var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&descriptor, 1, Self.answerDelay) > 0 { _ = tcflush(input, TCIFLUSH) }
    }

    /// The columns and rows; 80 × 24 for a terminal that does not know its size.
    package var size: (width: Int, height: Int) {
        var size = winsize()
        guard unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows the grid; only changed cells are written.
    package func draw(_ grid: CellGrid) { put(difference.update(to: grid)) }

    private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"

    /// Turns mouse reports on or off. While they are on, the terminal's own selection of text does not work.
    package func reportMouse(_ isOn: Bool) {
        hasMouse = isOn
        put(isOn ? Self.mouseOn : "\u{1B}[?1006l\u{1B}[?1000l")
    }

    private func put(_ text: String) {
        guard !text.isEmpty else { return }
        var bytes = Array(text.utf8)[...]
        writtenBytes += bytes.count
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // If the terminal is gone, the next read detects that.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

// MARK: Events

extension Terminal {
    /// The longest wait for the rest of a sequence after an escape key, in milliseconds.
    private static let escapeDelay: Int32 = 40

    /// Waits for the next event, at most for the given time.
    package func next(within timeout: Milliseconds) -> TerminalEvent {
        if !pending.isEmpty { return pending.removeFirst() }
        var descriptors = [pollfd(fd: input, events: Int16(POLLIN), revents: 0)]
        descriptors.append(pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0))
        let length = Int32(clamping: max(0, timeout.count))
        let isWaiting = parser.isWaiting
        let count = unsafe poll(&descriptors, 2, isWaiting ? min(length, Self.escapeDelay) : length)
        guard count > 0 else {
            guard isWaiting else { return .timeout }
            pending += parser.finish().map { .key($0) }
            return pending.isEmpty ? .timeout : pending.removeFirst()
        }
        if descriptors[1].revents != 0 { readSignals() }
        if descriptors[0].revents != 0 { readKeys() }
        return pending.isEmpty ? .timeout : pending.removeFirst()
    }

    private func readKeys() {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe read(input, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 || (errno != EINTR && errno != EAGAIN) { pending.append(.end) }
            return
        }
        for key in parser.keys(buffer[..<count]) {
            switch key {
            case .control("z"): suspend()
            default: pending.append(.key(key))
            }
        }
        adoptBackground()
    }

    private func adoptBackground() {
        guard isAsking, let background = parser.background else { return }
        isAsking = false
        guard difference.palette.isLight != background.isLight else { return }
        difference.palette.isLight = background.isLight
        difference.forget()
        pending.append(.redraw)
    }

    private func readSignals() {
        for number in signals.read() {
            switch number {
            case SIGWINCH, SIGCONT:
                difference.forget()
                pending.append(.redraw)
            case SIGTSTP: suspend()
            default: pending.append(.end)
            }
        }
    }

    /// Restores the terminal, and stops until the shell continues the program.
    private func suspend() {
        restore()
        raise(SIGSTOP)
        enter()
        pending.append(.redraw)
    }
}
