internal import Market
internal import Time

extension SymbolState {
    /// Whether a key of an encoded symbol state is known.
    static func isStateKey(_ key: String) -> Bool {
        ["quote", "seen", "unchanged", "frozen", "gone", "watch"].contains(key) || PriceInput(stateKey: key) != nil
    }

    /// The symbol as it is stored, with what was last notified of it.
    func snapshot(_ watch: SymbolWatch?) -> SymbolSnapshot {
        var writer = StateTextWriter()
        writer.field("quote", quote?.description)
        for input in inputs.sorted(by: { $0.key < $1.key }) { writer.field(input.key, input.previous) }
        activity.write(to: &writer)
        writer.field("gone", goneSince)
        writer.field("watch", watch?.state.rawValue)
        return SymbolSnapshot(symbol: symbol, encodedState: writer.text)
    }

    /// Reads what ``snapshot(_:)`` wrote; nil when the symbol was never in a response.
    init?(_ symbol: Symbol, input reader: inout StateTextReader, at time: Instant) {
        self.init(symbol: symbol, at: time)
        if let quote = reader.value("quote", Asset.init) { setQuote(quote) }
        inputs += reader.keys.compactMap(PriceInput.init(stateKey:)).filter { $0.key != "last" }
        for index in inputs.indices {
            inputs[index].previous = reader.sample(inputs[index].key)
            if inputs[index].currency == quoteCurrency { inputs[index].route = .none }
        }
        lastPrice = previous?.price
        goneSince = reader.instant("gone")
        guard activity.read(from: &reader) else { return nil }
    }
}

extension SymbolState {
    /// The input that decides for a stored alert.
    func input(of alert: AlertSnapshot) -> PriceInput? {
        let clock = ClockTranslation(now: activity.unchangedSince, isSameBoot: true)
        let key = StoredAlertState(alert.encodedState, clock: clock)?.input ?? "last"
        return inputs.first { $0.key == key }
    }
}

extension SymbolWatch {
    /// A symbol that no response has had, as it is stored.
    var unseenSnapshot: SymbolSnapshot {
        SymbolSnapshot(symbol: symbol, encodedState: "watch=\(state.rawValue)")
    }
}

extension PriceInput {
    /// What it is stored under: `last`, `bid:SEK`.
    var key: String {
        kind.rawValue + (currency.map { ":\($0)" } ?? "")
    }

    fileprivate init?(stateKey: String) {
        let parts = stateKey.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let currency = parts.count == 2 ? parts.last.flatMap(Currency.init) : nil
        guard let kind = parts.first.flatMap(PriceKind.init(rawValue:)), parts.count == 1 || currency != nil else {
            return nil
        }
        self.init(kind, in: currency)
    }
}

extension MarketActivity {
    fileprivate func write(to writer: inout StateTextWriter) {
        writer.field("seen", [last, bid, ask, volume].map { $0?.description ?? "-" }.joined(separator: "/"))
        writer.field("unchanged", unchangedSince)
        writer.field("frozen", frozenSince)
    }

    /// Reads what was written; false when there was nothing.
    fileprivate mutating func read(from reader: inout StateTextReader) -> Bool {
        let seen = reader.value("seen") { text -> [Price?]? in
            let parts = text.split(separator: "/").map(String.init)
            let prices = parts.map { try? Price($0) }
            let isGood = zip(parts, prices).allSatisfy { $0 == "-" || $1 != nil }
            return parts.count == 4 && isGood ? prices : nil
        }
        guard let seen, let since = reader.instant("unchanged") else { return false }
        (last, bid, ask, volume) = (seen[0], seen[1], seen[2], seen[3])
        unchangedSince = since
        frozenSince = reader.instant("frozen")
        return true
    }
}
