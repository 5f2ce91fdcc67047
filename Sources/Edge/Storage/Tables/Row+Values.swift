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

    /// A value that is stored as text. A text that cannot be read clears ``isUnderstood``.
    mutating func optionalValue<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        guard let text = try optionalText() else { return nil }
        let value = make(text)
        if value == nil { isUnderstood = false }
        return value
    }

    /// Like ``optionalValue(_:)``, but NULL is damage.
    mutating func value<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        let value = make(try text())
        if value == nil { isUnderstood = false }
        return value
    }
}
