internal import History
internal import Market
internal import Time

/// A writer of the engine's state as bytes; ``StateBytesReader`` reads them.
///
/// Numbers take as few bytes as possible. Instants and prices are written as differences from values that the reader
/// knows.
struct StateBytesWriter {
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }
    mutating func unsigned(_ number: UInt64) { bytes.appendVariable(number) }
    mutating func signed(_ number: Int64) { bytes.appendZigzag(number) }
    mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func text(_ text: some CustomStringConvertible) {
        let characters = Array(text.description.utf8)
        bytes.appendVariable(UInt64(characters.count))
        bytes.append(contentsOf: characters)
    }

    /// Writes an instant as two differences from another one: the difference of the boot clock, and how much the
    /// difference of the wall clock exceeds it.
    mutating func instant(_ time: Instant, after base: Instant) {
        let boot = time.boot.milliseconds &- base.boot.milliseconds
        bytes.appendZigzag(boot)
        bytes.appendZigzag(time.wall.milliseconds &- base.wall.milliseconds &- boot)
    }

    /// Writes a price, either as a difference from another price or in full; the lowest bit distinguishes them. The
    /// shift drops the highest bit of the difference, so a very large difference is written in full.
    mutating func price(_ price: Price, near other: Price?) {
        if let other, other.scale == price.scale {
            let (difference, overflow) = price.mantissa.subtractingReportingOverflow(other.mantissa)
            if !overflow, difference.magnitude < 1 << 61 {
                return bytes.appendVariable(difference.zigzag &<< 1)
            }
        }
        bytes.appendVariable(UInt64(price.scale) &<< 1 | 1)
        bytes.appendZigzag(price.mantissa)
    }

    /// Writes an optional value after a flag.
    mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    /// Returns the bytes with a checksum, and starts over.
    mutating func finish() -> [UInt8] {
        bytes.appendChecksum()
        defer { bytes = [] }
        return bytes
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// The reason why bytes are not valid engine state.
enum StateDamage: Error {
    case version
    case checksum
    case content
}

/// A reader of the bytes that ``StateBytesWriter`` writes. It checks every value, so no input can crash it.
struct StateBytesReader {
    private let bytes: [UInt8]
    private let end: Int
    private var reader = ByteReader(position: 0)

    /// - Parameters:
    ///   - bytes: the bytes, which end with a checksum.
    ///   - version: the expected first byte.
    /// - Throws: ``StateDamage`` if the checksum or the version is wrong.
    init(_ bytes: [UInt8], version: UInt8) throws(StateDamage) {
        guard let end = ByteReader.checked(bytes.span) else { throw .checksum }
        self.bytes = bytes
        self.end = end
        guard try byte() == version else { throw .version }
    }

    var isAtEnd: Bool { reader.position >= end }

    mutating func byte() throws(StateDamage) -> UInt8 {
        guard !isAtEnd else { throw .content }
        defer { reader.position += 1 }
        return bytes[reader.position]
    }

    mutating func unsigned() throws(StateDamage) -> UInt64 {
        var reader = reader
        guard let number = reader.variable(bytes.span), reader.position <= end else { throw .content }
        self.reader = reader
        return number
    }

    mutating func signed() throws(StateDamage) -> Int64 {
        Int64(zigzag: try unsigned())
    }

    mutating func count(upTo limit: Int) throws(StateDamage) -> Int {
        let number = try unsigned()
        guard number <= UInt64(limit) else { throw .content }
        return Int(number)
    }

    mutating func flag() throws(StateDamage) -> Bool {
        let byte = try byte()
        guard byte <= 1 else { throw .content }
        return byte == 1
    }

    mutating func text() throws(StateDamage) -> String {
        let count = try count(upTo: 256)
        guard count <= end - reader.position else { throw .content }
        defer { reader.position += count }
        return String(decoding: bytes[reader.position..<reader.position + count], as: UTF8.self)
    }

    mutating func value<Value>(_ make: (String) -> Value?) throws(StateDamage) -> Value {
        guard let value = make(try text()) else { throw .content }
        return value
    }

    mutating func instant(after base: Instant) throws(StateDamage) -> Instant {
        let boot = try signed()
        let wall = try signed() &+ base.wall.milliseconds &+ boot
        let time = Instant(
            boot: BootTime(milliseconds: base.boot.milliseconds &+ boot), wall: WallTime(milliseconds: wall))
        guard time.isPlausible else { throw .content }
        return time
    }

    /// Reads a price, which must be greater than 0 unless `isAny`.
    mutating func price(near other: Price?, isAny: Bool = false) throws(StateDamage) -> Price {
        let code = try unsigned()
        var price: Price?
        if code & 1 == 1 {
            guard code >> 1 <= UInt64(Price.maximumScale) else { throw .content }
            price = Price(mantissa: try signed(), scale: UInt8(code >> 1))
        } else if let other {
            let (mantissa, overflow) = other.mantissa.addingReportingOverflow(Int64(zigzag: code &>> 1))
            price = overflow ? nil : Price(mantissa: mantissa, scale: other.scale)
        }
        guard let price, isAny || price.isPositive else { throw .content }
        return price
    }

    mutating func optional<Value>(
        _ read: (inout Self) throws(StateDamage) -> Value
    ) throws(StateDamage) -> Value? {
        try flag() ? try read(&self) : nil
    }
}

extension Instant {
    /// True if both times are small enough for arithmetic on them not to overflow.
    var isPlausible: Bool { boot.isPlausible && BootTime(milliseconds: wall.milliseconds).isPlausible }
}

extension BootTime {
    /// True if it is within ten thousand years of 0.
    var isPlausible: Bool { milliseconds.magnitude < 10_000 * 366 * 86_400_000 }
}
