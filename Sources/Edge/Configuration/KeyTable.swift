/// The keys of a settings table, with a value for each.
///
/// Keys are short and few: comparing those with the same bit takes a tenth of the time that hashing takes, which large
/// files of rules notice.
struct KeyTable<Value: Sendable>: Sendable {
    private var rows: [[(key: String, value: Value)]]

    /// Of equal keys, the first counts.
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
    /// One of 64 bits, nearly always another one for another key of the same table.
    var keyBit: UInt64 {
        let bytes = utf8
        let first = bytes.isEmpty ? 0 : bytes[bytes.startIndex]
        return 1 &<< UInt64(truncatingIfNeeded: Int(first) &+ bytes.count &* 11)
    }
}
