extension Schema {
    /// Silences, the silence that suppressed an event, and the one sink that a drill was for.
    static let version2: [StaticString] = [
        "ALTER TABLE event ADD COLUMN silence INTEGER",
        "ALTER TABLE event ADD COLUMN sink TEXT",
        // What is NULL of symbols, rule and severity matches everything. ends_boot is NULL when a time of day was asked
        // for; ended and ended_by_… are NULL while it is active, the latter also when its time was over.
        """
        CREATE TABLE silence (
            number INTEGER PRIMARY KEY, symbols TEXT, rule TEXT, severity TEXT, created INTEGER NOT NULL,
            ends INTEGER NOT NULL, ends_boot INTEGER, creator INTEGER NOT NULL, creator_name TEXT, comment TEXT,
            ended INTEGER, ended_by INTEGER, ended_by_name TEXT,
            CHECK (coalesce(symbols, rule, severity) IS NOT NULL)
        ) STRICT
        """,
        "DROP VIEW events",
        """
        CREATE VIEW events AS SELECT
            number, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, kind, rule, symbol, bound,
            severity, price, limit_price, currency, previous_price,
            strftime('%Y-%m-%dT%H:%M:%fZ', previous_time / 1000.0, 'unixepoch') AS previous_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', exchange_time / 1000.0, 'unixepoch') AS exchange_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', received / 1000.0, 'unixepoch') AS received,
            sample_age AS sample_age_ms, told, reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, time AS time_ms, silence, sink
        FROM event
        """,
        """
        CREATE VIEW silences AS SELECT
            number, symbols, rule, severity, strftime('%Y-%m-%dT%H:%M:%fZ', created / 1000.0, 'unixepoch') AS created,
            strftime('%Y-%m-%dT%H:%M:%fZ', ends / 1000.0, 'unixepoch') AS ends,
            coalesce(creator_name, creator) AS creator, comment,
            strftime('%Y-%m-%dT%H:%M:%fZ', ended / 1000.0, 'unixepoch') AS ended,
            coalesce(ended_by_name, ended_by) AS ended_by, created AS created_ms, ends AS ends_ms, ended AS ended_ms
        FROM silence
        """,
    ]
}
