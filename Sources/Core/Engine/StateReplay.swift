internal import Events
internal import History
internal import Market
internal import Time

/// The replay of records onto a checkpoint. Nothing is evaluated: inputs and windows get the recorded prices at the
/// recorded instants.
///
/// An input with the same price in consecutive polls gets only the last two samples, which leaves the same state as
/// all of them. A window without samples also gets the first one, which is its start.
struct StateReplay {
    private(set) var state: StateOfSymbols
    /// The instants of the polls. The first one is the last poll before the checkpoint.
    private var polls: [Instant]
    /// For each input of each symbol, the number of the last poll whose price was applied; nil while it has no price.
    private var given: [[Int?]] = []
    private var slot = 0

    init(_ state: StateOfSymbols) {
        self.state = state
        polls = [state.header.latest]
        for symbol in state.symbols {
            given.append(
                symbol.inputs.map { $0.previous?.time == state.header.lastPoll && $0.previous != nil ? 0 : nil })
        }
    }

    /// Applies one record.
    ///
    /// - Throws: if it cannot be read; everything before the damage has been applied.
    mutating func apply(_ record: [UInt8]) throws(StateDamage) {
        var reader = try StateBytesReader(record, version: StateRecord.version)
        while !reader.isAtEnd {
            switch StateRecord.Item(rawValue: try reader.byte()) {
            case .poll: try applyPoll(&reader)
            case .stale: state.header.feed.isStale = true
            case .resumed:
                let time = BootTime(milliseconds: try reader.signed())
                guard time.isPlausible else { throw .content }
                state.header.resumed = time
            case nil: throw .content
            }
        }
    }

    /// Returns the complete state after the last record.
    mutating func finish() -> StateOfSymbols {
        for number in given.indices {
            for input in given[number].indices { repeatPrice(number, input, through: polls.count - 1) }
        }
        for index in state.symbols.indices {
            state.symbols[index].presence.lastPrice = state.symbols[index].previous?.price
            state.symbols[index].restoreRoutes()
        }
        return state
    }

    private var now: Instant { polls[polls.count - 1] }

    private mutating func applyPoll(_ reader: inout StateBytesReader) throws(StateDamage) {
        let time = try reader.instant(after: now)
        guard time.boot >= now.boot else { throw .content }
        polls.append(time)
        state.header.lastPoll = time
        state.header.feed = FeedWatch.Stored(lastUsable: time, hadResponse: true, isStale: false)
        slot = 0
        while case let code = try reader.unsigned(), code != 0 {
            let (next, overflow) = slot.addingReportingOverflow(Int(truncatingIfNeeded: Int64(zigzag: (code - 1) >> 3)))
            guard let entry = StateRecord.Entry(rawValue: (code - 1) & 7), !overflow else { throw .content }
            slot = next
            try apply(entry, &reader)
        }
    }

    private mutating func apply(_ entry: StateRecord.Entry, _ reader: inout StateBytesReader) throws(StateDamage) {
        switch entry {
        case .symbol: return try add(&reader)
        case .rare: return try applyRare(&reader)
        default: guard state.symbols.indices.contains(slot) else { throw .content }
        }
        switch entry {
        case .price: try applyPrice(0, &reader)
        case .inputPrice: try applyPrice(input(&reader), &reader)
        case .noPrice: stop(try input(&reader))
        case .vanished:
            for input in given[slot].indices { stop(input) }
            state.symbols[slot].presence.goneSince = now
        case .returned: state.symbols[slot].presence.goneSince = nil
        case .market:
            let now = now
            state.symbols[slot].activity = MarketActivity(
                quiet: try reader.optional { reader throws(StateDamage) in try reader.market(base: now) })
        case .symbol, .rare: break
        }
    }

    private mutating func applyRare(_ reader: inout StateBytesReader) throws(StateDamage) {
        switch StateRecord.RareEntry(rawValue: try reader.byte()) {
        case .watch:
            let symbol = try reader.value(Symbol.init)
            state.watches[symbol] = try reader.value(SymbolWatch.State.init)
        case .quote:
            guard state.symbols.indices.contains(slot) else { throw .content }
            state.symbols[slot].setQuote(try reader.value(Asset.init))
        case nil: throw .content
        }
    }

    private mutating func add(_ reader: inout StateBytesReader) throws(StateDamage) {
        guard slot == state.symbols.count else { throw .content }
        var symbol = SymbolState(symbol: try reader.value(Symbol.init))
        symbol.inputs = try reader.shape()
        state.symbols.append(symbol)
        given.append(symbol.inputs.map { _ in nil })
    }

    private func input(_ reader: inout StateBytesReader) throws(StateDamage) -> Int {
        let input = Int(truncatingIfNeeded: try reader.unsigned())
        guard given[slot].indices.contains(input) else { throw .content }
        return input
    }

    private mutating func applyPrice(_ input: Int, _ reader: inout StateBytesReader) throws(StateDamage) {
        repeatPrice(slot, input, through: polls.count - 2)
        let price = try reader.price(near: state.symbols[slot].inputs[input].previous?.price)
        state.symbols[slot].inputs[input].replay(price, at: now)
        given[slot][input] = polls.count - 1
    }

    private mutating func stop(_ input: Int) {
        repeatPrice(slot, input, through: polls.count - 2)
        given[slot][input] = nil
    }

    /// Applies the price of an input whose price did not change to all polls up to `poll`.
    private mutating func repeatPrice(_ number: Int, _ input: Int, through poll: Int) {
        guard let last = given[number][input], last < poll,
            let price = state.symbols[number].inputs[input].previous?.price
        else { return }
        let beginsWindow = state.symbols[number].inputs[input].windows.contains { $0.start == nil }
        let first = beginsWindow ? [last + 1] : []
        for poll in Set(first + [max(last + 1, poll - 1), poll]).sorted() {
            state.symbols[number].inputs[input].replay(price, at: polls[poll])
        }
        given[number][input] = poll
    }
}
