package import EventLoop

/// How much a message of the daemon matters; the raw values are the priorities of syslog.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    /// Something that was asked for cannot be done.
    case error = 3
    /// Something is wrong, and the daemon goes on around it.
    case warning = 4
    /// Worth knowing in an ordinary run: start, stop, reload.
    case notice = 5
    /// Detail that a curious user wants.
    case info = 6
    /// Detail for who looks for a fault.
    case debug = 7

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The daemon's own messages, each written once: as a record of the journal, or as a line on standard error.
@LoopActor
package final class Log {
    private let least: LogLevel
    private let send: (@LoopActor (JournalEntry) -> Int32)?
    private let output: LineOutput

    /// - Parameters:
    ///   - isJournal: whether standard error is the journal, as `JOURNAL_STREAM` says; then messages go there as
    ///     records.
    ///   - least: messages below this level are not written.
    package convenience init(isJournal: Bool, least: LogLevel = .info) {
        let send: @LoopActor (JournalEntry) -> Int32 = { $0.send() }
        self.init(least: least, output: LineOutput(2), send: isJournal ? send : nil)
    }

    init(least: LogLevel, output: LineOutput, send: (@LoopActor (JournalEntry) -> Int32)?) {
        self.least = least
        self.output = output
        self.send = send
    }

    /// Writes one message; control characters in it are escaped. What the journal does not take goes to standard error.
    package func write(_ level: LogLevel, _ message: String, id: MessageID? = nil) {
        guard level <= least else { return }
        if let send, send(JournalEntry(message: message, id: id, priority: level.rawValue)) >= 0 { return }
        var line = Array("alertd: ".utf8)
        line.append(escaping: message)
        line.append(0x0A)
        output.push(line)
        output.flush()
    }

    package func error(_ message: String, id: MessageID? = nil) { write(.error, message, id: id) }
    package func warning(_ message: String, id: MessageID? = nil) { write(.warning, message, id: id) }
    package func notice(_ message: String, id: MessageID? = nil) { write(.notice, message, id: id) }
    package func info(_ message: String, id: MessageID? = nil) { write(.info, message, id: id) }
    package func debug(_ message: String, id: MessageID? = nil) { write(.debug, message, id: id) }
}
