// How much one message of the interface carries.

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
