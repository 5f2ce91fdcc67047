extension Schema {
    /// What polls change, in one row each, and the state before them.
    ///
    /// The table `symbol_state` of former versions stays until the state is saved as a whole.
    static let version6: [StaticString] = [
        // What a poll changed in the state of the engine.
        "CREATE TABLE poll (id INTEGER PRIMARY KEY, engine BLOB) STRICT",
        // The state of the engine after the row `poll` of that table, in parts.
        "CREATE TABLE checkpoint (part INTEGER PRIMARY KEY, poll INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
        // Without an index, so that the rows of a poll change one page of it.
        "ALTER TABLE open_block_row RENAME TO former_row",
        """
        CREATE TABLE open_block_row (
            id INTEGER PRIMARY KEY, block INTEGER NOT NULL, first_row INTEGER NOT NULL, row_count INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT
        """,
        """
        INSERT INTO open_block_row (block, first_row, row_count, bytes)
        SELECT block, first_row, row_count, bytes FROM former_row ORDER BY block, first_row
        """,
        "DROP TABLE former_row",
    ]
}
