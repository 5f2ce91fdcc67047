extension Schema {
    /// What polls change, in one row each, and the state before them.
    ///
    /// The tables `symbol_state` and `open_block_row` of former versions stay until the state is saved as a whole.
    static let version6: [StaticString] = [
        // What a poll changed in the state of the engine.
        "CREATE TABLE poll (id INTEGER PRIMARY KEY, engine BLOB) STRICT",
        // The state of the engine after the row `poll` of that table, in parts.
        "CREATE TABLE checkpoint (part INTEGER PRIMARY KEY, poll INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
    ]
}
