internal import Events
internal import Market
internal import Rules
internal import Time

/// The table `limit_override`: limits that were changed at run time.
struct LimitOverrideTable {
    let database: Database

    /// Replaces the stored overrides. Runs inside a transaction.
    func write(_ overrides: [LimitOverride]) throws(StorageError) {
        try database.run("DELETE FROM limit_override")
        for (position, override) in overrides.enumerated() {
            try database.run(
                """
                INSERT INTO limit_override
                    (position, rule, symbol, bound, limit_price, currency, user_id, user_name, since, source)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .integer(Int64(position)), .text(override.rule), .text("\(override.symbol)"),
                .text(override.bound.rawValue), .text("\(override.limit)"),
                .optional(override.currency.map { "\($0)" }), .integer(Int64(override.author.id)),
                .optional(override.author.name), .integer(override.since.milliseconds),
                .integer(try database.sources.id(of: override.source)))
        }
    }

    /// Returns all overrides in the order in which they were set. Leaves out overrides that this version cannot
    /// interpret.
    func all() throws(StorageError) -> [LimitOverride] {
        var overrides: [LimitOverride] = []
        try database.read(
            """
            SELECT rule, symbol, bound, limit_price, currency, user_id, user_name, since,
                (SELECT name FROM source WHERE id = limit_override.source)
            FROM limit_override ORDER BY position
            """
        ) { row throws(StorageError) in
            if let override = try LimitOverride(&row) {
                overrides.append(override)
            } else {
                database.leaveOut(row, of: "limit_override")
            }
            return true
        }
        return overrides
    }
}

extension LimitOverride {
    fileprivate init?(_ row: inout Row) throws(StorageError) {
        let rule = try row.text()
        let symbol = try row.value(Symbol.init)
        let bound = try row.value(Bound.init)
        let limit = try row.optionalPrice()
        let currency = try row.optionalValue(Currency.init)
        let user = try row.optionalUser()
        let name = try row.optionalText()
        let since = try row.time()
        let source = try row.optionalValue(SourceName.init)
        guard let symbol, let bound, let limit, let user, let source, row.isUnderstood else { return nil }
        self.init(
            rule: rule, source: source, symbol: symbol, bound: bound, limit: limit, currency: currency,
            author: UserIdentity(id: user, name: name), since: since)
    }
}
