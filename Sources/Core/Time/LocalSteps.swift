/// The step of a series of times at each of its places: imported hourly prices and polls every 30 seconds can follow
/// each other in one series, and each part has gaps by its own step.
package enum LocalSteps {
    /// How many distances on either side show the step. An outage or two among them do not change their median.
    private static let reach = 5
    /// Fewer distances than this show no step.
    private static let least = 3

    /// Finds a gap before a time: a distance beyond the tolerance and, where steps on either side are beyond it too,
    /// of more than three of them.
    ///
    /// - Parameters:
    ///   - index: the place of the time, from 0.
    ///   - count: the number of times.
    ///   - tolerance: a distance up to this is never a gap.
    ///   - time: the time at a place, in milliseconds; not decreasing.
    /// - Returns: whether there is one.
    package static func hasGap(
        before index: Int, of count: Int, tolerance: Milliseconds, time: (Int) -> Int64
    ) -> Bool {
        guard index > 0, index < count else { return false }
        let distance = time(index) - time(index - 1)
        guard distance > tolerance.count else { return false }
        let before = median((max(1, index - reach)..<index).map { time($0) - time($0 - 1) })
        let end = max(index + 1, min(count, index + 1 + reach))
        let after = median((index + 1..<end).map { time($0) - time($0 - 1) })
        guard let step = [before, after].compactMap(\.self).max(), step > tolerance.count else { return true }
        return distance / 3 > step || (distance / 3 == step && distance % 3 > 0)
    }

    /// The middle one; nil if there are too few.
    private static func median(_ distances: [Int64]) -> Int64? {
        distances.count < least ? nil : distances.sorted()[(distances.count - 1) / 2]
    }
}
