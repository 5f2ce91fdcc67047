import EventLoop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoopTests {
    @Test func timersComeInTheOrderOfTheirTimes() async throws {
        let order = try await onLoop {
            var order: [Int] = []
            let done = OneShot<Void, CancellationError>()
            let late = LoopTimer {
                order.append(2); done.finish(.success(()))
            }
            let early = LoopTimer { order.append(1) }
            late.arm(after: .milliseconds(20))
            early.arm(after: .milliseconds(1))
            try await done.value(onCancel: CancellationError())
            return order
        }
        #expect(order == [1, 2])
    }
}
