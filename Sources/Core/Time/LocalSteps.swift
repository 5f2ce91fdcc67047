/// Gap detection in a series of times whose step varies. Imported hourly prices and polls every 30 seconds can follow
/// each other in one series, and gaps in each part are judged by the local step.
package enum LocalSteps {
    /// The number of distances on either side from which the local step is taken. One or two outages among them do not
    /// change their median.
    private static let reach = 5
    /// The minimum number of distances for a local step.
    private static let least = 3

    /// Checks for a gap before a time: a distance greater than the tolerance and, if the local step is also greater
    /// than the tolerance, greater than three such steps.
    ///
    /// - Parameters:
    ///   - index: the index of the time, from 0.
    ///   - count: the number of times.
    ///   - tolerance: the greatest distance that is never a gap.
    ///   - time: returns the time at an index, in milliseconds. Times must not decrease.
    /// - Returns: true if there is a gap.
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

    /// Returns the median distance, or nil if there are too few distances.
    private static func median(_ distances: [Int64]) -> Int64? {
        distances.count < least ? nil : distances.sorted()[(distances.count - 1) / 2]
    }
}
