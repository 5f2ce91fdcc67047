internal import Market

/// Sees when a feed has nothing usable for too long: once an outage.
struct FeedWatch: Equatable, Sendable {
    private var lastUsable: Instant
    private var hadResponse = false
    private(set) var isStale = false

    init(start: Instant) {
        lastUsable = start
    }

    func deadline(staleAfter: Milliseconds) -> BootTime? {
        isStale ? nil : lastUsable.boot.advanced(by: staleAfter)
    }

    mutating func check(at time: Instant, staleAfter: Milliseconds) -> Occurrence? {
        guard let deadline = deadline(staleAfter: staleAfter), time.boot >= deadline else { return nil }
        isStale = true
        let length = time.boot.since(lastUsable.boot).approximate
        let since = hadResponse ? "since \(lastUsable.wall)" : "since the start at \(lastUsable.wall)"
        return Occurrence(
            time: time.wall, kind: .feedStale, severity: .warning,
            text: "no usable response for \(length), \(since); prices and alerts stand still")
    }

    mutating func recover(at time: Instant) -> Occurrence? {
        defer {
            lastUsable = time
            hadResponse = true
            isStale = false
        }
        guard isStale else { return nil }
        let length = time.boot.since(lastUsable.boot).approximate
        return Occurrence(
            time: time.wall, kind: .feedRecovered, severity: .info, received: time.wall,
            text: "responses are usable again after \(length)")
    }
}

/// A symbol that a rule names exactly, and what was last told of it.
struct SymbolWatch: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case normal
        case frozen
        case missing
    }

    let symbol: Symbol
    var state = State.normal

    /// One watch a symbol, in the order of the rules.
    static func all(for rules: [Rule]) -> [SymbolWatch] {
        var seen: Set<Symbol> = []
        return rules.flatMap(\.symbols).compactMap(\.exactSymbol).filter { seen.insert($0).inserted }
            .map { SymbolWatch(symbol: $0) }
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
            let track = table.number(of: symbol).map { tracks[$0] }
            let state: SymbolWatch.State =
                track?.lastPoll != pollCount ? .missing : track?.activity.frozenSince != nil ? .frozen : .normal
            guard let kind = watches[index].update(state) else { continue }
            occurrences.append(Occurrence(kind, symbol, previous: track?.previous, at: time))
        }
    }
}

extension Occurrence {
    fileprivate init(
        _ kind: EventKind, _ symbol: Symbol, previous: (price: Price, time: Instant)?, at time: Instant
    ) {
        let what =
            switch kind {
            case .symbolFrozen: "is frozen: no trade and no change; its alerts stand still"
            case .symbolMissing: "is not in the exchange's response; its alerts stand still"
            default: "is traded again"
            }
        self.init(
            time: time.wall, kind: kind, symbol: symbol, severity: kind == .symbolReturned ? .info : .warning,
            previous: previous.map { PreviousPrice(price: $0.price, time: $0.time.wall) }, received: time.wall,
            text: "\(symbol) \(what)")
    }
}
