internal import Market

/// What an alert has to remember over a restart.
struct AlertMemory: Equatable {
    var machine = AlertMachine.waiting
    var record = TellingRecord()
    /// From when on its window counts.
    var windowStart: Instant?
    /// Which price decides; `last` in the market's own currency when nil.
    var reading: String?
}

extension AlertMachine {
    /// The state's name as it is stored and shown.
    var word: String {
        switch self {
        case .waiting: "waiting"
        case .inactive, .poised: "inactive"
        case .pending: "pending"
        case .firing: "firing"
        }
    }

    fileprivate var memoryWord: String {
        if case .poised = self { "poised" } else { word }
    }
}

extension AlertMemory {
    private static let keys: Set<String> = [
        "since", "reason", "told", "acknowledged", "held", "side", "fired", "window", "of",
    ]
    private static let flags: Set<String> = ["owes", "disarmed"]

    /// All of it as a text that ``init(_:clock:)`` reads.
    var text: String {
        var writer = MemoryWriter()
        writer.word(machine.memoryWord)
        writer.field("since", machine.since)
        switch machine {
        case .waiting: break
        case .inactive(_, let owesEnd):
            if owesEnd { writer.word("owes") }
        case .pending(_, let reason, let owesEnd):
            writer.field("reason", reason?.rawValue)
            if owesEnd { writer.word("owes") }
        case .firing(_, .held(let reason)): writer.field("held", reason.rawValue)
        case .firing(_, .told(let time, let acknowledgement)):
            writer.field("told", time)
            writer.field("acknowledged", acknowledgement?.memory)
        case .poised(_, let side): writer.field("side", side.rawValue)
        }
        writer.field("fired", record.lastFired)
        if record.isDisarmed { writer.word("disarmed") }
        writer.field("window", windowStart)
        writer.field("of", reading)
        return writer.text
    }

    /// Nil when the text cannot be read.
    init?(_ text: String, clock: ClockTranslation) {
        guard var reader = MemoryReader(text, clock: clock, isKnown: Self.keys.contains), let state = reader.words.first
        else {
            return nil
        }
        let words = reader.words.dropFirst()
        let flags = Set(words)
        guard flags.count == words.count, flags.isSubset(of: Self.flags) else { return nil }
        guard let machine = AlertMachine(state, flags, &reader) else { return nil }
        self.machine = machine
        record.lastFired = reader.instant("fired")
        record.isDisarmed = flags.contains("disarmed")
        windowStart = reader.instant("window")
        reading = reader.value("of") { $0 }
        if reader.isFaulty { return nil }
    }
}

extension AlertMachine {
    fileprivate init?(_ word: String, _ flags: Set<String>, _ reader: inout MemoryReader) {
        let since = reader.instant("since")
        let told = reader.instant("told")
        let held = reader.value("held", Reason.init(rawValue:))
        let side = reader.value("side", Side.init(rawValue:))
        let reason = reader.value("reason", Reason.init(rawValue:))
        let acknowledgement = reader.value("acknowledged", Acknowledgement.init(memory:))
        let owes = flags.contains("owes")
        switch (word, since, told, held, side) {
        case ("waiting", nil, nil, nil, nil): self = .waiting
        case ("inactive", let since?, nil, nil, nil): self = .inactive(since: since, owesEnd: owes)
        case ("pending", let since?, nil, nil, nil): self = .pending(since: since, reason: reason, owesEnd: owes)
        case ("firing", let since?, nil, let held?, nil): self = .firing(since: since, telling: .held(by: held))
        case ("firing", let since?, let told?, nil, nil):
            self = .firing(since: since, telling: .told(at: told, acknowledgement: acknowledgement))
        case ("poised", let since?, nil, nil, let side?): self = .poised(since: since, side: side)
        default: return nil
        }
    }
}
