import Charts
import Glibc
import Testing
import Time

@testable import Terminal

/// The two ends of a pseudoterminal: what the program uses, and what a terminal emulator would.
private struct PseudoTerminal {
    let program: Int32
    let emulator: Int32

    init() throws {
        emulator = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // The functions for this are not in the module of the C library.
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(unsafe ioctl(emulator, 0x4004_5431, &lock) == 0, "TIOCSPTLCK")
        try #require(unsafe ioctl(emulator, 0x8004_5430, &number) == 0, "TIOCGPTN")
        program = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(program >= 0)
    }

    func setSize(_ columns: UInt16, _ rows: UInt16) {
        // A `winsize`; which module declares its members differs between releases of Debian.
        var size: [UInt16] = [rows, columns, 0, 0]
        _ = unsafe ioctl(emulator, UInt(TIOCSWINSZ), &size)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(emulator, bytes, bytes.count)
    }

    /// What the program has written since the last call, up to a text that has to come.
    func written(upTo end: String) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains(end) {
            var descriptor = pollfd(fd: emulator, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, 10_000) > 0 else { return text }
            let count = unsafe read(emulator, &buffer, buffer.count)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }

    /// Whether typed characters are shown and lines are edited, as before a program like this.
    var isCooked: Bool {
        var attributes = termios()
        _ = unsafe tcgetattr(program, &attributes)
        return attributes.c_lflag & tcflag_t(ICANON) != 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    func closeAll() {
        close(program)
        close(emulator)
    }
}

/// Signals belong to the whole process, so there is one terminal at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TerminalTests {
    private static let long = Milliseconds.seconds(60)

    @Test func whatIsNotATerminalIsRefused() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(throws: TerminalError.notATerminal) {
            try Terminal(Palette(.none), input: ends[0], output: pair.program)
        }
        #expect(throws: TerminalError.notATerminal) {
            try Terminal(Palette(.none), input: pair.program, output: ends[1])
        }
        #expect(pair.isCooked)
    }

    @Test func theTerminalIsTakenOverAndGivenBack() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(Palette(.none), input: pair.program, output: pair.program)
        #expect(!pair.isCooked)
        #expect(pair.written(upTo: "?25l") == "\u{1B}[?1049h\u{1B}[?25l")
        terminal.restore()
        #expect(pair.isCooked)
        #expect(pair.written(upTo: "?1049l") == "\(leaveSequence)")
        let count = terminal.writtenBytes
        terminal.restore()
        #expect(terminal.writtenBytes == count, "a second time does nothing")
    }

    @Test func itsSizeIsThatOfTheWindow() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(Palette(.none), input: pair.program, output: pair.program)
        #expect(terminal.size == (80, 24), "a terminal that does not know its size")
        pair.setSize(1, 1)
        #expect(terminal.size == (1, 1))
        pair.setSize(100, 0)
        #expect(terminal.size == (80, 24))
        pair.setSize(0, 30)
        #expect(terminal.size == (80, 24))
    }

    @Test func keysAreEventsInTheirOrder() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(Palette(.none), input: pair.program, output: pair.program)
        #expect(terminal.next(within: .zero) == .timeout)
        pair.send("ab\u{1B}[A")
        #expect(terminal.next(within: Self.long) == .key(.character("a")))
        #expect(terminal.next(within: Self.long) == .key(.character("b")))
        #expect(terminal.next(within: Self.long) == .key(.up))
        pair.send("\u{1B}")
        var event = terminal.next(within: Self.long)
        // The first wait ends when the byte comes, the second when nothing follows it.
        if event == .timeout { event = terminal.next(within: Self.long) }
        #expect(event == .key(.escape))
        #expect(terminal.next(within: .zero) == .timeout)
    }

    @Test func theColorsSuitTheBackgroundThatTheTerminalReports() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(
            Palette(.full), asksBackground: true, input: pair.program, output: pair.program)
        #expect(pair.written(upTo: "\u{07}").hasSuffix("\u{1B}]11;?\u{07}"))
        var grid = CellGrid(width: 4, height: 1)
        grid.put("up", row: 0, column: 0, .up)
        terminal.draw(grid)
        #expect(pair.written(upTo: "up").contains(Palette(.full).parameters(.up, isReversed: false)))
        pair.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{07}")
        #expect(terminal.next(within: Self.long) == .redraw)
        terminal.draw(grid)
        #expect(pair.written(upTo: "up").contains(Palette(.full, isLight: true).parameters(.up, isReversed: false)))
        terminal.restore()
        #expect(pair.isCooked)
    }

    @Test func aTerminalThatDoesNotAnswerIsUsedAsItIs() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(
            Palette(.full, isLight: true), asksBackground: true, input: pair.program, output: pair.program)
        pair.send("q")
        #expect(terminal.next(within: Self.long) == .key(.character("q")))
        terminal.restore()
        #expect(pair.isCooked)
    }

    @Test func theEndOfTheTerminalIsAnEvent() throws {
        let pair = try PseudoTerminal()
        let terminal = try Terminal(Palette(.none), input: pair.program, output: pair.program)
        close(pair.emulator)
        defer { close(pair.program) }
        #expect(terminal.next(within: Self.long) == .end)
    }

    @Test func signalsAreEvents() throws {
        let pair = try PseudoTerminal()
        defer { pair.closeAll() }
        let terminal = try Terminal(Palette(.none), input: pair.program, output: pair.program)
        let grid = CellGrid(width: 4, height: 1)
        terminal.draw(grid)
        // To the process: the thread of a test may block signals.
        kill(getpid(), SIGWINCH)
        #expect(terminal.next(within: Self.long) == .redraw)
        let count = terminal.writtenBytes
        terminal.draw(grid)
        #expect(terminal.writtenBytes > count, "the whole screen is drawn again")
        kill(getpid(), SIGTERM)
        #expect(terminal.next(within: Self.long) == .end)
        terminal.restore()
    }
}
