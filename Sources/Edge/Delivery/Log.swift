package import EventLoop
package import Journal
internal import Market
internal import Time

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
///
/// A text that comes again and again is written some times, then counted, and notified with its count after a while.
@LoopActor
package final class Log {
    package typealias Fields = [JournalField: String]

    /// What has to be the same for two messages to be one.
    private struct Message: Hashable {
        var level: LogLevel
        var text: String
        var id: MessageID
        var fields: Fields
    }

    private let least: LogLevel
    private let send: (@LoopActor (JournalEntry) -> Int32)?
    private let output: LineOutput
    private let clock: any TimeSource
    private var repeats = RepeatLimiter<Message>()
    private lazy var timer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.tellRepeats() }

    /// - Parameters:
    ///   - isJournal: whether standard error is the journal, as `JOURNAL_STREAM` says; then messages go there as
    ///     records.
    ///   - least: messages below this level are not written.
    package convenience init(isJournal: Bool, least: LogLevel = .info) {
        let send: @LoopActor (JournalEntry) -> Int32 = { $0.send() }
        self.init(least: least, output: LineOutput(2), send: isJournal ? send : nil)
    }

    init(
        least: LogLevel, output: LineOutput, clock: any TimeSource = SystemClock(),
        send: (@LoopActor (JournalEntry) -> Int32)?
    ) {
        self.least = least
        self.output = output
        self.clock = clock
        self.send = send
    }

    /// Writes one message; control characters in it are escaped. What the journal does not take goes to standard error.
    package func write(_ level: LogLevel, _ message: String, id: MessageID, _ fields: Fields = [:]) {
        guard level <= least else { return }
        tellRepeats()
        let message = Message(level: level, text: message, id: id, fields: fields)
        if repeats.admits(message, at: clock.now().boot) { put(message) }
        if !timer.isArmed { armTimer() }
    }

    package func error(_ message: String, id: MessageID, _ fields: Fields = [:]) {
        write(.error, message, id: id, fields)
    }

    package func warning(_ message: String, id: MessageID, _ fields: Fields = [:]) {
        write(.warning, message, id: id, fields)
    }

    package func notice(_ message: String, id: MessageID, _ fields: Fields = [:]) {
        write(.notice, message, id: id, fields)
    }

    package func info(_ message: String, id: MessageID, _ fields: Fields = [:]) {
        write(.info, message, id: id, fields)
    }

    package func debug(_ message: String, id: MessageID, _ fields: Fields = [:]) {
        write(.debug, message, id: id, fields)
    }

    /// Tells what was held back; the last call before the process ends.
    package func finish() {
        tellRepeats(all: true)
    }

    private func tellRepeats(all: Bool = false) {
        for held in repeats.end(at: clock.now().boot, all: all) {
            var message = held.key
            message.text += " (seen \(held.count) times in \(held.over.approximate))"
            message.fields[.count] = String(held.count)
            put(message)
        }
        armTimer()
    }

    private func armTimer() {
        guard let delay = repeats.nextEnd(at: clock.now().boot) else { return timer.disarm() }
        timer.arm(after: .milliseconds(delay.count))
    }

    private func put(_ message: Message) {
        let record = JournalEntry(
            message: message.text, id: message.id, priority: message.level.rawValue, message.fields)
        if let send, send(record) >= 0 { return }
        var line = Array("alertd: ".utf8)
        line.append(escaping: message.text)
        line.append(0x0A)
        output.push(line)
        output.flush()
    }
}
