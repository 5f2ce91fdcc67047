internal import CSystemd.Journal
package import Events
internal import Market
internal import Time

/// A structured entry for the journal: fields as `KEY=value`, where a value may contain any bytes.
package struct JournalEntry: Equatable, Sendable {
    /// The fields as `KEY=value`, in the order in which they are sent.
    package private(set) var fields: [[UInt8]] = []

    /// Creates an entry. Control characters in the message are escaped, so that it remains one line. The values of
    /// fields are not changed.
    ///
    /// - Parameters:
    ///   - message: the text that people read, one line.
    ///   - id: the kind of entry.
    ///   - priority: 0 (emergency) to 7 (debug), as in syslog.
    ///   - values: fields of alertd and their values.
    package init(message: String, id: MessageID, priority: Int, _ values: [JournalField: String] = [:]) {
        var text: [UInt8] = []
        text.append(escaping: message)
        add("MESSAGE", text)
        add("MESSAGE_ID", Array(id.text.utf8))
        add("PRIORITY", Array(String(priority).utf8))
        add("SYSLOG_IDENTIFIER", Array("alertd".utf8))
        for field in JournalField.allCases { add(field, values[field]) }
    }

    /// Creates the entry for an event. Values that the event lacks have no field.
    package init(_ event: Event) {
        let facts = event.occurrence
        self.init(message: Self.message(of: facts), id: .of(facts.kind), priority: Self.priority(of: facts))
        add(.kind, facts.kind.rawValue)
        add(.number, String(event.number))
        add(.severity, facts.severity.rawValue)
        add(.source, facts.source?.description)
        add(.rule, facts.rule)
        add(.symbol, facts.symbol?.description)
        add(.bound, facts.bound?.rawValue)
        add(.price, facts.price?.description)
        add(.limit, facts.limit?.description)
        add(.currency, facts.currency?.description)
        add(.reason, facts.reason?.rawValue)
        add(.sampleAge, facts.sampleAge.map { String($0.count) })
    }

    /// Returns the text of an event. For an alert it includes the rule, which would not be shown otherwise.
    private static func message(of facts: Occurrence) -> String {
        switch facts.kind {
        case .fired, .resolved, .repeated, .touched: facts.text + (facts.rule.map { " (rule '\($0)')" } ?? "")
        default: facts.text
        }
    }

    /// Returns the syslog priority: 2 critical, 4 warning, 5 notice, 6 info.
    private static func priority(of facts: Occurrence) -> Int {
        switch (facts.kind, facts.severity) {
        case (.fired, .critical), (.repeated, .critical), (.touched, .critical): 2
        case (.fired, .warning), (.repeated, .warning), (.touched, .warning): 4
        case (.fired, .info), (.repeated, .info), (.touched, .info): 6
        case (.resolved, _), (.feedRecovered, _), (.symbolReturned, _), (.rulesChanged, _), (.storeRecovered, _),
            (.receiverRecovered, _), (.converged, _), (.test, _):
            5
        case (.diverged, .critical): 2
        case (.diverged, .info): 6
        case (.diverged, .warning), (.feedStale, _), (.symbolMissing, _), (.symbolFrozen, _), (.storeFailed, _),
            (.receiverFailed, _):
            4
        }
    }

    private mutating func add(_ field: JournalField, _ value: String?) {
        guard let value else { return }
        add(field.rawValue, Array(value.utf8))
    }

    private mutating func add(_ key: String, _ value: [UInt8]) {
        fields.append(Array("\(key)=".utf8) + value)
    }

    /// Sends the entry to journald.
    ///
    /// - Returns: 0, even if no journald is listening, or a negative error number.
    package func send() -> Int32 {
        var vectors: [iovec] = unsafe []
        // The vectors point into this one copy, which is not moved while they are in use.
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
