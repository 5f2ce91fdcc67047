/// A mapping from values to heights between the bottom and the top of a chart.
struct ValueScale: Equatable {
    /// The value at the bottom.
    let low: Double
    /// The value at the top; greater than ``low``.
    let high: Double
    let isLogarithmic: Bool
    private let bottom: Double
    private let height: Double

    /// Makes a scale, which is logarithmic only if both values are positive.
    init(_ low: Double, _ high: Double, isLogarithmic: Bool) {
        self.low = low
        self.high = high
        self.isLogarithmic = isLogarithmic && low > 0
        bottom = self.isLogarithmic ? logarithm(low) : low
        height = (self.isLogarithmic ? logarithm(high) : high) - bottom
    }

    /// Returns the height of a value: 0 at the bottom, 1 at the top. Values outside are at the nearer edge.
    func share(_ value: Double) -> Double {
        guard height > 0, height.isFinite else { return 0.5 }
        guard value > low else { return 0 }
        guard value < high else { return 1 }
        let place = isLogarithmic ? logarithm(value) : value
        return min(1, max(0, (place - bottom) / height))
    }

    func contains(_ value: Double) -> Bool { value >= low && value <= high }
}

/// Returns the natural logarithm of a positive number, accurate to about 12 digits. The standard library has no
/// logarithm, and core modules use no other library.
func logarithm(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    // ln(2^e × m) = e ln 2 + 2 artanh((m − 1) / (m + 1)), with m from 1 to 2, so that the series converges fast.
    let ratio = (value.significand - 1) / (value.significand + 1)
    let square = ratio * ratio
    var term = ratio
    var sum = 0.0
    for odd in stride(from: 1.0, through: 25, by: 2) {
        sum += term / odd
        term *= square
    }
    return Double(value.exponent) * 0.693_147_180_559_945_3 + 2 * sum
}
