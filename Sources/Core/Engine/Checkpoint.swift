internal import Events
internal import Market
internal import Time

/// The format of a checkpoint, version 1: the whole state of the feed, of the symbols that have alerts or are named
/// by a rule, and of their windows.
///
/// A checkpoint is divided into parts, so that each fits into a row of the store. A part is a version byte, items,
/// and a CRC-32C. The first item is the header. A window belongs to the last symbol before it, also across parts.
///
/// A window of ordinary prices has a few dozen entries, some 100 bytes. The worst case is 2 × 1,024 entries of up to
/// 20 bytes, 40 kB: 18 MB for one rule with a window on 450 symbols.
enum Checkpoint {
    static let version: UInt8 = 1
    /// Size in bytes. A part ends with the item that exceeds it.
    static let partLimit = 262_144

    enum Item: UInt8 {
        case header = 1
        /// A symbol that a rule names, and its last notified state. A normal symbol is written only while it is gone.
        case watch
        case symbol
        /// A window with samples: the index of its input and its index in the input.
        case window
    }
}

/// The state that a checkpoint and the records after it add up to.
struct StateOfSymbols {
    var header: Header
    var watches: [Symbol: SymbolWatch.State] = [:]
    var symbols: [SymbolState] = []

    struct Header {
        var lastPoll: Instant?
        var feed: FeedWatch.Stored
        var resumed: BootTime?

        /// The latest known instant.
        var latest: Instant { lastPoll ?? feed.lastUsable }
    }
}

// MARK: Writing

extension StateOfSymbols {
    /// Encodes the checkpoint into parts that ``init(checkpoint:)`` reads.
    func checkpoint() -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var writer = StateBytesWriter()
        writer.byte(Checkpoint.version)
        writer.header(header, symbolCount: symbols.count)
        // A symbol that is gone is written even if its state is normal, to record that a rule names it. A symbol that
        // no rule names would be forgotten eventually.
        let gone = Set(symbols.filter { $0.presence.goneSince != nil }.map(\.symbol))
        for (symbol, state) in watches.sorted(by: { $0.key < $1.key })
        where state != .normal || gone.contains(symbol) {
            writer.byte(Checkpoint.Item.watch.rawValue)
            writer.text(symbol)
            writer.text(state.rawValue)
        }
        for symbol in symbols {
            writer.symbol(symbol, base: header.latest)
            for (place, input) in symbol.inputs.enumerated() {
                for (window, content) in input.windows.enumerated() where content.start != nil {
                    writer.byte(Checkpoint.Item.window.rawValue)
                    writer.unsigned(UInt64(place))
                    writer.unsigned(UInt64(window))
                    content.write(to: &writer, base: header.latest)
                    if writer.count > Checkpoint.partLimit {
                        parts.append(writer.finish())
                        writer.byte(Checkpoint.version)
                    }
                }
            }
        }
        return parts + [writer.finish()]
    }
}

extension StateBytesWriter {
    fileprivate mutating func header(_ header: StateOfSymbols.Header, symbolCount: Int) {
        let zero = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 0))
        byte(Checkpoint.Item.header.rawValue)
        unsigned(UInt64(symbolCount))
        optional(header.lastPoll) { $0.instant($1, after: zero) }
        instant(header.feed.lastUsable, after: zero)
        flag(header.feed.hadResponse)
        flag(header.feed.isStale)
        optional(header.resumed) { $0.signed($1.milliseconds) }
    }

    fileprivate mutating func symbol(_ symbol: SymbolState, base: Instant) {
        byte(Checkpoint.Item.symbol.rawValue)
        text(symbol.symbol)
        optional(symbol.quote) { $0.text($1) }
        optional(symbol.activity.quiet) { $0.market($1, base: base) }
        optional(symbol.presence.goneSince) { $0.instant($1, after: base) }
        shape(symbol.inputs)
        for input in symbol.inputs {
            optional(input.previous) {
                $0.instant($1.time, after: base)
                $0.price($1.price, near: nil)
            }
        }
    }
}

// MARK: Reading

