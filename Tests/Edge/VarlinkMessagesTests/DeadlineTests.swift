import Testing

@testable import VarlinkMessages

struct DeadlineTests {
    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func onesOfThePastLeaveNoTime(_ length: Duration) {
        #expect(Deadline(after: length).rest == .zero)
    }

    @Test func theRestShrinks() {
        let deadline = Deadline(after: .seconds(3_600))
        let (first, second) = (deadline.rest, deadline.rest)
        #expect(first <= .seconds(3_600) && first > .seconds(3_000))
        #expect(second <= first && second > .seconds(3_000))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(10_000_000_000)])
    func endlessOnesDoNotOverflow(_ length: Duration) {
        #expect(Deadline(after: length).rest > .seconds(7_000_000_000))
    }
}
