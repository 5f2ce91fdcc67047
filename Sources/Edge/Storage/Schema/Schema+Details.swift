extension Schema {
    /// The details that an alert was decided on, which `alertctl why` shows later.
    static let version4: [StaticString] = [
        // Where it is over; the price in the market's own currency, when it was converted.
        "ALTER TABLE event ADD COLUMN clear_price TEXT",
        "ALTER TABLE event ADD COLUMN market_price TEXT",
        // How long the limit was reached before it fired, and since when it fires.
        "ALTER TABLE event ADD COLUMN pending INTEGER",
        "ALTER TABLE event ADD COLUMN firing_since INTEGER",
        // The window, and the price of it that a rise or fall was measured from.
        "ALTER TABLE event ADD COLUMN window INTEGER",
        "ALTER TABLE event ADD COLUMN extreme TEXT",
        "ALTER TABLE event ADD COLUMN cooldown_until INTEGER",
        // The limit of the settings, when another one was in its place, and who put it there.
        "ALTER TABLE event ADD COLUMN settings_limit TEXT",
        "ALTER TABLE event ADD COLUMN limit_user INTEGER",
        "ALTER TABLE event ADD COLUMN limit_user_name TEXT",
        "ALTER TABLE event ADD COLUMN limit_since INTEGER",
        "DROP VIEW events",
        """
        CREATE VIEW events AS SELECT
            number, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, kind, rule, symbol, bound,
            severity, price, limit_price, currency, previous_price,
            strftime('%Y-%m-%dT%H:%M:%fZ', previous_time / 1000.0, 'unixepoch') AS previous_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', exchange_time / 1000.0, 'unixepoch') AS exchange_time,
            strftime('%Y-%m-%dT%H:%M:%fZ', received / 1000.0, 'unixepoch') AS received,
            sample_age AS sample_age_ms, told, reason,
            conversion_rate, conversion_date, conversion_source, conversion_path, text, time AS time_ms, silence, sink,
            clear_price, market_price, pending AS pending_ms,
            strftime('%Y-%m-%dT%H:%M:%fZ', firing_since / 1000.0, 'unixepoch') AS firing_since,
            window AS window_ms, extreme,
            strftime('%Y-%m-%dT%H:%M:%fZ', cooldown_until / 1000.0, 'unixepoch') AS cooldown_until,
            settings_limit, coalesce(limit_user_name, limit_user) AS limit_by,
            strftime('%Y-%m-%dT%H:%M:%fZ', limit_since / 1000.0, 'unixepoch') AS limit_since
        FROM event
        """,
    ]
}
