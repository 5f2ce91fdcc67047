internal import Market
internal import Time

extension Row {
    /// Reads a time. A time more than ten thousand years from 1970 clears ``isUnderstood``.
    mutating func optionalTime() throws(StorageError) -> WallTime? {
        guard let milliseconds = try optionalInteger() else { return nil }
        if milliseconds.magnitude > Self.plausibleTime { reject("\(milliseconds)") }
        return WallTime(milliseconds: milliseconds)
    }

    /// Reads a time like ``optionalTime()``, but NULL is damage.
    mutating func time() throws(StorageError) -> WallTime {
        guard let time = try optionalTime() else { throw damage("a required column is NULL") }
        return time
    }

    /// Reads a time on the boot clock, checked like ``optionalTime()``.
    mutating func optionalBootTime() throws(StorageError) -> BootTime? {
        try optionalTime().map { BootTime(milliseconds: $0.milliseconds) }
    }

    /// Reads the id of a user. An id that no user can have clears ``isUnderstood``.
    mutating func optionalUser() throws(StorageError) -> UInt32? {
        guard let number = try optionalInteger() else { return nil }
        let user = UInt32(exactly: number)
        if user == nil { reject("\(number)") }
        return user
    }

    /// Reads a number that alertd assigned, such as that of an event. A number beyond ``Schema/counters`` clears
    /// ``isUnderstood``.
    mutating func counter() throws(StorageError) -> Int64 {
        let number = try integer()
        if !Schema.counters.contains(number) { reject("\(number)") }
        return number
    }

    /// Reads a length of time. A length of more than ten thousand years clears ``isUnderstood``.
    mutating func optionalLength() throws(StorageError) -> Milliseconds? {
        guard let length = try optionalTime() else { return nil }
        return Milliseconds(length.milliseconds)
    }

    /// Ten thousand years in milliseconds. Sums and differences of such times do not overflow.
    private static let plausibleTime: UInt64 = 10_000 * 366 * 86_400_000

    mutating func optionalPrice() throws(StorageError) -> Price? {
        try optionalValue { try? Price($0) }
    }

    /// Reads a value that is stored as text. A text that cannot be read clears ``isUnderstood``.
    mutating func optionalValue<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        guard let text = try optionalText() else { return nil }
        let value = make(text)
        if value == nil { reject(text) }
        return value
    }

    /// Reads a value like ``optionalValue(_:)``, but NULL is damage.
    mutating func value<Value>(_ make: (String) -> Value?) throws(StorageError) -> Value? {
        let text = try text()
        let value = make(text)
        if value == nil { reject(text) }
        return value
    }
}
