import EventLoop
import Foundation
import TestSupport
import Testing
import Time

@Suite(.timeLimit(.minutes(10)))
struct LoopTests {
    @Test func codeOfTheActorRunsOnTheLoopsThread() async throws {
        try await onLoop {
            #expect(Loop.shared.isIsolatingCurrentContext() == true)
            Loop.shared.checkIsolated()
            #expect(LoopActor.assumeIsolated { 7 } == 7)
        }
        #expect(await isOnLoopFromPool() == false)
    }

    @Test func manyTasksOfOtherThreadsWakeTheLoop() async throws {
        startLoop()
        let counter = await Counter()
        await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { @concurrent in await counter.add() }
            }
        }
        #expect(await counter.count == 1_000)
    }

    /// Jobs that arrive while the loop waits in the kernel, many times.
    @Test func sleepingLoopIsWokenEachTime() async throws {
        startLoop()
        let counter = await Counter()
        for _ in 0..<200 { await addFromPool(counter) }
        #expect(await counter.count == 200)
    }

    @Test func codeOfAnotherThreadIsRefused() async {
        await #expect(processExitsWith: .failure) {
            LoopActor.assumeIsolated {}
        }
    }

    @Test func loopEndsWithTheValueOfItsBody() async {
        await #expect(processExitsWith: .exitCode(7)) {
            exit(Loop.shared.run { 7 })
        }
    }

    @Test(arguments: Signal.allCases)
    func signalIsACallOnTheLoop(signal: Signal) async {
        // In a process of its own; raised on the loop's thread, the only one that blocks it.
        let number = signal.number
        await #expect(processExitsWith: .exitCode(42)) { [number = number as Int32] in
            let code = Loop.shared.run {
                let arrived = OneShot<Int32, CancellationError>()
                let watches = Signal.allCases.map { signal in
                    SignalWatch(signal) { arrived.finish(.success(signal.number)) }
                }
                raise(number)
                let got = try? await arrived.value(onCancel: CancellationError())
                return watches.count == 3 && got == number ? 42 : 1
            }
            exit(code)
        }
    }

    @Test func clockGoesForward() throws {
        let clock = SystemClock()
        var last = clock.now().boot
        for _ in 0..<1_000 {
            let now = clock.now().boot
            #expect(now >= last)
            last = now
        }
        let wall = clock.now().wall
        let reference = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        #expect(abs(reference.since(wall).count) < 60_000)
    }
}

struct LoopTimerTests {
    @Test(.timeLimit(.minutes(10))) func nearerTimeComesFirstWhateverWasArmedFirst() async throws {
        try await onLoop {
            var order: [Int] = []
            let done = OneShot<Void, CancellationError>()
            let late = LoopTimer { order.append(2) }
            let early = LoopTimer {
                order.append(1)
                done.finish(.success(()))
            }
            late.arm(after: .seconds(3_600))
            early.arm(after: .milliseconds(1))
            try await done.value(onCancel: CancellationError())
            #expect(order == [1])
            #expect(!early.isArmed && late.isArmed)
        }
    }

    @Test(.timeLimit(.minutes(10))) func timerComesOnceAndCanBeArmedByItsAction() async throws {
        try await onLoop {
            let done = OneShot<Void, CancellationError>()
            let box = TimerBox()
            box.timer = LoopTimer {
                #expect(box.timer?.isArmed == false)
                box.calls += 1
                if box.calls < 3 { box.timer?.arm(after: .zero) } else { done.finish(.success(())) }
            }
            box.timer?.arm(after: .zero)
            try await done.value(onCancel: CancellationError())
            try await sleep(for: .milliseconds(5))
            #expect(box.calls == 3)
            box.timer = nil
        }
    }

    @Test(.timeLimit(.minutes(10))) func aTimerThatIsArmedAgainForgetsItsOldTime() async throws {
        try await onLoop {
            var calls = 0
            let timer = LoopTimer { calls += 1 }
            timer.arm(after: .milliseconds(1))
            timer.arm(after: .seconds(3_600))
            try await sleep(for: .milliseconds(10))
            #expect(calls == 0)
            #expect(timer.isArmed)
            timer.arm(after: .milliseconds(1))
            while calls == 0 { try await sleep(for: .milliseconds(1)) }
            #expect(!timer.isArmed)
        }
    }

