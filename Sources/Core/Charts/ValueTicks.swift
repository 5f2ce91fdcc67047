internal import Market

/// The ticks of a value axis, lowest first.
struct ValueTicks: Equatable {
    /// Exact decimal numbers.
    var ticks: [Price]
    /// The number of decimal places that all ticks need.
    var decimals: Int

    static let none = ValueTicks(ticks: [], decimals: 0)

    /// Makes at most about `count` ticks between the two values, at multiples of 1, 2 or 5 times a power of ten.
    static func linear(_ low: Double, _ high: Double, count: Int) -> ValueTicks {
        guard low.isFinite, high.isFinite, high > low, high - low > max(low.magnitude, high.magnitude) * 1e-13 else {
            return .none
        }
        let (factor, exponent) = step(of: (high - low) / Double(max(1, count)))
        guard let size = power(exponent).map({ $0 * Double(factor) }) else { return .none }
        let (first, last) = ((low / size).rounded(.up), (high / size).rounded(.down))
        guard first <= last, last - first < 10_000, max(first.magnitude, last.magnitude) < 1e17 else { return .none }
        let ticks = (Int64(first)...Int64(last)).compactMap { price($0, factor, exponent) }
        return ValueTicks(ticks: ticks, decimals: max(0, -exponent))
    }

    /// Makes ticks at 1, 2 and 5 times powers of ten between the two positive values. If that gives too many, the
    /// ticks are at 1 and 3 times powers of ten, at all powers, or at some of them. If the values are less than a
    /// decade apart, the ticks are those of ``linear(_:_:count:)``.
    static func logarithmic(_ low: Double, _ high: Double, count: Int) -> ValueTicks {
        guard low > 0, high >= low * 10 else { return linear(low, high, count: count) }
        let exponents = (-18...17).filter { exponent in
            power(exponent).map { $0 * 10 > low && $0 <= high } ?? false
        }
        let usual: [[Int64]] = [[1, 2, 5], [1, 3], [1]]
        for factors in usual {
            let ticks = all(factors, exponents, low, high)
            if ticks.ticks.count <= max(2, count) { return ticks }
        }
        let stride = (exponents.count + max(1, count) - 1) / max(1, count)
        let some = exponents.enumerated().filter { $0.offset % max(1, stride) == 0 }.map(\.element)
        return all([1], some, low, high)
    }

    private static func all(_ factors: [Int64], _ exponents: [Int], _ low: Double, _ high: Double) -> ValueTicks {
        let ticks = exponents.flatMap { exponent in
            factors.compactMap { price(1, $0, exponent) }.filter { $0.approximate >= low && $0.approximate <= high }
        }
        return ValueTicks(ticks: ticks, decimals: 0)
    }

    /// Returns the smallest step of at least the given size.
    private static func step(of size: Double) -> (factor: Int64, exponent: Int) {
        let exponent = (-18...17).last { power($0).map { $0 <= size } ?? false } ?? -18
        let base = power(exponent) ?? 1
        let factor: Int64 = size <= base ? 1 : size <= 2 * base ? 2 : size <= 5 * base ? 5 : 10
        return factor == 10 ? (1, min(17, exponent + 1)) : (factor, exponent)
    }

    /// Returns ten to the power of the exponent, −18 to 18, or nil for any other exponent.
    private static func power(_ exponent: Int) -> Double? {
        guard let one = Price(mantissa: 1, scale: UInt8(clamping: exponent.magnitude)) else { return nil }
        return exponent < 0 ? one.approximate : 1 / one.approximate
    }

    private static func price(_ number: Int64, _ factor: Int64, _ exponent: Int) -> Price? {
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        if exponent <= 0 { return Price(mantissa: product, scale: UInt8(clamping: -exponent)) }
        return Price(mantissa: 1, scale: UInt8(clamping: exponent)).flatMap { _ in
            (0..<exponent).reduce(Optional(product)) { value, _ in
                value.flatMap { value -> Int64? in
                    let (next, overflow) = value.multipliedReportingOverflow(by: 10)
                    return overflow ? nil : next
                }
            }
        }.flatMap { Price(mantissa: $0, scale: 0) }
    }
}
