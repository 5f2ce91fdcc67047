extension Schema {
    /// The checks of prices of two sources against each other.
    static let checks: [StaticString] = [
        // The state of each check, and the settings that it belongs to.
        """
        CREATE TABLE price_check (name TEXT PRIMARY KEY, meaning TEXT NOT NULL, encoded_state TEXT NOT NULL)
            STRICT, WITHOUT ROWID
        """,
        // What a divergence was decided on: the other market, its price, the difference and the largest one that is
        // not reported, both in per cent, and the name of the check, separated by blanks.
        "ALTER TABLE event ADD COLUMN divergence TEXT",
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
            divergence
        FROM event
        """,
    ]
}