    @Test(.timeLimit(.minutes(10))) func timerThatIsDisarmedOrFreedDoesNotCome() async throws {
        try await onLoop {
            var calls = 0
            let disarmed = LoopTimer { calls += 1 }
            #expect(!disarmed.isArmed)
            disarmed.disarm()
            disarmed.arm(after: .milliseconds(1))
            #expect(disarmed.isArmed)
            disarmed.disarm()
            #expect(!disarmed.isArmed)
            var freed: LoopTimer? = LoopTimer { calls += 1 }
            freed?.arm(after: .milliseconds(1))
            freed = nil
            try await sleep(for: .milliseconds(10))
            #expect(calls == 0)
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [Duration.zero, .seconds(-5), .nanoseconds(1), .seconds(Int64.min)])
    func timeThatIsOverComesAtOnce(delay: Duration) async throws {
        try await onLoop {
            let done = OneShot<Void, CancellationError>()
            let timer = LoopTimer { done.finish(.success(())) }
            timer.arm(after: delay)
            try await done.value(onCancel: CancellationError())
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(10_000_000_000_000), .milliseconds(Int64.max)])
    func timeFarAwayDoesNotComeNow(delay: Duration) async throws {
        try await onLoop {
            var calls = 0
            let timer = LoopTimer { calls += 1 }
            timer.arm(after: delay)
            try await sleep(for: .milliseconds(2))
            #expect(timer.isArmed && calls == 0)
        }
    }

    @Test(.timeLimit(.minutes(10))) func sleepEndsAtOnceWhenItsTaskIsCancelled() async throws {
        try await onLoop {
            let sleeper = Task { @LoopActor in try await sleep(for: .seconds(3_600)) }
            await Task.yield()
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { try await sleeper.value }
        }
    }

    @Test(.timeLimit(.minutes(10))) func sleepTakesAtLeastItsTime() async throws {
        try await onLoop {
            let start = SystemClock().now().boot
            try await sleep(for: .milliseconds(20))
            #expect(SystemClock().now().boot.since(start) >= Milliseconds(19))
        }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct OneShotTests {
    @Test func valueMayComeBeforeOrAfterTheWait() async throws {
        try await onLoop {
            let before = OneShot<Int, CancellationError>()
            #expect(!before.isFinished)
            before.finish(.success(1))
            before.finish(.success(2))
            #expect(before.isFinished)
            let first = try await before.value(onCancel: CancellationError())
            #expect(first == 1)
            let after = OneShot<Int, CancellationError>()
            let timer = LoopTimer { after.finish(.success(3)) }
            timer.arm(after: .milliseconds(1))
            let second = try await after.value(onCancel: CancellationError())
            #expect(second == 3)
        }
    }

    @Test func cancelledWaitThrowsWhatItWasNotified() async throws {
        try await onLoop {
            let never = OneShot<Int, TestError>()
            let waiter = Task { @LoopActor in try await never.value(onCancel: .cancelled) }
            await Task.yield()
            waiter.cancel()
            await #expect(throws: TestError.cancelled) { try await waiter.value }
            never.finish(.success(1))
            #expect(never.isFinished)
        }
    }

    @Test func failureIsThrown() async throws {
        try await onLoop {
            let failing = OneShot<Int, TestError>()
            failing.finish(.failure(.failed))
            await #expect(throws: TestError.failed) { try await failing.value(onCancel: .cancelled) }
        }
    }
}

private enum TestError: Error {
    case cancelled
    case failed
}

@LoopActor
private final class Counter {
    private(set) var count = 0

    init() {}

    func add() {
        Loop.shared.checkIsolated()
        count += 1
    }
}

@LoopActor
private final class TimerBox {
    var timer: LoopTimer?
    var calls = 0
}

@concurrent
private func addFromPool(_ counter: Counter) async {
    await counter.add()
}

@concurrent
private func isOnLoopFromPool() async -> Bool? {
    Loop.shared.isIsolatingCurrentContext()
}
