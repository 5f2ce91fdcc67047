internal import History
internal import Market
internal import Time

/// Writes the engine's state as bytes; ``StateBytesReader`` reads them.
///
/// Numbers take as few bytes as they need, and instants and prices are written as differences from ones that the reader
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

    /// An instant near another: how much later it is on the boot clock, and by how much more on the wall clock.
    mutating func instant(_ time: Instant, after base: Instant) {
        let boot = time.boot.milliseconds &- base.boot.milliseconds
        bytes.appendZigzag(boot)
        bytes.appendZigzag(time.wall.milliseconds &- base.wall.milliseconds &- boot)
    }

    /// A price near another, or any price: the lowest bit says which. The difference loses its highest bit, so a very
    /// large one is not used.
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

    /// Nothing, or a value.
    mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    /// Hands over what was written, with a checksum, and starts again.
    mutating func finish() -> [UInt8] {
        bytes.appendChecksum()
        defer { bytes = [] }
        return bytes
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Why bytes are not the state of an engine.
enum StateDamage: Error {
    case version
    case checksum
    case content
}

/// Reads what ``StateBytesWriter`` wrote. Nothing that it reads makes it crash: each value is checked.
struct StateBytesReader {
    private let bytes: [UInt8]
    private let end: Int
    private var reader = ByteReader(position: 0)

    /// - Parameters:
    ///   - bytes: with a checksum at their end.
    ///   - version: their first byte.
    /// - Throws: ``StateDamage`` when the checksum or the version is another one.
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

    /// A number of things, limited.
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

    /// A price greater than 0, unless `isAny`.
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
    /// Whether both times are near enough that nothing that is computed from them overflows.
    var isPlausible: Bool { boot.isPlausible && BootTime(milliseconds: wall.milliseconds).isPlausible }
}

extension BootTime {
    /// Whether it is within ten thousand years of 0.
    var isPlausible: Bool { milliseconds.magnitude < 10_000 * 366 * 86_400_000 }
}
