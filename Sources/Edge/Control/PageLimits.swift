// How much one message of the interface carries.

extension ListAlertsReply {
    /// The most alerts of one reply; some 700 bytes each, 350 kB.
    package static let limit = 500
}

extension ListTickersReply {
    /// The most symbols of one reply; some 450 bytes each, 450 kB.
    package static let limit = 1_000
}

extension ListRulesReply {
    /// The most rules of one reply; some 500 bytes each without their symbols and overrides, 100 kB.
    package static let limit = 200
    /// A page ends with the rule that reaches this number of symbols and overrides: 2,000 × 300 bytes, 600 kB.
    package static let partLimit = 2_000
}

extension ExplainReply {
    /// The most alerts of one reply; some 2 kB each, 400 kB.
    package static let limit = 200
}

extension ListSilencesReply {
    /// The most silences of one reply; at most 2.5 kB each, 500 kB.
    package static let limit = 200
}

extension ListEventsReply {
    /// The most events of one reply; some 800 bytes each, 400 kB.
    package static let limit = 500
}

extension ListPricesReply {
    /// The most prices of one reply; some 60 bytes each, 60 kB.
    package static let limit = 1_000
}

extension ListBarsReply {
    /// The most bars of one reply; some 140 bytes each, 140 kB.
    package static let limit = 1_000
}

extension ExportPricesReply {
    /// A page ends with the poll that reaches this number of prices: at 450 symbols some 10 polls and 120 kB.
    package static let limit = 4_096
}

extension ImportPricesParameters {
    /// The most prices of one call. A call may have 64 KiB: 1,000 × (14 for a time, 24 for a price) are 38 kB.
    package static let limit = 1_000
    /// The most symbols of one call: 300 × 77 are 23 kB more.
    package static let symbolLimit = 300
}

extension BackupReply {
    /// The most bytes of a piece: 256 KiB in base64, a quarter of what may wait for a client.
    package static let pieceLimit = 192 << 10
}
