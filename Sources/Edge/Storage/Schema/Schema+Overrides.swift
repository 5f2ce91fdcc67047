extension Schema {
    /// Limits that were changed at run time.
    static let version3: [StaticString] = [
        """
        CREATE TABLE limit_override (
            position INTEGER PRIMARY KEY, rule TEXT NOT NULL, symbol TEXT NOT NULL, bound TEXT NOT NULL,
            limit_price TEXT NOT NULL, currency TEXT, user_id INTEGER NOT NULL, user_name TEXT, since INTEGER NOT NULL,
            UNIQUE (rule, symbol, bound)
        ) STRICT
        """
    ]
}
