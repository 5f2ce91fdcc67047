internal import Market

extension MarketTrack {
    /// Whether a text may stand before `=`.
    static func isMemoryKey(_ key: String) -> Bool {
        ["quote", "seen", "unchanged", "frozen", "watch"].contains(key) || Reading(memoryKey: key) != nil
    }

    func write(to writer: inout MemoryWriter) {
        writer.field("quote", quote?.description)
        for reading in readings.sorted(by: { $0.key < $1.key }) { writer.field(reading.key, reading.previous) }
        activity.write(to: &writer)
    }

    /// What was written; nil when the symbol was never in a response.
    init?(_ symbol: Symbol, reading reader: inout MemoryReader, at time: Instant) {
        self.init(symbol: symbol, at: time)
        if let quote = reader.value("quote", Asset.init) { setQuote(quote) }
        readings += reader.keys.compactMap(Reading.init(memoryKey:)).filter { $0.key != "last" }
        for index in readings.indices {
            readings[index].previous = reader.sample(readings[index].key)
            if readings[index].currency == quoteCurrency { readings[index].route = .none }
        }
        lastPrice = previous?.price
        guard activity.read(from: &reader) else { return nil }
    }
}

extension MarketTrack {
    /// The reading that decides for a stored alert.
    func reading(of alert: AlertSnapshot) -> Reading? {
        let clock = ClockTranslation(now: activity.unchangedSince, isSameBoot: true)
        let key = AlertMemory(alert.memory, clock: clock)?.reading ?? "last"
        return readings.first { $0.key == key }
    }
}

extension Reading {
    /// What it is stored under: `last`, `bid:SEK`.
    var key: String {
        kind.rawValue + (currency.map { ":\($0)" } ?? "")
    }

    fileprivate init?(memoryKey: String) {
        let parts = memoryKey.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let currency = parts.count == 2 ? parts.last.flatMap(Currency.init) : nil
        guard let kind = parts.first.flatMap(PriceKind.init(rawValue:)), parts.count == 1 || currency != nil else {
            return nil
        }
        self.init(kind, in: currency)
    }
}

extension MarketActivity {
    fileprivate func write(to writer: inout MemoryWriter) {
        writer.field("seen", [last, bid, ask, volume].map { $0?.description ?? "-" }.joined(separator: "/"))
        writer.field("unchanged", unchangedSince)
        writer.field("frozen", frozenSince)
    }

    /// Reads what was written; false when there was nothing.
    fileprivate mutating func read(from reader: inout MemoryReader) -> Bool {
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
