extension Schema {
    /// The queues of receivers; a part of version 6.
    static let receivers: [StaticString] = [
        // What each receiver is to be sent, and what happened to it.
        """
        CREATE TABLE notification (
            receiver TEXT NOT NULL, number INTEGER NOT NULL, urgent INTEGER NOT NULL CHECK (urgent IN (0, 1)),
            event_time INTEGER NOT NULL, state TEXT NOT NULL, settled INTEGER, detail TEXT,
            PRIMARY KEY (receiver, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX notification_number ON notification (number)",
        "CREATE INDEX notification_queued ON notification (receiver, number) WHERE state = 'queued'",
        // What a receiver is being sent: the queued events up to this number.
        """
        CREATE TABLE receiver (
            name TEXT PRIMARY KEY, batch_last INTEGER NOT NULL, batch_urgent INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Identifies this file's events to receivers: 128 random bits.
        "INSERT INTO meta (name, value) VALUES ('instance', lower(hex(randomblob(16))))",
    ]

    /// Which receiver an event is about.
    static let receiversOfEvents: [StaticString] = [
        "ALTER TABLE event ADD COLUMN receiver TEXT",
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
                THEN (SELECT name FROM source WHERE id = 1) END AS source,
            divergence,
            strftime('%Y-%m-%dT%H:%M:%fZ', touched_from / 1000.0, 'unixepoch') AS touched_from,
            strftime('%Y-%m-%dT%H:%M:%fZ', touched_until / 1000.0, 'unixepoch') AS touched_until, receiver
        FROM event
        """,
    ]
}
