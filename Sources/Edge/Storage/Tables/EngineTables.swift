internal import Engine
internal import Events
internal import Market
internal import Rules
internal import Time

/// The tables `rule`, `alert` and `checkpoint`. The engine of a source restores its state from these tables and from
/// the records in `poll`. Only the engine reads the encoded states.
struct EngineTables {
    let database: Database
    let source: Int64

    /// Deletes everything except the records in `poll`. Runs inside a transaction.
    func clear() throws(StorageError) {
        try database.run("DELETE FROM rule WHERE source = ?", .integer(source))
        try database.run("DELETE FROM alert WHERE source = ?", .integer(source))
        try database.run("DELETE FROM checkpoint WHERE source = ?", .integer(source))
    }

    /// Replaces everything with a whole snapshot, or applies changes. Runs inside a transaction.
    func write(_ changes: EngineChanges) throws(StorageError) {
        switch changes {
        case .whole(let snapshot):
            try clear()
            for (index, rule) in snapshot.rules.enumerated() {
                try database.run(
                    // A damaged file may have a rule of this name for a source that does not exist.
                    "INSERT OR REPLACE INTO rule (source, position, name, meaning) VALUES (?, ?, ?, ?)",
                    .integer(source), .integer(Int64(rule.place ?? index)), .text(rule.name), .text(rule.meaning))
            }
            try write(snapshot.alerts)
            try write(checkpoint: snapshot.checkpoint)
            for record in snapshot.records { try database.polls(source).write(record: record, []) }
        case .part(let alerts, let state):
            try write(alerts)
            switch state {
            case .checkpoint(let parts): try write(checkpoint: parts)
            // The record is written to the row of the poll, with its prices.
            case .record, nil: break
            }
        }
    }

    private func write(checkpoint parts: [[UInt8]]) throws(StorageError) {
        try database.run("DELETE FROM checkpoint WHERE source = ?", .integer(source))
        for (part, bytes) in parts.enumerated() {
            try database.run(
                """
                INSERT INTO checkpoint (source, part, poll, bytes)
                VALUES (?, ?, (SELECT coalesce(max(id), 0) FROM poll), ?)
                """, .integer(source), .integer(Int64(part)), .blob(bytes))
        }
        if parts.isEmpty {
            try database.polls(source).forgetRecords()
        } else {
            try database.polls(source).dropRecords()
        }
    }

    /// Writes alerts. If they fill pages, leaves room on each page: the row of an alert that fires gets longer, and
    /// the commit that its notification waits for would have to split a full page.
    private func write(_ alerts: [AlertSnapshot]) throws(StorageError) {
        guard alerts.count >= Self.alertsPerPage else {
            for alert in alerts { try write(alert) }
            return
        }
        for (place, alert) in alerts.enumerated() {
            var alert = alert
            if place % Self.alertsPerPage == 0 { alert.encodedState += Self.room }
            try write(alert)
        }
        for place in stride(from: 0, to: alerts.count, by: Self.alertsPerPage) { try write(alerts[place]) }
    }

    /// The approximate number of alerts on a page of 4 KiB.
    private static let alertsPerPage = 32
    /// Room for seven or eight alerts that fire.
    private static let room = String(repeating: " ", count: 480)

    private func write(_ alert: AlertSnapshot) throws(StorageError) {
        try database.run(
            """
            INSERT INTO alert (
                rule, symbol, bound, state, since, since_boot, severity, limit_price, currency, encoded_state, source)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET state = excluded.state, since = excluded.since, since_boot = excluded.since_boot,
                severity = excluded.severity, limit_price = excluded.limit_price, currency = excluded.currency,
                encoded_state = excluded.encoded_state, source = excluded.source
            """, .text(alert.rule), .text("\(alert.symbol)"), .text(alert.bound.rawValue), .text(alert.state),
            .optional(alert.since?.wall.milliseconds), .optional(alert.since?.boot.milliseconds),
            .text(alert.severity.rawValue), .optional(alert.limit.map { "\($0)" }),
            .optional(alert.currency.map { "\($0)" }), .text(alert.encodedState), .integer(source))
    }
}

extension EngineTables {
    /// Returns the snapshot that was stored last, or nil if the engine has not stored anything yet.
    func snapshot() throws(StorageError) -> EngineSnapshot? {
        let checkpoint = try checkpoint()
        let rest = try alertsAlone()
        guard !checkpoint.isEmpty || !rest.rules.isEmpty else { return nil }
        return EngineSnapshot(
            rules: rest.rules, alerts: rest.alerts, checkpoint: checkpoint,
            records: checkpoint.isEmpty ? [] : try database.polls(source).records())
    }

    /// Returns only the rules and alerts, for a file in which nothing else can be read.
    func alertsAlone() throws(StorageError) -> EngineSnapshot {
        EngineSnapshot(rules: try rules(), alerts: try alerts(), checkpoint: [])
    }

    private func checkpoint() throws(StorageError) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        try database.read("SELECT bytes FROM checkpoint WHERE source = ? ORDER BY part", .integer(source)) {
            row throws(StorageError) in
            parts.append(try row.blob())
            return true
        }
        return parts
    }

    private func rules() throws(StorageError) -> [RuleIdentity] {
        var rules: [RuleIdentity] = []
        try database.read(
            "SELECT name, meaning, position FROM rule WHERE source = ? ORDER BY position", .integer(source)
        ) { row throws(StorageError) in
            let (name, meaning) = (try row.text(), try row.text())
            rules.append(RuleIdentity(name: name, meaning: meaning, place: Int(try row.integer())))
            return true
        }
        return rules
    }

    /// Returns the alerts, ordered by rule, and within a rule in the order in which they were first stored.
    private func alerts() throws(StorageError) -> [AlertSnapshot] {
        var alerts: [AlertSnapshot] = []
        try database.read(
            """
            SELECT rule, symbol, bound, state, since, since_boot, severity, limit_price, currency, encoded_state
            FROM alert JOIN rule ON rule.name = alert.rule AND rule.source = alert.source
            WHERE alert.source = ? ORDER BY rule.position, alert.id
            """, .integer(source)
        ) { row throws(StorageError) in
            if let alert = try AlertSnapshot(&row) { alerts.append(alert) } else { database.leaveOut(row, of: "alert") }
            return true
        }
        return alerts
    }
}

extension AlertSnapshot {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let rule = try row.text()
        let symbol = try row.value(Symbol.init)
        let bound = try row.value(Bound.init)
        let state = try row.text()
        let wall = try row.optionalTime()
        let boot = try row.optionalBootTime()
        let severity = try row.value(Severity.init)
        let limit = try row.optionalValue(LimitValue.init)
        let currency = try row.optionalValue(Currency.init)
        let encodedState = try row.text()
        guard let symbol, let bound, let severity, row.isUnderstood else { return nil }
        var since: Instant?
        if let wall, let boot { since = Instant(boot: boot, wall: wall) }
        self.init(
            rule: rule, symbol: symbol, bound: bound, state: state, since: since, severity: severity, limit: limit,
            currency: currency, encodedState: encodedState)
    }
}
