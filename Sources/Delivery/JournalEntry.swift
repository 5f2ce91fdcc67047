internal import CSystemd.Journal
internal import Market
internal import Rules

/// One structured record for the journal: fields as `KEY=value`, where a value may hold any bytes.
struct JournalEntry: Equatable {
    private(set) var fields: [[UInt8]] = []

    /// Control characters in the message are escaped, so that it stays one line.
    init(message: String, id: MessageID?, priority: Int) {
        var text: [UInt8] = []
        text.append(escaping: message)
        add("MESSAGE", text)
        add("MESSAGE_ID", id?.text)
        add("PRIORITY", String(priority))
        add("SYSLOG_IDENTIFIER", "alertd")
    }

    /// The record of an event, with those of its facts that there are.
    init(_ event: Event) {
        let facts = event.occurrence
        self.init(message: facts.text, id: .of(facts.kind), priority: Self.priority(of: facts))
        add("ALERTD_EVENT", facts.kind.rawValue)
        add("ALERTD_RULE", facts.rule)
        add("ALERTD_SYMBOL", facts.symbol?.description)
        add("ALERTD_BOUND", facts.bound?.rawValue)
        add("ALERTD_PRICE", facts.price?.description)
        add("ALERTD_LIMIT", facts.limit?.description)
        add("ALERTD_CURRENCY", facts.currency?.description)
        add("ALERTD_NUMBER", String(event.number))
        add("ALERTD_REASON", facts.reason?.rawValue)
        add("ALERTD_SAMPLE_AGE_MS", facts.sampleAge.map { String($0.count) })
    }

    /// The levels of syslog: 2 critical, 4 warning, 5 notice, 6 info.
    private static func priority(of facts: Occurrence) -> Int {
        switch (facts.kind, facts.severity) {
        case (.fired, .critical), (.repeated, .critical): 2
        case (.fired, .warning), (.repeated, .warning): 4
        case (.fired, .info), (.repeated, .info): 6
        case (.resolved, _), (.feedRecovered, _), (.symbolReturned, _), (.rulesChanged, _), (.storeRecovered, _),
            (.test, _):
            5
        case (.feedStale, _), (.symbolMissing, _), (.symbolFrozen, _), (.storeFailed, _): 4
        }
    }

    private mutating func add(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        add(key, Array(value.utf8))
    }

    private mutating func add(_ key: StaticString, _ value: [UInt8]) {
        fields.append(Array("\(key)=".utf8) + value)
    }

    /// Hands the record to journald.
    ///
    /// - Returns: 0, also when no journald listens, or a negative error number.
    func send() -> Int32 {
        var vectors: [iovec] = unsafe []
        // The vectors point into this one copy, which holds still while they are used.
        var bytes = Array(fields.joined())
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            guard var base = buffer.baseAddress else { return 0 }
            for field in fields {
                unsafe vectors.append(iovec(iov_base: base, iov_len: field.count))
                unsafe base += field.count
            }
            return unsafe sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}
