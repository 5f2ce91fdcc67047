import EventLoop
import Journal
import Market
import Replay
import ServiceManager
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Delivery

struct WatchdogTests {
    private func time(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1_000) }

    @Test(arguments: [
        // Under way: three times as long as a request can take.
        (PollProgress(began: BootTime(milliseconds: 0)), 60, false),
        (PollProgress(began: BootTime(milliseconds: 0)), 61, true),
        // Awaited, also in three days.
        (PollProgress(due: BootTime(milliseconds: 259_200_000)), 1_000, false),
        (PollProgress(due: BootTime(milliseconds: 0)), 60, false),
        (PollProgress(due: BootTime(milliseconds: 0)), 61, true),
        // Before the first.
        (PollProgress(), 1_000_000, false),
    ])
    func pollingStandsStillWhenItIsFarOverTime(progress: PollProgress, now: Int64, isStalled: Bool) {
        #expect((progress.stalled(at: time(now)) != nil) == isStalled)
    }

    @Test func aDaemonThatPollsIsFed() {
        var rule = WatchdogRule()
        for now in stride(from: Int64(0), to: 1_000, by: 30) {
            #expect(rule.step(PollProgress(due: time(now + 30)), at: time(now)) == .notify)
            #expect(rule.wait(.seconds(180)) == .seconds(90))
        }
    }

    @Test func aDaemonThatDoesNotPollIsNotFedAndThatIsSaidOnce() {
        var rule = WatchdogRule()
        let stuck = PollProgress(began: time(0))
        #expect(rule.step(stuck, at: time(50)) == .notify)
        #expect(rule.step(stuck, at: time(100)) == .withhold(isNews: false))
        #expect(rule.step(stuck, at: time(120)) == .withhold(isNews: true))
        #expect(rule.step(stuck, at: time(140)) == .withhold(isNews: false))
        #expect(rule.step(stuck, at: time(160)) == .withhold(isNews: false))
    }

    /// The poll that a suspend has made late begins at once: there is time enough to see that.
    @Test func aResumedDaemonIsFedInTimeAndNothingIsSaid() {
        var rule = WatchdogRule()
        #expect(rule.step(PollProgress(due: time(30)), at: time(0)) == .notify)
        // Eight hours later; of the manager's 180 s, half is over.
        #expect(rule.step(PollProgress(due: time(30)), at: time(28_800)) == .withhold(isNews: false))
        #expect(rule.wait(.seconds(180)) == .seconds(22.5))
        #expect(rule.step(PollProgress(due: time(28_830)), at: time(28_822)) == .notify)
        #expect(rule == WatchdogRule())
    }

    @Test func afterAnEndOfTheTroubleTheNextIsSaidAgain() {
        var rule = WatchdogRule()
        let stuck = PollProgress(began: time(0))
        for _ in 0..<3 { _ = rule.step(stuck, at: time(100)) }
        #expect(rule.step(PollProgress(due: time(200)), at: time(150)) == .notify)
        #expect(rule.step(stuck, at: time(300)) == .withhold(isNews: false))
        #expect(rule.step(stuck, at: time(320)) == .withhold(isNews: true))
    }
}

/// The rule with its timer; without a service manager there is nobody to notify.
@Suite(.timeLimit(.minutes(10)))
struct WatchdogTimerTests {
    @LoopActor
    private final class Scene {
        var messages: [String] = []
        var checks = 0
        var progress = PollProgress()

        func log() -> Log {
            Log(least: .debug, output: LineOutput(2)) { entry in
                self.messages += entry.fields.map { text($0) }.filter { $0.hasPrefix("MESSAGE=") }
                return 0
            }
        }

        func watchdog(_ limit: Duration) -> Watchdog {
            Watchdog(
                limit: limit, services: ServiceManager(), log: log(), clock: ReplayClock(.testStart),
                progress: {
                    self.checks += 1
                    return self.progress
                })
        }

        /// Waits for the checks of the timer.
        func wait(_ count: Int) async {
            while checks < count { await Task.yield() }
        }
    }

    @Test func aStallIsLoggedOnceHoweverOftenItIsChecked() async throws {
        try await onLoop {
            let scene = Scene()
            scene.progress.began = Instant.testStart.advanced(bySeconds: -61).boot
            let watchdog = scene.watchdog(.milliseconds(16))
            #expect(scene.checks == 1 && scene.messages.isEmpty, "the first check is at once")
            await scene.wait(6)
            watchdog.stop()
            #expect(scene.messages.count == 1)
            #expect(scene.messages.first?.hasPrefix("MESSAGE=polling has stalled") == true)
        }
    }

    @Test func aDaemonThatPollsIsCheckedWithoutAMessage() async throws {
        try await onLoop {
            let scene = Scene()
            scene.progress.due = Instant.testStart.boot
            let watchdog = scene.watchdog(.milliseconds(4))
            await scene.wait(4)
            watchdog.stop()
            #expect(scene.messages.isEmpty)
        }
    }
}

struct StatusLineTests {
    private func text(_ line: StatusLine) -> String {
        line.text { "\($0.milliseconds)" }
    }

    @Test func itSaysWhatAPersonWantsToKnow() {
        var line = StatusLine(symbols: 450, rules: 12, firing: 2)
        #expect(text(line) == "450 symbols, 12 rules, 2 firing, waiting for the first response")
        line.lastSuccess = WallTime(milliseconds: 1)
        line.nextPoll = WallTime(milliseconds: 2)
        #expect(text(line) == "450 symbols, 12 rules, 2 firing, last poll 1, next 2")
    }

    @Test func withAShortIntervalItIsTheSameAfterEachPoll() {
        var line = StatusLine(symbols: 450, rules: 12, firing: 2, shortInterval: .seconds(1))
        #expect(text(line) == "450 symbols, 12 rules, 2 firing, waiting for the first response, polling every 1s")
        line.lastSuccess = WallTime(milliseconds: 1)
        line.nextPoll = WallTime(milliseconds: 2)
        #expect(text(line) == "450 symbols, 12 rules, 2 firing, polling every 1s")
        line.failure = "connection refused"
        #expect(
            text(line) == "450 symbols, 12 rules, 2 firing, polling every 1s, last poll 1; feed: connection refused")
    }

    @Test func itSaysWhatIsWrong() {
        var line = StatusLine(isSimulated: true, symbols: 1, rules: 1, lastSuccess: WallTime(milliseconds: 1))
        line.failure = "connection refused"
        line.failedReload = WallTime(milliseconds: 3)
        line.trouble = "no room"
        #expect(
            text(line) == "SIMULATED, 1 symbol, 1 rule, 0 firing, last poll 1; reload failed at 3; "
                + "state not saved: no room; feed: connection refused")
    }

    @Test func aTimeIsThatOfTheClockOnTheWall() {
        let shown = localTime(WallTime(milliseconds: 1_790_000_005_999))
        #expect(shown.count == 8 && shown.hasSuffix(":25"), "\(shown)")
    }
}
