extension Schema {
    /// Gaps in the prices that have yet to be looked up, and the candles that were found for earlier ones.
    static let candles: [StaticString] = [
        // The minutes in which candles show that a limit was reached: the start of the first, the end of the last.
        "ALTER TABLE event ADD COLUMN touched_from INTEGER",
        "ALTER TABLE event ADD COLUMN touched_until INTEGER",
        // For each gap the alerts that were not firing before it; `price` is the last one before it.
        """
        CREATE TABLE price_gap (
            source INTEGER NOT NULL, symbol TEXT NOT NULL, since INTEGER NOT NULL, position INTEGER NOT NULL,
            until INTEGER NOT NULL, price TEXT NOT NULL, rule TEXT NOT NULL, bound TEXT NOT NULL,
            limit_price TEXT NOT NULL, currency TEXT, PRIMARY KEY (source, symbol, since, until, position)
        ) STRICT, WITHOUT ROWID
        """,
        // Minutes with trades.
        """
        CREATE TABLE candle (
            source INTEGER NOT NULL, symbol TEXT NOT NULL, start INTEGER NOT NULL, open TEXT NOT NULL,
            high TEXT NOT NULL, low TEXT NOT NULL, close TEXT NOT NULL, volume TEXT NOT NULL,
            PRIMARY KEY (source, symbol, start)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE VIEW candles AS SELECT
            symbol, strftime('%Y-%m-%dT%H:%M:%fZ', start / 1000.0, 'unixepoch') AS start, open, high, low, close,
            volume, start AS start_ms, (SELECT name FROM source WHERE id = candle.source) AS source
        FROM candle
        """,
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
            strftime('%Y-%m-%dT%H:%M:%fZ', touched_until / 1000.0, 'unixepoch') AS touched_until
        FROM event
        """,
    ]
}
