internal import Events
internal import Market
internal import Time

/// The table `silence`: silences in effect, and silences that ended recently.
struct SilenceTable {
    let database: Database

    /// Replaces the stored list. Runs inside a transaction. Silences are few and change only by hand.
    func write(_ silences: SilenceList) throws(StorageError) {
        try database.run("DELETE FROM silence")
        for record in silences.records { try write(record) }
        try database.facts.set(FactTable.Counter.lastSilence.rawValue, "\(silences.lastNumber)")
    }

    private func write(_ record: SilenceRecord) throws(StorageError) {
        let silence = record.silence
        let boot: BootTime? = if case .after(let boot) = silence.end { boot } else { nil }
        try database.run(
            """
            INSERT INTO silence (
                number, symbols, rule, severity, created, ends, ends_boot, creator, creator_name, comment, ended,
                ended_by, ended_by_name, source, daily)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(silence.number), .optional(silence.symbols?.text), .optional(silence.rule),
            .optional(silence.severity?.rawValue), .integer(record.created.milliseconds),
            .integer(record.ends.milliseconds), .optional(boot?.milliseconds), .integer(Int64(record.creator.id)),
            .optional(record.creator.name), .optional(record.comment), .optional(record.ended?.milliseconds),
            .optional(record.endedBy.map { Int64($0.id) }), .optional(record.endedBy?.name),
            .optional(silence.source.map { "\($0)" }), .optional(record.daily.map { "\($0)" }))
    }

    /// Returns the silences. Leaves out silences with a word that this version does not know, because they would
    /// match the wrong events. Also leaves out silences without symbols, rule and severity, which only a damaged file
    /// can have.
    func list() throws(StorageError) -> SilenceList {
        var records: [SilenceRecord] = []
        try database.read(
            """
            SELECT number, symbols, rule, severity, created, ends, ends_boot, creator, creator_name, comment, ended,
                ended_by, ended_by_name, source, daily
            FROM silence ORDER BY number
            """
        ) { row throws(StorageError) in
            if let record = try SilenceRecord(&row) {
                records.append(record)
            } else {
                database.leaveOut(row, of: "silence")
            }
            return true
        }
        return SilenceList(
            records: records, lastNumber: try database.facts.counter(.lastSilence))
    }
}

extension SilenceRecord {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let number = try row.counter()
        let symbols = try row.optionalValue(SymbolPattern.init)
        let rule = try row.optionalText()
        let severity = try row.optionalValue(Severity.init)
        let created = try row.time()
        let ends = try row.time()
        let boot = try row.optionalBootTime()
        let creator = try UserIdentity(&row)
        let comment = try row.optionalText()
        let ended = try row.optionalTime()
        let endedBy = try UserIdentity(&row)
        let source = try row.optionalValue(SourceName.init)
        let daily = try row.optionalValue { SilenceHours($0) }
        guard row.isUnderstood, let creator, symbols != nil || rule != nil || severity != nil else { return nil }
        let end = boot.map { SilenceEnd.after($0) } ?? .at(ends)
        self.init(
            silence: Silence(
                number: number, source: source, symbols: symbols, rule: rule, severity: severity, end: end),
            created: created, ends: ends, creator: creator, comment: comment, daily: daily, ended: ended,
            endedBy: endedBy)
    }
}

extension UserIdentity {
    /// Reads two columns: the id and the name of a user.
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let id = try row.optionalUser()
        let name = try row.optionalText()
        guard let id else { return nil }
        self.init(id: id, name: name)
    }
}
