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
}
