internal import Market
internal import Time

extension Row {
    mutating func optionalTime() throws(StorageError) -> WallTime? {
        try optionalInteger().map { WallTime(milliseconds: $0) }
    }

    mutating func time() throws(StorageError) -> WallTime {
        WallTime(milliseconds: try integer())
    }

    mutating func optionalPrice() throws(StorageError) -> Price? {
        try optionalValue { try? Price($0) }
    }

    /// A value that is stored as text. A text that does not give one is noted in ``isUnderstood``.
    mutating func optionalValue<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        guard let text = try optionalText() else { return nil }
        let value = make(text)
        if value == nil { isUnderstood = false }
        return value
    }

    /// As ``optionalValue(_:)``, and NULL is damage.
    mutating func value<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        let value = make(try text())
        if value == nil { isUnderstood = false }
        return value
    }
}
