extension Schema {
    /// The coins of price services: which market belongs to each, and past prices as the service has them.
    static let coins: [StaticString] = [
        // `identity` is the service's own identifier of a coin, as several coins may have the same ticker symbol.
        """
        CREATE TABLE coin (
            source INTEGER NOT NULL, identity TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT,
            PRIMARY KEY (source, identity)
        ) STRICT, WITHOUT ROWID
        """,
        // `points` has a line for each price, the oldest first: milliseconds since 1970, a blank, the price.
        """
        CREATE TABLE coin_history (
            source INTEGER NOT NULL, identity TEXT NOT NULL, period TEXT NOT NULL, fetched INTEGER NOT NULL,
            change TEXT, points TEXT NOT NULL, PRIMARY KEY (source, identity, period)
        ) STRICT
        """,
    ]
}
