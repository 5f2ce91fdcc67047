/// Rice coding, for integers that are mostly small. With the parameter k, the code of a number is its upper part
/// (number ÷ 2^k) in unary, as that number of ones and a zero, followed by its lowest k bits.
///
/// An upper part of ``escape`` or more is written as ``escape`` ones, followed by the whole number in 64 bits.
enum Rice {
    static let escape = 24
    /// With a parameter of 63, any number takes at most 65 bits.
    static let parameterLimit = 63

    /// Returns the parameter that minimizes, approximately, the bits for numbers with the given count and sum.
    static func parameter(count: Int, sum: Double) -> Int {
        guard count > 0 else { return 0 }
        // In a geometric distribution, frequencies halve every 0.69 × mean.
        let half = sum / Double(count) * 0.69
        guard half >= 2 else { return half >= 1 ? 1 : 0 }
        return min(parameterLimit, Int(half.exponent))
    }
}

extension BitWriter {
    @inline(__always)
    mutating func writeRice(_ number: UInt64, parameter: Int) {
        let upper = number &>> UInt64(truncatingIfNeeded: parameter)
        guard upper < Rice.escape else {
            write(.ones(Rice.escape), count: Rice.escape)
            return write(number, count: 64)
        }
        let count = Int(truncatingIfNeeded: upper)
        write(.ones(count), count: count &+ 1)
        write(number & .ones(parameter), count: parameter)
    }
}

extension BitReader {
    @inline(__always)
    mutating func readRice(parameter: Int, from bytes: Span<UInt8>) -> UInt64 {
        let word = Self.word(at: position, in: bytes)
        let upper = (~word).trailingZeroBitCount
        guard upper < Rice.escape else {
            position &+= Rice.escape
            return readWide(64, from: bytes)
        }
        position &+= upper &+ 1
        // 57 bits are available, of which at most 24 are consumed.
        let lower: UInt64
        if parameter <= 32 {
            lower = word &>> UInt64(truncatingIfNeeded: upper &+ 1) & .ones(parameter)
            position &+= parameter
        } else {
            lower = readWide(parameter, from: bytes)
        }
        return UInt64(truncatingIfNeeded: upper) &<< UInt64(truncatingIfNeeded: parameter) | lower
    }
}

extension Int64 {
    /// The zigzag code: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …, so that numbers near 0 have small codes whatever
    /// their sign.
    @inline(__always)
    package var zigzag: UInt64 { UInt64(bitPattern: (self &<< 1) ^ (self &>> 63)) }

    /// Decodes a zigzag code: 0, 1, 2, 3 become 0, -1, 1, -2.
    @inline(__always)
    package init(zigzag number: UInt64) {
        self = Int64(bitPattern: number &>> 1) ^ (0 &- Int64(bitPattern: number & 1))
    }
}
