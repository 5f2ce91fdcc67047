extension Schema {
    /// Statements that create the tables. Times are milliseconds since 1970-01-01T00:00:00Z; prices are decimal text,
    /// exactly as received.
    static let tableStatements: [StaticString] = [
        // Events. A number is never used twice. `json` is the event as on the event socket; the other columns are for
        // queries.
        """
        CREATE TABLE event (
            number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, rule TEXT, symbol TEXT,
            severity TEXT NOT NULL, json TEXT NOT NULL
        ) STRICT
        """,
        // Sources, which other tables refer to by id.
        "CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        // The rules that the alerts belong to, and their meanings.
        """
        CREATE TABLE rule (
            source INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL UNIQUE, meaning TEXT NOT NULL,
            PRIMARY KEY (source, position)
        ) STRICT
        """,
        // An alert is a rule on a symbol and bound. Only the engine reads the encoded state.
        """
        CREATE TABLE alert (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL, rule TEXT NOT NULL, symbol TEXT NOT NULL,
            bound TEXT NOT NULL, state TEXT NOT NULL, since INTEGER, since_boot INTEGER, severity TEXT NOT NULL,
            limit_price TEXT, currency TEXT, encoded_state TEXT NOT NULL, UNIQUE (rule, symbol, bound)
        ) STRICT
        """,
        // The changes that a poll made to the state of the engine, and the poll's rows of the block that is not
        // sealed yet. There is no index, so that a poll changes one page.
        """
        CREATE TABLE poll (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL, engine BLOB, block INTEGER, first_row INTEGER,
            row_count INTEGER, prices BLOB
        ) STRICT
        """,
        // The state of the engine of a source after the row `poll` of the table `poll`, in parts.
        """
        CREATE TABLE checkpoint (
            source INTEGER NOT NULL, part INTEGER NOT NULL, poll INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (source, part)
        ) STRICT
        """,
        // Single facts: last_number, last_silence, instance, boot_id, created_by, created_at.
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        // Sealed blocks of history, in the same form as in memory.
        """
        CREATE TABLE block (
            source INTEGER NOT NULL, id INTEGER NOT NULL, oldest INTEGER NOT NULL, newest INTEGER NOT NULL,
            row_count INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (source, id)
        ) STRICT
        """,
        // The summary of a symbol in a sealed block.
        """
        CREATE TABLE block_symbol (
            source INTEGER NOT NULL, block INTEGER NOT NULL, symbol TEXT NOT NULL,
            since INTEGER NOT NULL, until INTEGER NOT NULL, samples INTEGER NOT NULL,
            first TEXT NOT NULL, lowest TEXT NOT NULL, highest TEXT NOT NULL, last TEXT NOT NULL,
            PRIMARY KEY (source, block, symbol),
            FOREIGN KEY (source, block) REFERENCES block (source, id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
        // The last event delivered to each sink.
        "CREATE TABLE sink (name TEXT PRIMARY KEY, delivered INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        // The notifications of each receiver, and their outcomes.
        """
        CREATE TABLE notification (
            receiver TEXT NOT NULL, number INTEGER NOT NULL, urgent INTEGER NOT NULL CHECK (urgent IN (0, 1)),
            event_time INTEGER NOT NULL, state TEXT NOT NULL, settled INTEGER, detail TEXT,
            PRIMARY KEY (receiver, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX notification_number ON notification (number)",
        "CREATE INDEX notification_queued ON notification (receiver, number) WHERE state = 'queued'",
        // The batch that a receiver is being sent: the queued events up to this number.
        """
        CREATE TABLE receiver (
            name TEXT PRIMARY KEY, batch_last INTEGER NOT NULL, batch_urgent INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Reference rates: the units of a currency per euro.
        """
        CREATE TABLE rate (
            source TEXT NOT NULL, date TEXT NOT NULL, currency TEXT NOT NULL, rate TEXT NOT NULL,
            fetched INTEGER NOT NULL, PRIMARY KEY (source, date, currency)
        ) STRICT, WITHOUT ROWID
        """,
        // NULL in source, symbols, rule or severity matches everything. The named source need not exist. ends_boot is
        // NULL if the end was given as a time of day. daily has the hours of the day in which the silence applies, or
        // NULL for any time. ended and ended_by_… are NULL while the silence is active; ended_by_… also if it
        // expired.
        """
        CREATE TABLE silence (
            number INTEGER PRIMARY KEY, source TEXT, symbols TEXT, rule TEXT, severity TEXT, created INTEGER NOT NULL,
            ends INTEGER NOT NULL, ends_boot INTEGER, daily TEXT, creator INTEGER NOT NULL, creator_name TEXT,
            comment TEXT, ended INTEGER, ended_by INTEGER, ended_by_name TEXT,
            CHECK (coalesce(symbols, rule, severity) IS NOT NULL)
        ) STRICT
        """,
        // Limits that were changed at run time.
        """
        CREATE TABLE limit_override (
            position INTEGER PRIMARY KEY, source INTEGER NOT NULL, rule TEXT NOT NULL, symbol TEXT NOT NULL,
            bound TEXT NOT NULL, limit_price TEXT NOT NULL, currency TEXT, user_id INTEGER NOT NULL, user_name TEXT,
            since INTEGER NOT NULL, UNIQUE (rule, symbol, bound)
        ) STRICT
        """,
        // `identity` is a price service's own identifier of a coin, because several coins may have the same ticker
        // symbol.
        """
        CREATE TABLE coin (
            source INTEGER NOT NULL, identity TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT,
            PRIMARY KEY (source, identity)
        ) STRICT, WITHOUT ROWID
        """,
        // `points` has a line for each price, the oldest first: milliseconds since 1970, a space, the price.
        """
        CREATE TABLE coin_history (
            source INTEGER NOT NULL, identity TEXT NOT NULL, period TEXT NOT NULL, fetched INTEGER NOT NULL,
            change TEXT, points TEXT NOT NULL, PRIMARY KEY (source, identity, period)
        ) STRICT
        """,
        // The state of each check that compares two sources, and the settings that it belongs to.
        """
        CREATE TABLE price_check (name TEXT PRIMARY KEY, meaning TEXT NOT NULL, encoded_state TEXT NOT NULL)
            STRICT, WITHOUT ROWID
        """,
        // Gaps in the prices that have not been looked up in candles yet, with the alerts that were not firing before
        // each gap. `price` is the last price before the gap.
        """
        CREATE TABLE price_gap (
            source INTEGER NOT NULL, symbol TEXT NOT NULL, since INTEGER NOT NULL, position INTEGER NOT NULL,
            until INTEGER NOT NULL, price TEXT NOT NULL, rule TEXT NOT NULL, bound TEXT NOT NULL,
            limit_price TEXT NOT NULL, currency TEXT, PRIMARY KEY (source, symbol, since, until, position)
        ) STRICT, WITHOUT ROWID
        """,
        // Candles of minutes with trades, in gaps that were looked up.
        """
        CREATE TABLE candle (
            source INTEGER NOT NULL, symbol TEXT NOT NULL, start INTEGER NOT NULL, open TEXT NOT NULL,
            high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, volume TEXT NOT NULL,
            PRIMARY KEY (source, symbol, start)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Statements that create the views for users. Columns keep their names and order when the tables change, and new
    /// columns are added at the end.
    static let viewStatements: [StaticString] = [
        """
        CREATE VIEW events AS SELECT
            number, json ->> 'time' AS time, kind, rule, symbol, json ->> 'bound' AS bound, severity,
            json ->> 'price' AS price, json ->> 'limit' AS limit_price, json ->> 'currency' AS currency,
            json ->> '$.previous.price' AS previous_price, json ->> '$.previous.time' AS previous_time,
            json ->> 'exchange_time' AS exchange_time, json ->> 'received' AS received,
            json ->> 'sample_age_ms' AS sample_age_ms, json ->> 'notified' AS notified, json ->> 'reason' AS reason,
            json ->> '$.conversion.rate' AS conversion_rate, json ->> '$.conversion.date' AS conversion_date,
            json ->> '$.conversion.source' AS conversion_source, json ->> '$.conversion.path' AS conversion_path,
            json ->> 'text' AS text, time AS time_ms, json ->> 'silence' AS silence, json ->> 'sink' AS sink,
            json ->> '$.details.clear' AS clear_price, json ->> '$.details.market_price' AS market_price,
            json ->> '$.details.pending_ms' AS pending_ms, json ->> '$.details.firing_since' AS firing_since,
            json ->> '$.details.window_ms' AS window_ms, json ->> '$.details.extreme' AS extreme,
            json ->> '$.details.cooldown_until' AS cooldown_until,
            json ->> '$.details.settings_limit' AS settings_limit, json ->> '$.details.limit_by' AS limit_by,
            json ->> '$.details.limit_since' AS limit_since, json ->> 'source' AS source,
            json ->> '$.details.check' AS divergence, json ->> '$.details.touched_from' AS touched_from,
            json ->> '$.details.touched_until' AS touched_until, json ->> '$.details.receiver' AS receiver,
            json ->> '$.details.only_while' AS only_while, json ->> '$.details.clear_ms' AS clear_ms, json
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
        """
        CREATE VIEW candles AS SELECT
            symbol, strftime('%Y-%m-%dT%H:%M:%fZ', start / 1000.0, 'unixepoch') AS start, open, high, low, close,
            volume, start AS start_ms, (SELECT name FROM source WHERE id = candle.source) AS source
        FROM candle
        """,
    ]
}
