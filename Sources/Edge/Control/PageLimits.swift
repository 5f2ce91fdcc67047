/// The most elements that one message of the interface carries, each with the arithmetic: a message has at most a
/// megabyte.
package enum PageLimits {
    /// Some 450 bytes each, 450 kB.
    package static let symbols = 1_000
    /// Some 700 bytes each, 350 kB.
    package static let alerts = 500
    /// Some 2 kB each, 400 kB.
    package static let explanations = 200
    /// Some 1 kB each without their symbols and overrides, 200 kB.
    package static let rules = 200
    /// A page ends with the rule that reaches this number of symbols and overrides: 2,000 × 300 bytes, 600 kB.
    package static let ruleParts = 2_000
    /// At most 2.5 kB each, 500 kB.
    package static let silences = 200
    /// Some 800 bytes each, 400 kB.
    package static let events = 500
    /// Some 50 bytes each, 25 kB.
    package static let queueEntries = 500
    /// Some 60 bytes each, 60 kB.
    package static let prices = 1_000
    /// Some 140 bytes each, 140 kB.
    package static let bars = 1_000
    /// A page ends with the poll that reaches this number of prices: at 450 symbols some 10 polls and 120 kB.
    package static let exportedPrices = 4_096
    /// The prices of one call. A call may have 64 KiB: 1,000 × (14 for a time, 24 for a price) are 38 kB.
    package static let importedPrices = 1_000
    /// The symbols of one call with prices: 300 × 77 bytes are 23 kB more.
    package static let importedSymbols = 300
    /// A piece of a copy: 256 KiB in base64, a quarter of what may wait for a client.
    package static let backupBytes = 192 << 10

    // Lists without pages are limited, too. The largest answer that may wait for a client has 4 MiB, or 8 MiB for
    // administrators. Texts are escaped, so that a character may take two bytes.
    //
    // | reply | at most |
    // | --- | --- |
    // | `ListOverrides`, `ResetLimits` | 1,000 limits: a rule 2 × 128, a user 2 × 256, the rest 400: 1.2 MB |
    // | `Rates` | 256 currencies × 60, 64 markets × 200: 30 kB |
    // | `Status` | 20 rules × 1 kB, 200 files × 4 kB, messages 10 kB: 850 kB |
    // | `Reload` | 20,000 names of rules, 2 × 128 + 3 each: 5.2 MB; only for administrators |
    // | `ExpireSilences`, `Acknowledge`, `Arm` | as many as a page of silences or alerts |

    /// The markets of coins that others are quoted in. Exchanges have some five; a response may name thousands.
    package static let rateMarkets = 64
    /// The files that `Status` lists; there may be 1,000.
    package static let statusFiles = 200
}
