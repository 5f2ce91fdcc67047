extension Schema {
    /// What polls change, in one row each, and the state before them.
    ///
    /// The table `symbol_state` of former versions stays until the state is saved as a whole.
    static let version6: [StaticString] = [
        // What a poll changed in the state of the engine, and its rows of the block that is not sealed yet. Without an
        // index, so that a poll changes one page.
        """
        CREATE TABLE poll (
            id INTEGER PRIMARY KEY, engine BLOB, block INTEGER, first_row INTEGER, row_count INTEGER, prices BLOB
        ) STRICT
        """,
        """
        INSERT INTO poll (block, first_row, row_count, prices)
        SELECT block, first_row, row_count, bytes FROM open_block_row ORDER BY block, first_row
        """,
        "DROP TABLE open_block_row",
        // The state of the engine after the row `poll` of that table, in parts.
        "CREATE TABLE checkpoint (part INTEGER PRIMARY KEY, poll INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
    ]
}