extension StateOfSymbols {
    init(checkpoint parts: [[UInt8]]) throws(StateDamage) {
        guard let first = parts.first else { throw .content }
        var reader = try StateBytesReader(first, version: Checkpoint.version)
        guard try reader.byte() == Checkpoint.Item.header.rawValue else { throw .content }
        let (header, count) = try reader.header()
        self.init(header: header)
        try readItems(&reader)
        for part in parts.dropFirst() {
            reader = try StateBytesReader(part, version: Checkpoint.version)
            try readItems(&reader)
        }
        guard symbols.count == count, Set(symbols.map(\.symbol)).count == count else { throw .content }
    }

    private mutating func readItems(_ reader: inout StateBytesReader) throws(StateDamage) {
        while !reader.isAtEnd {
            switch Checkpoint.Item(rawValue: try reader.byte()) {
            case .watch: watches[try reader.value(Symbol.init)] = try reader.value(SymbolWatch.State.init)
            case .symbol: symbols.append(try reader.symbol(base: header.latest))
            case .window: try readWindow(&reader)
            case .header, nil: throw .content
            }
        }
    }

    private mutating func readWindow(_ reader: inout StateBytesReader) throws(StateDamage) {
        let symbol = symbols.count - 1
        let input = Int(truncatingIfNeeded: try reader.unsigned())
        let window = Int(truncatingIfNeeded: try reader.unsigned())
        guard symbol >= 0, symbols[symbol].inputs.indices.contains(input),
            symbols[symbol].inputs[input].windows.indices.contains(window)
        else { throw .content }
        let length = symbols[symbol].inputs[input].windows[window].length
        symbols[symbol].inputs[input].windows[window] = try RollingWindow(
            length: length, from: &reader, base: header.latest)
    }

    /// Translates all times to the clock of another boot.
    mutating func translate(by clock: ClockTranslation) {
        header.lastPoll = header.lastPoll.map(clock.translated)
        header.feed.lastUsable = clock.translated(header.feed.lastUsable)
        header.resumed = header.resumed.map(clock.translated)
        for index in symbols.indices { symbols[index].translate(by: clock) }
    }
}

extension SymbolState {
    fileprivate mutating func translate(by clock: ClockTranslation) {
        for index in inputs.indices { inputs[index].translate(by: clock) }
        presence.goneSince = presence.goneSince.map(clock.translated)
        guard var market = activity.quiet else { return }
        market.unchangedSince = clock.translated(market.unchangedSince)
        market.frozenSince = market.frozenSince.map(clock.translated)
        activity = MarketActivity(quiet: market)
    }
}

extension StateBytesReader {
    fileprivate mutating func header() throws(StateDamage) -> (StateOfSymbols.Header, symbolCount: Int) {
        let zero = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 0))
        let count = try count(upTo: Int(Int32.max))
        let lastPoll = try optional { reader throws(StateDamage) in try reader.instant(after: zero) }
        let feed = FeedWatch.Stored(
            lastUsable: try instant(after: zero), hadResponse: try flag(), isStale: try flag())
        return (StateOfSymbols.Header(lastPoll: lastPoll, feed: feed, resumed: try optional(Self.boot)), count)
    }

    fileprivate static func boot(_ reader: inout StateBytesReader) throws(StateDamage) -> BootTime {
        let time = BootTime(milliseconds: try reader.signed())
        guard time.isPlausible else { throw .content }
        return time
    }

    fileprivate mutating func symbol(base: Instant) throws(StateDamage) -> SymbolState {
        var state = SymbolState(symbol: try value(Symbol.init))
        let quote = try optional { reader throws(StateDamage) in try reader.value(Asset.init) }
        let market = try optional { reader throws(StateDamage) in try reader.market(base: base) }
        state.activity = MarketActivity(quiet: market)
        state.presence.goneSince = try optional { reader throws(StateDamage) in try reader.instant(after: base) }
        state.inputs = try shape()
        for index in state.inputs.indices {
            state.inputs[index].previous = try optional { reader throws(StateDamage) in
                PriceSample(time: try reader.instant(after: base), price: try reader.price(near: nil))
            }
        }
        if let quote { state.setQuote(quote) }
        return state
    }
}

extension PriceSample {
    fileprivate init(time: Instant, price: Price) {
        self.init(price: price, time: time)
    }
}
