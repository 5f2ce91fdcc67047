extension Schema {
    /// The range of the numbers of events, silences, blocks and rows. The program counts up from the greatest number;
    /// at a thousand a second, it reaches the end after 285,000 years. JSON readers represent the whole range
    /// exactly.
    static let counters: ClosedRange<Int64> = 0...1 << 53

    /// Checks the numbers that the program counts up from, so that no sum of them overflows.
    ///
    /// - Throws: ``StorageError`` `corrupt` with the first number that alertd cannot have written.
    static func checkCounters(_ database: Database) throws(StorageError) {
        for (what, query) in columns {
            guard let number = try database.number(query, .integer(counters.upperBound)) else { continue }
            throw impossible(what, "\(number)", in: database)
        }
        for counter in FactTable.Counter.allCases {
            guard let text = try database.facts.value(counter.rawValue) else { continue }
            guard let number = Int64(text), counters.contains(number) else {
                throw impossible("meta \(counter.rawValue)", text, in: database)
            }
        }
    }

    /// Checks only that no event number is too large, because such a number would be ignored and later numbers would
    /// repeat. For a read-only file, which cannot be replaced.
    static func checkLastNumber(_ database: Database) throws(StorageError) {
        let last = try database.number(
            "SELECT number FROM event WHERE number > ? LIMIT 1", .integer(counters.upperBound))
        if let last { throw impossible("event.number", "\(last)", in: database) }
    }

    private static func impossible(_ what: String, _ value: String, in database: Database) -> StorageError {
        StorageError(
            .corrupt, path: database.path,
            message: "\(what) is '\(value.prefix(40))', but only 0 to \(counters.upperBound) are possible")
    }

    /// Queries that find a number out of range. Each uses an index, or a table of only a few hundred rows.
    private static let columns: [(what: String, query: StaticString)] = [
        (
            "event.number",
            "SELECT number FROM event WHERE number > ?1 UNION ALL SELECT number FROM event WHERE number < 0"
        ),
        ("silence.number", "SELECT number FROM silence WHERE number > ?1 OR number < 0"),
        ("block.id", "SELECT id FROM block WHERE id > ?1 UNION ALL SELECT id FROM block WHERE id < 0"),
        ("alert.id", "SELECT id FROM alert WHERE id > ?1 UNION ALL SELECT id FROM alert WHERE id < 0"),
        ("poll.id", "SELECT id FROM poll WHERE id > ?1 UNION ALL SELECT id FROM poll WHERE id < 0"),
        ("checkpoint.poll", "SELECT poll FROM checkpoint WHERE poll > ?1 OR poll < 0"),
        ("poll.block", "SELECT block FROM poll WHERE block > ?1 OR block < 0"),
        ("source.id", "SELECT id FROM source WHERE id > ?1 OR id < 0"),
        ("sink.delivered", "SELECT delivered FROM sink WHERE delivered > ?1 OR delivered < 0"),
    ]
}
