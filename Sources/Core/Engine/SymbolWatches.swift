internal import Events
internal import Market
internal import Rules
internal import Time

/// A symbol that a rule names exactly, and its last notified state.
struct SymbolWatch: Equatable, Sendable {
    enum State: String, Sendable {
        case normal
        case frozen
        case missing
    }

    let symbol: Symbol
    var state = State.normal
    /// Number of its symbol state; nil until a response has the symbol.
    var symbolState: Int?

    /// Updates the state.
    ///
    /// - Returns: the kind of event to emit; nil if the state has not changed.
    mutating func update(_ now: State) -> EventKind? {
        guard now != state else { return nil }
        state = now
        return switch now {
        case .normal: .symbolReturned
        case .frozen: .symbolFrozen
        case .missing: .symbolMissing
        }
    }
}

/// The symbols that rules name exactly, with one watch each, in the order of the rules.
struct SymbolWatches: Sendable {
    var all: [SymbolWatch]
    private let indices: [Symbol: Int]

    init(_ rules: [Rule]) {
        var all: [SymbolWatch] = []
        var indices: [Symbol: Int] = [:]
        for number in rules.indices {
            for pattern in rules[number].symbols {
                guard let symbol = pattern.exactSymbol, indices[symbol] == nil else { continue }
                indices[symbol] = all.count
                all.append(SymbolWatch(symbol: symbol))
            }
        }
        self.all = all
        self.indices = indices
    }

    func index(of symbol: Symbol) -> Int? { indices[symbol] }

    /// Updates the states of the symbols: normal, frozen or missing.
    ///
    /// - Returns: the resulting events, in the order of the rules.
    mutating func update(
        _ symbols: inout SymbolStates, inPoll poll: Int, _ silences: [Silence], recording changes: inout ChangeLog,
        at time: Instant
    ) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for index in all.indices {
            let number = all[index].symbolState
            let state: SymbolWatch.State =
                if let number, symbols.isPresent(number, inPoll: poll) {
                    symbols[number].activity.frozenSince != nil ? .frozen : .normal
                } else { .missing }
            guard let kind = all[index].update(state) else { continue }
            if changes.isRecording { changes.record.recordWatch(all[index]) }
            let symbol = all[index].symbol
            var occurrence = Occurrence(kind, symbol, number.map { symbols[$0] }, at: time)
            // Silences are matched with the severity of the absence, also for the return. Otherwise a silence could
            // match only one of the two events.
            occurrence.silence = silences.first(of: symbol, rule: nil, .warning, at: time)
            if occurrence.silence != nil { (occurrence.notified, occurrence.reason) = (false, .silenced) }
            occurrences.append(occurrence)
        }
        return occurrences
    }

    /// Adopts the last notified states of symbols that the previous set of rules named, too.
    mutating func takeOver(from old: SymbolWatches, _ symbols: SymbolStates) {
        for index in all.indices {
            let symbol = all[index].symbol
            all[index].state = old.index(of: symbol).map { old.all[$0].state } ?? .normal
            all[index].symbolState = symbols.number(of: symbol)
        }
    }
}

extension Occurrence {
    /// - Parameters:
    ///   - kind: `symbolFrozen`, `symbolMissing` or `symbolReturned`.
    ///   - symbol: The symbol.
    ///   - state: The state of the symbol; nil if it was never seen.
    ///   - time: The current time.
    init(_ kind: EventKind, _ symbol: Symbol, _ state: SymbolState?, at time: Instant) {
        let what =
            switch kind {
            case .symbolFrozen: "is frozen (no trades and no price changes); its alerts are paused"
            case .symbolMissing: "is missing from the source's response; its alerts are paused"
            default: "is trading again"
            }
        self.init(
            time: time.wall, kind: kind, symbol: symbol, severity: kind == .symbolReturned ? .info : .warning,
            previous: state?.previous.map { PreviousPrice(price: $0.price, time: $0.time.wall) }, received: time.wall,
            text: "\(state?.marketName ?? "\(symbol)") \(what)")
    }
}
