internal import Events
internal import History
internal import Market
internal import Time

/// The format of a record of the engine's log, version 1: the changes of polls since the last checkpoint.
///
/// A record is a version byte, items, and a CRC-32C. An item begins with its tag. A poll has its instant, then
/// entries, then a zero. Entries describe only changes: an input that had a price in the previous poll has the same
/// price in this one, and an input without a price remains without one, unless an entry says otherwise. A poll in
/// which nothing changed is only its instant.
///
/// An entry begins with a number: one plus its kind plus eight times the distance (zigzag) of the symbol's slot from
/// the slot of the previous entry. A slot is a symbol's index in the checkpoint; new symbols follow.
enum StateRecord {
    static let version: UInt8 = 1

    enum Item: UInt8 {
        case poll = 1
        /// The feed is stale.
        case stale
        /// The machine has resumed from suspend; the boot time follows.
        case resumed
    }

    enum Entry: UInt64 {
        /// The first input has a price that differs from its last one, or has a price again.
        case price
        /// Like ``price``, for the input with the given index.
        case inputPrice
        /// The input with the given index has no price.
        case noPrice
        /// The symbol is not in the response, but was in the previous one.
        case vanished
        /// The symbol is in the response again.
        case returned
        /// The state of a market without volume.
        case market
        /// A new symbol, with its inputs and their windows.
        case symbol
        /// A rare entry, whose kind follows.
        case rare
    }

    enum RareEntry: UInt8 {
        /// The symbol's quote asset.
        case quote = 1
        /// The last notified state of a symbol that a rule names; the slot is ignored.
        case watch
    }
}

/// A writer of the log's records, used while the engine runs.
struct StateRecordWriter: Sendable {
    private var writer = StateBytesWriter()
    private var slot = 0
    /// True if only the times of polls were written.
    private(set) var isUnchanged = true

    var isEmpty: Bool { writer.isEmpty }
    var count: Int { writer.count }

    mutating func beginPoll(at time: Instant, after last: Instant) {
        item(.poll)
        writer.instant(time, after: last)
        slot = 0
    }

    mutating func endPoll() {
        writer.byte(0)
    }

    mutating func markStale() {
        item(.stale)
        isUnchanged = false
    }

    mutating func didResume(at time: BootTime) {
        item(.resumed)
        writer.signed(time.milliseconds)
        isUnchanged = false
    }

    /// Drains the record; nil if nothing was written.
    mutating func drain() -> EngineRecord? {
        guard !writer.isEmpty else { return nil }
        defer { isUnchanged = true }
        return EngineRecord(bytes: writer.finish(), isUnchanged: isUnchanged)
    }

    mutating func removeAll() {
        writer.removeAll()
        isUnchanged = true
    }

    private mutating func item(_ item: StateRecord.Item) {
        if writer.isEmpty { writer.byte(StateRecord.version) }
        writer.byte(item.rawValue)
    }

    private mutating func entry(_ kind: StateRecord.Entry, _ slot: Int) {
        writer.unsigned((Int64(slot - self.slot).zigzag << 3 | kind.rawValue) + 1)
        self.slot = slot
        isUnchanged = false
    }
}

extension StateRecordWriter {
    mutating func recordPrice(_ price: Price, near other: Price?, input: Int, slot: Int) {
        if input == 0 {
            entry(.price, slot)
        } else {
            entry(.inputPrice, slot)
            writer.unsigned(UInt64(input))
        }
        writer.price(price, near: other)
    }

    mutating func recordNoPrice(input: Int, slot: Int) {
        entry(.noPrice, slot)
        writer.unsigned(UInt64(input))
    }

    mutating func didDisappear(slot: Int) { entry(.vanished, slot) }
    mutating func didReturn(slot: Int) { entry(.returned, slot) }

    mutating func recordMarket(_ market: QuietMarket?, slot: Int, at time: Instant) {
        entry(.market, slot)
        writer.optional(market) { $0.market($1, base: time) }
    }

    mutating func recordSymbol(_ state: SymbolState, slot: Int) {
        entry(.symbol, slot)
        writer.text(state.symbol)
        writer.shape(state.inputs)
    }

    mutating func recordQuote(_ quote: Asset, slot: Int) {
        entry(.rare, slot)
        writer.byte(StateRecord.RareEntry.quote.rawValue)
        writer.text(quote)
    }

    mutating func recordWatch(_ watch: SymbolWatch) {
        entry(.rare, slot)
        writer.byte(StateRecord.RareEntry.watch.rawValue)
        writer.text(watch.symbol)
        writer.text(watch.state.rawValue)
    }
}

// MARK: Values

extension StateBytesWriter {
    mutating func market(_ market: QuietMarket, base: Instant) {
        for price in [market.last, market.bid, market.ask] { optional(price) { $0.price($1, near: nil) } }
        instant(market.unchangedSince, after: base)
        optional(market.frozenSince) { $0.instant($1, after: base) }
    }

    /// Writes the inputs of a symbol and the lengths of their windows.
    mutating func shape(_ inputs: [PriceInput]) {
        unsigned(UInt64(inputs.count))
        for input in inputs {
            text(input.key)
            unsigned(UInt64(input.windows.count))
            for window in input.windows { signed(window.length.count) }
        }
    }
}

extension StateBytesReader {
    mutating func market(base: Instant) throws(StateDamage) -> QuietMarket {
        var prices: [Price?] = []
        for _ in 0..<3 {
            prices.append(
                try optional { reader throws(StateDamage) in try reader.price(near: nil, isAny: true) })
        }
        return QuietMarket(
            last: prices[0], bid: prices[1], ask: prices[2], unchangedSince: try instant(after: base),
            frozenSince: try optional { reader throws(StateDamage) in try reader.instant(after: base) })
    }

    /// Reads the inputs of a symbol, with windows without samples.
    mutating func shape() throws(StateDamage) -> [PriceInput] {
        var inputs: [PriceInput] = []
        for index in 0..<(try count(upTo: Self.shapeLimit)) {
            var input = try value(PriceInput.init(stateKey:))
            guard (index == 0) == (input.kind == .last && input.currency == nil) else { throw .content }
            for _ in 0..<(try count(upTo: Self.shapeLimit)) {
                let length = Milliseconds(try signed())
                guard length > .zero, BootTime(milliseconds: length.count).isPlausible else { throw .content }
                input.windows.append(RollingWindow(length: length))
            }
            inputs.append(input)
        }
        guard !inputs.isEmpty else { throw .content }
        return inputs
    }

    /// Maximum number of inputs of a symbol, and of windows of an input. Only a rule file that is many times too
    /// large could need more.
    private static let shapeLimit = 100_000
}
