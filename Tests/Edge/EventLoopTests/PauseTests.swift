import EventLoop
import TestSupport
import Testing
import Time

@Suite(.timeLimit(.minutes(10)))
struct PauseTests {
    @Test func aWaitEndsAtItsTime() async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            let clock = SystemClock()
            for _ in 0..<2 {
                let start = clock.now().boot
                #expect(await pause.wait(Milliseconds(3)))
                #expect(clock.now().boot.since(start) >= Milliseconds(3))
            }
        }
    }

    @Test(arguments: [nil, Milliseconds.seconds(3_600)]) func aWaitCanBeCutShort(length: Milliseconds?) async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            let timer = LoopTimer { pause.end() }
            for _ in 0..<2 {
                timer.arm(after: .milliseconds(1))
                #expect(await pause.wait(length))
            }
        }
    }

    @Test func endWithoutAWaitIsForgotten() async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            pause.end()
            let clock = SystemClock()
            let start = clock.now().boot
            #expect(await pause.wait(Milliseconds(3)))
            #expect(clock.now().boot.since(start) >= Milliseconds(3))
            pause.end()
        }
    }

    @Test func aCancelledWaitEndsAndTheNextOneDoesNot() async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            let waiting = Loop.shared.start { await pause.wait(nil) }
            try await sleep(for: .milliseconds(1))
            waiting.cancel()
            #expect(await waiting.value == false)
            #expect(await pause.wait(Milliseconds(1)))
        }
    }

    /// A wait may end before its cancellation arrives, which is not for the next one.
    @Test func aLateCancellationDoesNotEndTheNextWait() async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            let first = Loop.shared.start { await pause.wait(nil) }
            try await sleep(for: .milliseconds(1))
            first.cancel()
            pause.end()
            let clock = SystemClock()
            let start = clock.now().boot
            #expect(await pause.wait(Milliseconds(3)))
            #expect(clock.now().boot.since(start) >= Milliseconds(3))
            #expect(await first.value)
        }
    }

    @Test func aWaitOfACancelledTaskEndsAtOnce() async throws {
        try await onLoop {
            let pause = Pause(accuracy: .milliseconds(1))
            let waiting = Loop.shared.start { () -> Bool in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await pause.wait(nil)
            }
            #expect(await waiting.value == false)
        }
    }
}
