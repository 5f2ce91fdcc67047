internal import Market
internal import Time

// The state of symbols as versions of the state file up to 5 have it.

extension EngineSnapshot {
    /// Whether the state of the symbols is text.
    var isTextual: Bool { checkpoint.isEmpty && feed != nil }
}

extension StateOfSymbols {
    /// Reads the texts of a snapshot, and notes what it cannot read.
    init?(text snapshot: EngineSnapshot, _ unreadable: inout [String]) {
        let zero = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 0))
        let feed = FeedWatch.Stored(text: snapshot.feed ?? "")
        if feed == nil { unreadable.append("feed") }
        header = Header(
            lastPoll: feed.flatMap { $0.hadResponse ? $0.lastUsable : nil },
            feed: feed ?? FeedWatch.Stored(lastUsable: zero, hadResponse: false, isStale: false))
        var latest = Instant?.none
        for symbol in snapshot.symbols {
            guard var reader = StateTextReader(symbol.encodedState, isKnown: SymbolState.isStateKey) else {
                unreadable.append("symbol \(symbol.symbol)")
                continue
            }
            let watch = reader.value("watch", SymbolWatch.State.init)
            let state = SymbolState(symbol.symbol, &reader)
            guard !reader.isFaulty else {
                unreadable.append("symbol \(symbol.symbol)")
                continue
            }
            watches[symbol.symbol] = watch
            if let state {
                symbols.append(state)
                if let time = state.previous?.time, time.boot > latest?.boot ?? time.boot { latest = time }
            }
        }
        if feed == nil, let latest { header.feed.lastUsable = latest }
    }
}

extension FeedWatch.Stored {
    /// Nil when the text cannot be read.
    fileprivate init?(text: String) {
        guard var reader = StateTextReader(text, isKnown: ["last", "start"].contains) else { return nil }
        let (last, start) = (reader.instant("last"), reader.instant("start"))
        guard !reader.isFaulty, let time = last ?? start, [["stale"], ["ok"]].contains(reader.words) else { return nil }
        self.init(lastUsable: time, hadResponse: last != nil, isStale: reader.words == ["stale"])
    }
}

extension SymbolState {
    /// Whether a key of a symbol's text is known.
    fileprivate static func isStateKey(_ key: String) -> Bool {
        ["quote", "seen", "unchanged", "frozen", "gone", "watch"].contains(key) || PriceInput(stateKey: key) != nil
    }

    /// Nil when the symbol was never in a response.
    fileprivate init?(_ symbol: Symbol, _ reader: inout StateTextReader) {
        self.init(symbol: symbol)
        if let quote = reader.value("quote", Asset.init) { setQuote(quote) }
        inputs += reader.keys.compactMap(PriceInput.init(stateKey:)).filter { $0.key != "last" }
        for index in inputs.indices { inputs[index].previous = reader.sample(inputs[index].key) }
        restoreRoutes()
        lastPrice = previous?.price
        goneSince = reader.instant("gone")
        guard let activity = MarketActivity(&reader) else { return nil }
        self.activity = activity
    }
}

extension MarketActivity {
    /// Nil when there was no response.
    fileprivate init?(_ reader: inout StateTextReader) {
        let seen = reader.value("seen") { text -> [Price?]? in
            let parts = text.split(separator: "/").map(String.init)
            let prices = parts.map { try? Price($0) }
            let isGood = zip(parts, prices).allSatisfy { $0 == "-" || $1 != nil }
            return parts.count == 4 && isGood ? prices : nil
        }
        guard let seen, let since = reader.instant("unchanged") else { return nil }
        let frozenSince = reader.instant("frozen")
        guard seen[3]?.isZero ?? false else {
            self.init()
            return
        }
        self.init(
            quiet: QuietMarket(
                last: seen[0], bid: seen[1], ask: seen[2], unchangedSince: since, frozenSince: frozenSince))
    }
}
