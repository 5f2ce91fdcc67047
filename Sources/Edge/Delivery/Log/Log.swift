package import EventLoop
package import Journal
internal import Market
internal import Time

/// The level of a daemon message. The raw values are the priorities of syslog.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    /// Something that was requested cannot be done.
    case error = 3
    /// Something is wrong, but the daemon continues.
    case warning = 4
    /// Important in normal operation: start, stop, reload.
    case notice = 5
    /// Details of normal operation.
    case info = 6
    /// Details for troubleshooting.
    case debug = 7

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The daemon's own log. Each message is written once, as a journal entry or as a line on standard error.
///
/// A message that repeats is written a few times, then counted, and reported later with its count.
@LoopActor
package final class Log {
    package typealias Fields = [JournalField: String]

    /// Two messages are the same if all of these properties are equal.
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
    private lazy var timer = LoopTimer(accuracy: .seconds(1)) { [weak self] in self?.writeRepeats() }

    /// - Parameters:
    ///   - isJournal: true if standard error is the journal according to `JOURNAL_STREAM`. If so, messages become
    ///     journal entries.
    ///   - least: messages below this level are not written.
    package convenience init(isJournal: Bool, least: LogLevel = .info) {
        let send: @LoopActor (JournalEntry) -> Int32 = { $0.send() }
        self.init(least: least, output: LineOutput(2), send: isJournal ? send : nil)
    }

    /// - Parameters:
    ///   - least: messages below this level are not written.
    ///   - clock: the source of the current time.
    ///   - send: receives each message as a journal entry.
    package convenience init(
        least: LogLevel, clock: any TimeSource, send: @escaping @LoopActor (JournalEntry) -> Int32
    ) {
        self.init(least: least, output: LineOutput(2), clock: clock, send: send)
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

    /// Writes one message with control characters escaped. A message that the journal does not accept goes to
    /// standard error.
    package func write(_ level: LogLevel, _ message: String, id: MessageID, _ fields: Fields = [:]) {
        guard level <= least else { return }
        writeRepeats()
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

    /// Writes the pending counts of repeated messages. This is the last call before the process ends.
    package func finish() {
        writeRepeats(all: true)
    }

    private func writeRepeats(all: Bool = false) {
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
