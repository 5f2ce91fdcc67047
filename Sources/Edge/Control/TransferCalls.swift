/// What `ExportPrices` is asked: the kept prices of many symbols, a page of polls.
package struct ExportPricesParameters: Codable, Equatable, Sendable {
    /// Patterns that know `*` only, each as in `ListTickers`; every symbol when nil.
    package var match: [String]?
    package var since: String?
    package var until: String?
    /// The `next` of the page before; the first page when nil.
    package var next: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case match, since, until, next
    }

    package init(match: [String]? = nil, since: String? = nil, until: String? = nil, next: String? = nil) {
        self.match = match
        self.since = since
        self.until = until
        self.next = next
    }
}

/// The prices of one poll: as many symbols as prices, in the same order.
package struct PriceRow: Codable, Equatable, Sendable {
    package var time: String
    package var symbols: [String]
    package var prices: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case time, symbols, prices
    }

    package init(time: String, symbols: [String], prices: [String]) {
        self.time = time
        self.symbols = symbols
        self.prices = prices
    }
}

/// What `ExportPrices` answers: one page.
package struct ExportPricesReply: Codable, Equatable, Sendable {
    /// A page ends with the poll that reaches so many prices: at 450 symbols some 10 polls and 120 kB.
    package static let limit = 4_096

    package var simulated: Bool
    package var source: String
    /// In the order in which they were received.
    package var rows: [PriceRow]
    /// What the next page is asked with; nil when there is none.
    package var next: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case simulated, source, rows, next
    }

    package init(simulated: Bool, source: String, rows: [PriceRow], next: String? = nil) {
        self.simulated = simulated
        self.source = source
        self.rows = rows
        self.next = next
    }
}

/// Prices of one symbol: as many times as prices, in the same order.
package struct PriceColumn: Codable, Equatable, Sendable {
    package var symbol: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var times: [Int]
    package var prices: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol
        case times = "times_ms"
        case prices
    }

    package init(symbol: String, times: [Int] = [], prices: [String] = []) {
        self.symbol = symbol
        self.times = times
        self.prices = prices
    }
}

/// What `ImportPrices` is asked: prices of another time to be kept beside those that were received.
package struct ImportPricesParameters: Codable, Equatable, Sendable {
    /// The most prices of one call. A call may have 64 KiB: 1,000 × (14 for a time, 24 for a price) are 38 kB.
    package static let limit = 1_000
    /// The most symbols of one call: 300 × 77 are 23 kB more.
    package static let symbolLimit = 300

    package var columns: [PriceColumn]
    /// Whether these are the last: then all that came before on the same connection is kept for good.
    package var isLast: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case columns
        case isLast = "last"
    }

    package init(columns: [PriceColumn], isLast: Bool) {
        self.columns = columns
        self.isLast = isLast
    }
}

/// What `ImportPrices` answers: what became of the prices since the answer before. The daemon may take up several calls
/// at once, and all of them with the last one.
package struct ImportPricesReply: Codable, Equatable, Sendable {
    package var added = 0
    /// Were there already.
    package var duplicates = 0
    /// There is another price of the same symbol and time, which stays.
    package var conflicting = 0
    /// Older than what is kept.
    package var tooOld = 0

    enum CodingKeys: String, CodingKey, CaseIterable {
        case added, duplicates, conflicting
        case tooOld = "too_old"
    }

    package init(added: Int = 0, duplicates: Int = 0, conflicting: Int = 0, tooOld: Int = 0) {
        self.added = added
        self.duplicates = duplicates
        self.conflicting = conflicting
        self.tooOld = tooOld
    }
}

/// One of the many answers of `Backup`: first the length, then the bytes piece by piece, at last the checksum.
package struct BackupReply: Codable, Equatable, Sendable {
    /// The most bytes of a piece: 256 KiB in base64, a quarter of what may wait for a client.
    package static let pieceLimit = 192 << 10

    /// The length of the whole copy in bytes.
    package var size: Int?
    /// The next bytes, in base64.
    package var data: String?
    /// CRC-32C of the whole copy, as eight hexadecimal digits.
    package var checksum: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case size, data
        case checksum = "crc32c"
    }

    package init(size: Int? = nil, data: String? = nil, checksum: String? = nil) {
        self.size = size
        self.data = data
        self.checksum = checksum
    }
}
