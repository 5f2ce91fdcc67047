/// The keys of a settings table, with a value for each.
///
/// Keys are short and few. Comparing only the keys with the same bit takes a tenth of the time of hashing, which
/// matters for large files of rules.
struct KeyTable<Value: Sendable>: Sendable {
    private var rows: [[(key: String, value: Value)]]

    /// Creates a table. The first of equal keys wins.
    init(_ values: [(String, Value)]) {
        rows = Array(repeating: [], count: UInt64.bitWidth)
        for (key, value) in values where self[key] == nil {
            rows[key.keyBit.trailingZeroBitCount].append((key, value))
        }
    }

    subscript(key: String) -> Value? {
        for row in rows[key.keyBit.trailingZeroBitCount] where row.key == key { return row.value }
        return nil
    }
}

extension String {
    /// One of 64 bits, which nearly always differs between the keys of a table.
    var keyBit: UInt64 {
        let bytes = utf8
        let first = bytes.isEmpty ? 0 : bytes[bytes.startIndex]
        return 1 &<< UInt64(truncatingIfNeeded: Int(first) &+ bytes.count &* 11)
    }
}
