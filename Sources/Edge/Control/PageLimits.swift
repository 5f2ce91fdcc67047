/// The maximum numbers of elements in one message of the interface. Each comment shows the arithmetic that keeps a
/// message below one megabyte.
package enum PageLimits {
    /// About 450 bytes each, 450 kB.
    package static let symbols = 1_000
    /// About 700 bytes each, 350 kB.
    package static let alerts = 500
    /// About 2 kB each, 400 kB.
    package static let explanations = 200
    /// About 1 kB each without their symbols and overrides, 200 kB.
    package static let rules = 200
    /// A page ends with the rule that reaches this number of symbols and overrides: 2,000 × 300 bytes, 600 kB.
    package static let ruleParts = 2_000
    /// At most 2.5 kB each, 500 kB.
    package static let silences = 200
    /// About 800 bytes each, 400 kB.
    package static let events = 500
    /// About 50 bytes each, 25 kB.
    package static let queueEntries = 500
    /// About 60 bytes each, 60 kB.
    package static let prices = 1_000
    /// About 140 bytes each, 140 kB.
    package static let bars = 1_000
    /// A page ends with the poll that reaches this number of prices: at 450 symbols about 10 polls and 120 kB.
    package static let exportedPrices = 4_096
    /// The prices in one call. A call has at most 64 KiB: 1,000 × (14 for a time, 24 for a price) is 38 kB.
    package static let importedPrices = 1_000
    /// The symbols in one call with prices: 300 × 77 bytes add 23 kB.
    package static let importedSymbols = 300
    /// One chunk of a backup: 256 KiB in base64, a quarter of the output that may be queued for a client.
    package static let backupBytes = 192 << 10

    // Replies without pages are limited, too: at most 4 MiB may be queued for a client, or 8 MiB for an
    // administrator. Escaping may turn a character into two bytes.
    //
    // | reply | at most |
    // | --- | --- |
    // | `ListOverrides`, `ResetLimits` | 1,000 limits: a rule 2 × 128, a user 2 × 256, the rest 400: 1.2 MB |
    // | `Rates` | 256 currencies × 60, 64 markets × 200: 30 kB |
    // | `Status` | 20 rules × 1 kB, 200 files × 4 kB, messages 10 kB: 850 kB |
    // | `Reload` | 20,000 names of rules, 2 × 128 + 3 each: 5.2 MB; only for administrators |
    // | `ExpireSilences`, `Acknowledge`, `Arm` | the same as a page of silences or alerts |

    /// Markets in the reply of `Rates`: one for each coin in which markets are quoted. Exchanges quote in about five
    /// coins, but a response may name thousands.
    package static let rateMarkets = 64
    /// Files that `Status` lists. The settings may have more than 1,000.
    package static let statusFiles = 200
}
