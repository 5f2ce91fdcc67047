internal import Market

extension Schema {
    /// Lets a file of an older version that cannot be migrated be read as if it were of this one, through views in the
    /// temporary database.
    ///
    /// Tables that the old version did not have are still missing: silences before version 2, overrides before
    /// version 3, checkpoints and queues of receivers before version 6, coins before version 8, checks before
    /// version 9, candles before version 10.
    static func bridge(_ database: Database, from version: Int64, of source: SourceName) throws(StorageError) {
        guard (1..<11).contains(version) else { return }
        for table in newTables where version < table.version { try database.run(table.statement) }
        switch version {
        case 10:
            try database.run(eventsOfVersion10)
            return
        case 9:
            try database.run(eventsOfVersion9)
            return
        case 7, 8:
            try database.run(eventsOfVersion7)
            return
        default: break
        }
        switch version {
        case 1: try database.run(eventsOfVersion1)
        case 2, 3: try database.run(eventsOfVersion2)
        case 4: try database.run(eventsOfVersion4)
        default: break
        }
        switch version {
        case 1...4: try database.run(rowsOfVersion4)
        case 5: try database.run(rowsOfVersion5)
        default:
            try database.run("CREATE TEMP VIEW poll AS SELECT *, 1 AS source FROM main.poll")
            try database.run("CREATE TEMP VIEW checkpoint AS SELECT *, 1 AS source FROM main.checkpoint")
        }
        for statement in version < 5 ? renamedTables : tablesOfVersion5 { try database.run(statement) }
        try database.run("CREATE TEMP VIEW rule AS SELECT *, 1 AS source FROM main.rule")
        try database.run("CREATE TEMP VIEW block AS SELECT *, 1 AS source FROM main.block")
        if version >= 2 {
            try database.run("CREATE TEMP VIEW silence AS SELECT *, NULL AS source, NULL AS daily FROM main.silence")
        }
        if version >= 3 {
            try database.run("CREATE TEMP VIEW limit_override AS SELECT *, 1 AS source FROM main.limit_override")
        }
        try database.run("CREATE TEMP TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        try database.run("INSERT INTO source (id, name) VALUES (1, ?)", .text("\(source)"))
    }

    /// Tables that later versions have added, each with the first version that has it.
    private static let newTables: [(version: Int64, statement: StaticString)] = [
        (8, "CREATE TEMP TABLE coin (source INTEGER, identity TEXT, symbol TEXT, name TEXT)"),
        (
            8,
            """
            CREATE TEMP TABLE coin_history
                (source INTEGER, identity TEXT, period TEXT, fetched INTEGER, change TEXT, points TEXT)
            """
        ),
        (9, "CREATE TEMP TABLE price_check (name TEXT, meaning TEXT, encoded_state TEXT)"),
        (
            10,
            """
            CREATE TEMP TABLE price_gap (
                source INTEGER, symbol TEXT, since INTEGER, position INTEGER, until INTEGER, price TEXT, rule TEXT,
                bound TEXT, limit_price TEXT, currency TEXT)
            """
        ),
        (
            10,
            """
            CREATE TEMP TABLE candle
                (source INTEGER, symbol TEXT, start INTEGER, open TEXT, high TEXT, low TEXT, close TEXT, volume TEXT)
            """
        ),
    ]

    private static let eventsOfVersion10: StaticString =
        "CREATE TEMP VIEW event AS SELECT *, NULL AS receiver FROM main.event"

    private static let eventsOfVersion9: StaticString = """
        CREATE TEMP VIEW event AS
        SELECT *, NULL AS touched_from, NULL AS touched_until, NULL AS receiver FROM main.event
        """

    private static let eventsOfVersion7: StaticString = """
        CREATE TEMP VIEW event AS
        SELECT *, NULL AS divergence, NULL AS touched_from, NULL AS touched_until, NULL AS receiver FROM main.event
        """

    /// The tables of versions 5 and 6, which had no sources.
    private static let tablesOfVersion5: [StaticString] = [
        """
        CREATE TEMP VIEW event AS
        SELECT *, 0 AS source, NULL AS divergence, NULL AS touched_from, NULL AS touched_until, NULL AS receiver
        FROM main.event
        """,
        "CREATE TEMP VIEW alert AS SELECT *, 1 AS source FROM main.alert",
        "CREATE TEMP VIEW block_symbol AS SELECT *, 1 AS source FROM main.block_symbol",
    ]

    /// The oldest version of which every table can be read through ``bridge(_:from:)``.
    static let oldestReadable: Int64 = 3

    /// The columns of version 5 for the events of version 1.
    private static let eventsOfVersion1: StaticString = """
        CREATE TEMP VIEW event AS SELECT number, time, kind, rule, symbol, bound, severity, price, limit_price,
            currency, previous_price, previous_time, exchange_time, received, sample_age, told AS notified,
            CASE reason WHEN 'already_outside' THEN 'already_breached' WHEN 'silence' THEN 'silenced'
                WHEN 'fired_untold' THEN 'fired_suppressed' ELSE reason END AS reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, NULL AS silence, NULL AS sink,
            NULL AS clear_price, NULL AS market_price, NULL AS pending, NULL AS firing_since, NULL AS window,
            NULL AS extreme, NULL AS cooldown_until, NULL AS settings_limit, NULL AS limit_user,
            NULL AS limit_user_name, NULL AS limit_since,
            0 AS source, NULL AS divergence, NULL AS touched_from, NULL AS touched_until, NULL AS receiver
        FROM main.event
        """

    /// The columns of version 5 for the events of versions 2 and 3.
    private static let eventsOfVersion2: StaticString = """
        CREATE TEMP VIEW event AS SELECT number, time, kind, rule, symbol, bound, severity, price, limit_price,
            currency, previous_price, previous_time, exchange_time, received, sample_age, told AS notified,
            CASE reason WHEN 'already_outside' THEN 'already_breached' WHEN 'silence' THEN 'silenced'
                WHEN 'fired_untold' THEN 'fired_suppressed' ELSE reason END AS reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, silence, sink,
            NULL AS clear_price, NULL AS market_price, NULL AS pending, NULL AS firing_since, NULL AS window,
            NULL AS extreme, NULL AS cooldown_until, NULL AS settings_limit, NULL AS limit_user,
            NULL AS limit_user_name, NULL AS limit_since,
            0 AS source, NULL AS divergence, NULL AS touched_from, NULL AS touched_until, NULL AS receiver
        FROM main.event
        """

    /// The columns of version 5 for the events of version 4.
    private static let eventsOfVersion4: StaticString = """
        CREATE TEMP VIEW event AS SELECT number, time, kind, rule, symbol, bound, severity, price, limit_price,
            currency, previous_price, previous_time, exchange_time, received, sample_age, told AS notified,
            CASE reason WHEN 'already_outside' THEN 'already_breached' WHEN 'silence' THEN 'silenced'
                WHEN 'fired_untold' THEN 'fired_suppressed' ELSE reason END AS reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, silence, sink, clear_price,
            market_price, pending, firing_since, window, extreme, cooldown_until, settings_limit, limit_user,
            limit_user_name, limit_since, 0 AS source, NULL AS divergence, NULL AS touched_from,
            NULL AS touched_until, NULL AS receiver
        FROM main.event
        """

    /// The tables that version 5 renamed, under their present names.
    private static let renamedTables: [StaticString] = [
        """
        CREATE TEMP VIEW alert AS SELECT id, rule, symbol, bound, state, since, since_boot, severity, limit_price,
            currency, trim(replace(replace(replace(replace(replace(replace(
            ' ' || memory || ' ', ' poised ', ' armed '), ' told=', ' notified='), ' held=silence ',
            ' suppressed=silenced '), ' held=', ' suppressed='), ' owes ', ' resolve_pending '),
            ' reason=already_outside ', ' reason=already_breached ')) AS encoded_state, 1 AS source
        FROM main.alert
        """,
        "CREATE TEMP VIEW symbol_state AS SELECT id, symbol, memory AS encoded_state FROM main.mark",
        "CREATE TEMP VIEW block_symbol AS SELECT *, 1 AS source FROM main.stretch",
    ]

    /// The rows of the open block of version 5, and of versions 1 to 4, which had no polls.
    private static let rowsOfVersion5: StaticString = """
        CREATE TEMP VIEW poll AS SELECT rowid AS id, NULL AS engine, block, first_row, row_count, bytes AS prices,
            1 AS source
        FROM main.open_block_row
        """
    private static let rowsOfVersion4: StaticString = """
        CREATE TEMP VIEW poll AS SELECT rowid AS id, NULL AS engine, block, first_row, row_count, bytes AS prices,
            1 AS source
        FROM main.part
        """
}
