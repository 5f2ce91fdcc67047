internal import ExchangeRates
internal import Market

extension FuzzEntry {
    /// One number, or two with a space between, as exchanges and users write them.
    package static let decimal = FuzzEntry(name: "decimal", seeds: decimals, longest: 96) { bytes in
        let parts = bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        let prices = parts.map { readAsDecimal(Array($0)) }
        if let first = prices.first ?? nil, let last = prices.last ?? nil { calculate(first, last) }
        return prices.allSatisfy { $0 != nil }
    }
}

/// Every form, the ends of the range, and values just beyond them.
@Sendable
private func decimals() -> [[UInt8]] {
    [
        "72046", "73216.0", "-0.5", "0.00000041", "4.9e-7", "1.5E+3", "1e000000000000000002", "0e99999999999999999999",
        "9223372036854775807 -9223372036854775808", "9.223372036854775807 0.000000000000000001",
        "00000000000000000000000000000001.500000000000000000000000 3", "7522957.5 109.0470", "0 0", "1e18 1e-18",
    ].map { Array($0.utf8) }
}

/// Reads the number in every way that there is, and compares all of them with a simple second reader.
func readAsDecimal(_ bytes: [UInt8]) -> Price? {
    let alone = try? Price(parsing: bytes.span)
    // With room after it, a plain number is read sixteen bytes at a time.
    let within = try? Price(parsing: (bytes + Array("e1,5678901234567890".utf8)).span, in: 0..<bytes.count)
    precondition(
        alone?.mantissa == within?.mantissa && alone?.scale == within?.scale, "what follows makes a difference")
    let plain = PlainDecimal(bytes)
    precondition(
        (alone != nil) == (plain?.fits ?? false), "a number that fits is refused, or one that does not is read")
    guard let price = alone, let plain else { return nil }
    let reduced = price.reduced
    precondition(plain.isNumber(reduced.mantissa, scale: Int(reduced.scale)), "another number")
    let again = try? Price("\(price)")
    precondition(again?.mantissa == price.mantissa && again?.scale == price.scale, "not what was written")
    return price
}

/// For any numbers: nothing traps, and exact results are consistent.
private func calculate(_ left: Price, _ right: Price) {
    if let sum = left.adding(right) { precondition(sum.subtracting(right) == left, "a sum that is not one") }
    if let difference = left.subtracting(right) {
        precondition((difference.mantissa < 0) == (left < right), "a difference with the wrong sign")
    }
    precondition(left.multiplied(by: right) == right.multiplied(by: left), "a product that depends on the order")
    _ = (left.midpoint(to: right), left.percentChange(from: right))
    guard left.isPositive, right.isPositive else { return }
    let ratio = Ratio.one.multiplied(by: right)
    if let product = left.multiplied(by: right) {
        precondition(ratio.compare(left, to: product) == .equal, "a product that does not equal itself")
    }
    precondition(ratio.compare(from: .zero, to: left, with: right) == ratio.compare(left, to: right), "two answers")
    if let (rounded, isExact) = try? ratio.convert(left, digits: 12) {
        precondition(!isExact || ratio.compare(left, to: rounded) == .equal, "exact, but not equal")
    }
}

/// A number as its digits and a power of ten, read one character at a time.
private struct PlainDecimal {
    private var isNegative = false
    /// Without leading and trailing zeros; empty for 0.
    private var digits: [UInt8] = []
    private var exponent = 0

    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if rest.first == 0x2D { isNegative = rest.popFirst() != nil }
        let whole = Self.takeDigits(&rest)
        guard !whole.isEmpty else { return nil }
        digits = whole
        if rest.first == 0x2E {
            rest.removeFirst()
            let fraction = Self.takeDigits(&rest)
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            exponent -= fraction.count
        }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest.removeFirst()
            let sign = rest.first == 0x2D ? -1 : 1
            if rest.first == 0x2D || rest.first == 0x2B { rest.removeFirst() }
            let power = Self.takeDigits(&rest)
            guard !power.isEmpty else { return nil }
            exponent += sign * power.reduce(0) { min($0 * 10 + Int($1), 1_000_000_000) }
        }
        guard rest.isEmpty else { return nil }
        strip()
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let digits = rest.prefix { $0 &- 0x30 < 10 }
        rest = rest.dropFirst(digits.count)
        return digits.map { $0 - 0x30 }
    }

    private mutating func strip() {
        digits = Array(digits.drop { $0 == 0 })
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { exponent = 0 }
    }

    /// The number × 10^18; nil beyond 10^38, which no price reaches, and when it is not an integer.
    private var units: Int128? {
        guard digits.count <= 38, exponent >= -18, digits.count + exponent + 18 <= 38 else { return nil }
        let magnitude = digits.reduce(Int128(0)) { $0 * 10 + Int128($1) }
        let scaled = (0..<(exponent + 18)).reduce(magnitude) { value, _ in value * 10 }
        return isNegative ? -scaled : scaled
    }

    /// Whether it fits into 64 bits and a scale of 0 to 18.
    var fits: Bool {
        guard let units else { return digits.isEmpty }
        return (0...18).contains { places in
            let unit = (0..<(18 - places)).reduce(Int128(1)) { power, _ in power * 10 }
            return units % unit == 0 && Int64(exactly: units / unit) != nil
        }
    }

    func isNumber(_ mantissa: Int64, scale: Int) -> Bool {
        (0..<(18 - scale)).reduce(Int128(mantissa)) { value, _ in value * 10 } == units
    }
}
