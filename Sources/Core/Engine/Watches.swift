internal import Events
internal import Market
internal import Rules
internal import Time

/// Sees when a feed has nothing usable for too long: once an outage.
struct FeedWatch: Equatable, Sendable {
    /// The last usable response, or the first start.
    private(set) var lastUsable: Instant
    /// From when on the next one is waited for: the last one, or the last start.
    private var waitingSince: BootTime
    private(set) var hadResponse = false
    private(set) var isStale = false

    init(start: Instant) {
        lastUsable = start
        waitingSince = start.boot
    }

    func deadline(staleAfter: Milliseconds) -> BootTime? {
        isStale ? nil : waitingSince.advanced(by: staleAfter)
    }

    mutating func waitAnew(at time: BootTime) {
        waitingSince = max(waitingSince, time)
    }

    mutating func check(at time: Instant, staleAfter: Milliseconds) -> Occurrence? {
        guard let deadline = deadline(staleAfter: staleAfter), time.boot >= deadline else { return nil }
        isStale = true
        let length = time.boot.since(lastUsable.boot).approximate
        let since = hadResponse ? "since \(lastUsable.wall)" : "since the start at \(lastUsable.wall)"
        return Occurrence(
            time: time.wall, kind: .feedStale, severity: .warning,
            text: "No usable response for \(length) (\(since)); alerts are paused")
    }

    mutating func recover(at time: Instant) -> Occurrence? {
        defer {
            lastUsable = time
            waitingSince = time.boot
            hadResponse = true
            isStale = false
        }
        guard isStale else { return nil }
        let length = time.boot.since(lastUsable.boot).approximate
        return Occurrence(
            time: time.wall, kind: .feedRecovered, severity: .info, received: time.wall,
            text: "Usable responses again after \(length)")
    }

    var encodedState: String {
        var writer = StateTextWriter()
        writer.word(isStale ? "stale" : "ok")
        writer.field(hadResponse ? "last" : "start", lastUsable)
        return writer.text
    }

    /// Takes back what was written; false, and all stays as it is, when it cannot be read.
    mutating func restore(encodedState: String, clock: ClockTranslation) -> Bool {
        guard var reader = StateTextReader(encodedState, clock: clock, isKnown: ["last", "start"].contains) else {
            return false
        }
        let (last, start) = (reader.instant("last"), reader.instant("start"))
        guard !reader.isFaulty, let time = last ?? start, [["stale"], ["ok"]].contains(reader.words) else {
            return false
        }
        lastUsable = time
        hadResponse = last != nil
        isStale = reader.words == ["stale"]
        return true
    }
}

/// A symbol that a rule names exactly, and what was last notified of it.
struct SymbolWatch: Equatable, Sendable {
    enum State: String, Sendable {
        case normal
        case frozen
        case missing
    }

    let symbol: Symbol
    var state = State.normal
    /// The number of its symbol state; nil while no response has had it.
    var symbolState: Int?

    /// One watch a symbol, in the order of the rules.
    static func all(for rules: [Rule]) -> [SymbolWatch] {
        var seen: Set<Symbol> = []
        return rules.flatMap(\.symbols).compactMap(\.exactSymbol).filter { seen.insert($0).inserted }
            .map { SymbolWatch(symbol: $0) }
    }

    static func places(of watches: [SymbolWatch]) -> [Symbol: Int] {
        Dictionary(watches.enumerated().map { ($1.symbol, $0) }) { first, _ in first }
    }

    /// Takes what the symbol is now.
    ///
    /// - Returns: the kind of event to tell, or nil when it is as it was.
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

extension RuleEngine {
    mutating func updateWatches(at time: Instant, into occurrences: inout [Occurrence]) {
        for index in watches.indices {
            let symbol = watches[index].symbol
            let number = watches[index].symbolState
            let state: SymbolWatch.State =
                if let number, symbolStates[number].lastPoll == pollCount {
                    symbolStates[number].activity.frozenSince != nil ? .frozen : .normal
                } else { .missing }
            guard let kind = watches[index].update(state) else { continue }
            noteChange(ofWatch: index)
            let previous = number.flatMap { symbolStates[$0].previous }
            let market = number.map { symbolStates[$0].marketName } ?? "\(symbol)"
            var occurrence = Occurrence(kind, symbol, market, previous: previous, at: time)
            occurrence.silence = silence(of: symbol, rule: nil, occurrence.severity, at: time)
            if occurrence.silence != nil { (occurrence.notified, occurrence.reason) = (false, .silenced) }
            occurrences.append(occurrence)
        }
    }
}

extension RuleEngine {
    private mutating func noteChange(ofWatch index: Int) {
        if let symbolState = watches[index].symbolState {
            noteChange(ofSymbol: symbolState)
        } else if !changes.isWhole, !changes.unseen.contains(index) {
            changes.unseen.append(index)
        }
    }
}

extension Occurrence {
    fileprivate init(
        _ kind: EventKind, _ symbol: Symbol, _ market: String, previous: PriceSample?, at time: Instant
    ) {
        let what =
            switch kind {
            case .symbolFrozen: "is frozen (no trades and no price changes); its alerts are paused"
            case .symbolMissing: "is missing from the exchange's response; its alerts are paused"
            default: "is trading again"
            }
        self.init(
            time: time.wall, kind: kind, symbol: symbol, severity: kind == .symbolReturned ? .info : .warning,
            previous: previous.map { PreviousPrice(price: $0.price, time: $0.time.wall) }, received: time.wall,
            text: "\(market) \(what)")
    }
}
