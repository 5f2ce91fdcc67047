internal import Market

extension AlertMachine {
    /// The state's name as it is stored and shown.
    var word: String {
        switch self {
        case .waiting: "waiting"
        case .inactive: "inactive"
        case .firing: "firing"
        }
    }

    /// All of the state as a text that ``init(memory:clock:)`` reads.
    var memory: String {
        var writer = MemoryWriter()
        writer.word(word)
        writer.field("since", since)
        return writer.text
    }

    /// Nil when the text cannot be read.
    init?(memory: String, clock: ClockTranslation) {
        guard var reader = MemoryReader(memory, known: ["since"], clock: clock) else { return nil }
        switch (reader.words, reader.instant("since")) {
        case (["waiting"], nil): self = .waiting
        case (["inactive"], let since?): self = .inactive(since: since)
        case (["firing"], let since?): self = .firing(since: since)
        default: return nil
        }
        if reader.isFaulty { return nil }
    }
}
