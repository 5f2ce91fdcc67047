internal import CSystemd.Journal
package import Events
internal import Market
internal import Time

/// One structured record for the journal: fields as `KEY=value`, where a value may hold any bytes.
package struct JournalEntry: Equatable, Sendable {
    package private(set) var fields: [[UInt8]] = []

    /// Control characters in the message are escaped, so that it stays one line; values of fields keep their bytes.
    ///
    /// - Parameters:
    ///   - message: what is said.
    ///   - id: which kind of entry it is.
    ///   - priority: 0 to 7, as syslog has them.
    ///   - values: fields of ours and their values.
    package init(message: String, id: MessageID, priority: Int, _ values: [JournalField: String] = [:]) {
        var text: [UInt8] = []
        text.append(escaping: message)
        add("MESSAGE", text)
        add("MESSAGE_ID", Array(id.text.utf8))
        add("PRIORITY", Array(String(priority).utf8))
        add("SYSLOG_IDENTIFIER", Array("alertd".utf8))
        for field in JournalField.allCases { add(field, values[field]) }
    }

    /// The record of an event, with those of its facts that there are.
    package init(_ event: Event) {
        let facts = event.occurrence
        self.init(message: facts.text, id: .of(facts.kind), priority: Self.priority(of: facts))
        add(.kind, facts.kind.rawValue)
        add(.number, String(event.number))
        add(.severity, facts.severity.rawValue)
        add(.rule, facts.rule)
        add(.symbol, facts.symbol?.description)
        add(.bound, facts.bound?.rawValue)
        add(.price, facts.price?.description)
        add(.limit, facts.limit?.description)
        add(.currency, facts.currency?.description)
        add(.reason, facts.reason?.rawValue)
        add(.sampleAge, facts.sampleAge.map { String($0.count) })
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

    private mutating func add(_ field: JournalField, _ value: String?) {
        guard let value else { return }
        add(field.rawValue, Array(value.utf8))
    }

    private mutating func add(_ key: String, _ value: [UInt8]) {
        fields.append(Array("\(key)=".utf8) + value)
    }

    /// Hands the record to journald.
    ///
    /// - Returns: 0, also when no journald listens, or a negative error number.
    package func send() -> Int32 {
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
