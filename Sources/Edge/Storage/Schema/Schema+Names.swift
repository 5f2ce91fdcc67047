extension Schema {
    /// New names for columns, tables and reasons, in the encoded states as well.
    static let version5: [StaticString] = [
        "DROP VIEW events",
        "DROP VIEW prices",
        "ALTER TABLE event RENAME COLUMN told TO notified",
        """
        UPDATE event SET reason = CASE reason
            WHEN 'already_outside' THEN 'already_breached' WHEN 'silence' THEN 'silenced'
            WHEN 'fired_untold' THEN 'fired_suppressed' ELSE reason END
        WHERE reason IN ('already_outside', 'silence', 'fired_untold')
        """,
        "ALTER TABLE alert RENAME COLUMN memory TO encoded_state",
        // Fields are separated by blanks; no value contains one.
        """
        UPDATE alert SET encoded_state = trim(replace(replace(replace(replace(replace(replace(
            ' ' || encoded_state || ' ', ' poised ', ' armed '), ' told=', ' notified='), ' held=silence ',
            ' suppressed=silenced '), ' held=', ' suppressed='), ' owes ', ' resolve_pending '),
            ' reason=already_outside ', ' reason=already_breached '))
        """,
        "ALTER TABLE mark RENAME TO symbol_state",
        "ALTER TABLE symbol_state RENAME COLUMN memory TO encoded_state",
        "ALTER TABLE stretch RENAME TO block_symbol",
        "ALTER TABLE part RENAME TO open_block_row",
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
            strftime('%Y-%m-%dT%H:%M:%fZ', limit_since / 1000.0, 'unixepoch') AS limit_since
        FROM event
        """,
        """
        CREATE VIEW prices AS SELECT
            symbol, strftime('%Y-%m-%dT%H:%M:%fZ', since / 1000.0, 'unixepoch') AS since,
            strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch') AS until, samples,
            first, lowest, highest, last, since AS since_ms, until AS until_ms
        FROM block_symbol
        """,
    ]
}
