import Testing

@testable import Time

struct LocalStepsTests {
    /// The places of gaps in times with these distances, in seconds; polls are 30 seconds apart.
    private func gaps(_ distances: [Int64]) -> [Int] {
        let times = distances.reduce(into: [Int64(0)]) { $0.append(($0.last ?? 0) + $1 * 1_000) }
        return times.indices.filter { index in
            LocalSteps.hasGap(before: index, of: times.count, tolerance: .seconds(90)) { times[$0] }
        }
    }

    @Test func hourlyPricesHaveGapsByTheirOwnStep() {
        let hour: Int64 = 3_600
        let hourly = Array(repeating: hour, count: 20)
        let polls = Array(repeating: Int64(30), count: 20)
        #expect(gaps(hourly) == [])
        #expect(gaps(hourly + [5 * hour] + hourly) == [21])
        // A point that is missing or two are no gap: three steps.
        #expect(gaps(hourly + [3 * hour] + hourly) == [])
        #expect(gaps(hourly + [3 * hour + 1] + hourly) == [21])
        // Followed by polls, in either order.
        #expect(gaps(hourly + polls) == [])
        #expect(gaps(polls + hourly) == [])
        #expect(gaps(hourly + [5 * hour] + polls + [600] + polls + hourly) == [21, 42])
    }

    @Test func outagesOfPollsAreGaps() {
        #expect(gaps([30, 30, 30, 3_600, 30, 30, 30]) == [4])
        #expect(gaps([30, 30, 3_600, 30, 30, 7_200, 30, 30, 91, 30, 30]) == [3, 6, 9])
        // Too few for a step of their own.
        #expect(gaps([30, 3_600, 30]) == [2])
        #expect(gaps([3_600, 3_600]) == [1, 2])
        #expect(gaps([]) == [])
    }
}
