extension Schema {
    /// The sources that rows belong to. All rows of former versions belong to the first one, which gets its name when
    /// the file is migrated.
    static let version7: [StaticString] = [
        "CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        "INSERT INTO source (id, name) VALUES (1, '')",
        // NULL for no source. Events of former versions have 0, so that their rows need not be rewritten.
        "ALTER TABLE event ADD COLUMN source INTEGER DEFAULT 0",
        "ALTER TABLE alert ADD COLUMN source INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE poll ADD COLUMN source INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE limit_override ADD COLUMN source INTEGER NOT NULL DEFAULT 1",
        // A criterion to match, not a reference: a source of this name need not exist.
        "ALTER TABLE silence ADD COLUMN source TEXT",
        // The hours of the day in which it silences; NULL for at any time.
        "ALTER TABLE silence ADD COLUMN daily TEXT",
        "ALTER TABLE checkpoint RENAME TO former_checkpoint",
        // The state of the engine of a source after the row `poll` of that table, in parts.
        """
        CREATE TABLE checkpoint (
            source INTEGER NOT NULL, part INTEGER NOT NULL, poll INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (source, part)
        ) STRICT
        """,
        "INSERT INTO checkpoint (source, part, poll, bytes) SELECT 1, part, poll, bytes FROM former_checkpoint",
        "DROP TABLE former_checkpoint",
        "DROP VIEW prices",
        "ALTER TABLE block RENAME TO former_block",
        "ALTER TABLE block_symbol RENAME TO former_block_symbol",
        """
        CREATE TABLE block (
            source INTEGER NOT NULL, id INTEGER NOT NULL, oldest INTEGER NOT NULL, newest INTEGER NOT NULL,
            row_count INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (source, id)
        ) STRICT
        """,
        """
        CREATE TABLE block_symbol (
            source INTEGER NOT NULL, block INTEGER NOT NULL, symbol TEXT NOT NULL,
            since INTEGER NOT NULL, until INTEGER NOT NULL, samples INTEGER NOT NULL,
            first TEXT NOT NULL, lowest TEXT NOT NULL, highest TEXT NOT NULL, last TEXT NOT NULL,
            PRIMARY KEY (source, block, symbol),
            FOREIGN KEY (source, block) REFERENCES block (source, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
        "INSERT INTO block SELECT 1, id, oldest, newest, row_count, bytes FROM former_block ORDER BY id",
        """
        INSERT INTO block_symbol
        SELECT 1, block, symbol, since, until, samples, first, lowest, highest, last FROM former_block_symbol
        ORDER BY block, symbol
        """,
        "DROP TABLE former_block_symbol",
        "DROP TABLE former_block",
        "ALTER TABLE rule RENAME TO former_rule",
        """
        CREATE TABLE rule (
            source INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL UNIQUE, meaning TEXT NOT NULL,
            PRIMARY KEY (source, position)
        ) STRICT
        """,
        "INSERT INTO rule (source, position, name, meaning) SELECT 1, position, name, meaning FROM former_rule",
        "DROP TABLE former_rule",
        "DROP VIEW events",
        """
        CREATE VIEW events AS SELECT
            number, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, kind, rule, symbol, bound,
            severity, price, limit_price, currency, previous_price,
            strftime('%Y-%m-%dT%H:%M:%fZ', previous_time / 1000.0, 'unixepoch') AS previous_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', exchange_time / 1000.0, 'unixepoch') AS exchange_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', received / 1000.0, 'unixepoch') AS received,
            sample_age AS sample_age_ms, notified, reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, time AS time_ms, silence, sink,
            clear_price, market_price, pending AS pending_ms,
            strftime('%Y-%m-%dT%H:%M:%fZ', firing_since / 1000.0, 'unixepoch') AS firing_since,
            window AS window_ms, extreme,
            strftime('%Y-%m-%dT%H:%M:%fZ', cooldown_until / 1000.0, 'unixepoch') AS cooldown_until,
            settings_limit, coalesce(limit_user_name, limit_user) AS limit_by,
            strftime('%Y-%m-%dT%H:%M:%fZ', limit_since / 1000.0, 'unixepoch') AS limit_since,
            CASE WHEN source <> 0 THEN (SELECT name FROM source WHERE id = event.source)
                WHEN symbol IS NOT NULL OR kind IN ('feed_stale', 'feed_recovered')
                THEN (SELECT name FROM source WHERE id = 1) END AS source
        FROM event
        """,
        """
        CREATE VIEW prices AS SELECT
            symbol, strftime('%Y-%m-%dT%H:%M:%fZ', since / 1000.0, 'unixepoch') AS since,
            strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch') AS until, samples,
            first, lowest, highest, last, since AS since_ms, until AS until_ms,
            (SELECT name FROM source WHERE id = block_symbol.source) AS source
        FROM block_symbol
        """,
        "DROP VIEW silences",
        """
        CREATE VIEW silences AS SELECT
            number, symbols, rule, severity, strftime('%Y-%m-%dT%H:%M:%fZ', created / 1000.0, 'unixepoch') AS created,
            strftime('%Y-%m-%dT%H:%M:%fZ', ends / 1000.0, 'unixepoch') AS ends,
            coalesce(creator_name, creator) AS creator, comment,
            strftime('%Y-%m-%dT%H:%M:%fZ', ended / 1000.0, 'unixepoch') AS ended,
            coalesce(ended_by_name, ended_by) AS ended_by, created AS created_ms, ends AS ends_ms, ended AS ended_ms,
            source, daily
        FROM silence
        """,
    ]
}
