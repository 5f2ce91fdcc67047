import EventLoop
import Glibc
import Journal
import Market
import Synchronization
import TestSupport
import Testing
import Time

@testable import Delivery

@Suite(.timeLimit(.minutes(10)))
struct LogTests {
    @Test func withoutTheJournalAMessageIsOneLineOnStandardError() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            let log = Log(least: .notice, output: LineOutput(pipe.writeEnd), send: nil)
            log.error("cannot reach \u{1B}[31mhost\n<html>", id: .startFailed)
            log.info("not wanted", id: .started)
            log.notice("reloaded", id: .reloaded)
        }
        pipe.closeWriteEnd()
        #expect(text(pipe.readToEnd()) == "alertd: cannot reach \\u001b[31mhost\\n<html>\nalertd: reloaded\n")
    }

    @Test func withTheJournalAMessageIsARecordAndNoLine() async throws {
        let pipe = try TestPipe()
        let sent = try await onLoop {
            var sent: [[String]] = []
            let log = Log(least: .debug, output: LineOutput(pipe.writeEnd)) { entry in
                sent.append(entry.fields.map(text))
                return 0
            }
            log.warning("feed failed", id: .feedFailed, [.failure: "timeout"])
            log.write(.debug, "detail", id: .historySized)
            return sent
        }
        pipe.closeWriteEnd()
        #expect(
            sent == [
                [
                    "MESSAGE=feed failed", "MESSAGE_ID=cab5c414476647ef9d97950645494b45", "PRIORITY=4",
                    "SYSLOG_IDENTIFIER=alertd", "ALERTD_FAILURE=timeout",
                ],
                [
                    "MESSAGE=detail", "MESSAGE_ID=\(MessageID.historySized.text)", "PRIORITY=7",
                    "SYSLOG_IDENTIFIER=alertd",
                ],
            ])
        #expect(pipe.readToEnd().isEmpty)
    }

    @Test func whatTheJournalDoesNotTakeIsNotLost() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            Log(least: .info, output: LineOutput(pipe.writeEnd)) { _ in -ENOBUFS }.error("help", id: .startFailed)
        }
        pipe.closeWriteEnd()
        #expect(text(pipe.readToEnd()) == "alertd: help\n")
    }

    /// Forty times the same in less than ten minutes: five lines, and one that counts.
    @Test func whatComesAgainAndAgainIsCounted() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            let clock = HandClock()
            let log = Log(least: .notice, output: LineOutput(pipe.writeEnd), clock: clock, send: nil)
            for _ in 0..<40 {
                log.warning("again", id: .limitTooLow)
                clock.milliseconds += 14_000
            }
            log.warning("another", id: .limitTooLow)
            clock.milliseconds += 41_000
            log.warning("again", id: .limitTooLow)
            log.finish()
        }
        pipe.closeWriteEnd()
        let lines = text(pipe.readToEnd()).split(separator: "\n").map { $0.dropFirst("alertd: ".count) }
        #expect(lines.prefix(5) == ["again", "again", "again", "again", "again"])
        #expect(lines.dropFirst(5) == ["another", "again (seen 40 times in 10m1s)", "again"])
    }

    @Test func heldBackEventsAreNotifiedAtTheEnd() async throws {
        let sent = try await onLoop {
            var sent: [[String]] = []
            let log = Log(least: .notice, output: LineOutput(2), clock: HandClock()) { entry in
                sent.append(entry.fields.map(text))
                return 0
            }
            for _ in 0..<7 { log.warning("again", id: .feedFailed, [.failure: "timeout"]) }
            log.finish()
            log.finish()
            return sent
        }
        #expect(sent.count == 6)
        #expect(sent.last?.first == "MESSAGE=again (seen 7 times in 0s)")
        #expect(sent.last?.suffix(2) == ["ALERTD_FAILURE=timeout", "ALERTD_COUNT=7"])
    }

    @Test func aTimerReportsWhatNothingFollows() async throws {
        let notified = try await onLoop {
            let clock = HandClock()
            let notified = OneShot<[String], Never>()
            var last = ""
            let log = Log(least: .notice, output: LineOutput(2), clock: clock) { entry in
                last = entry.fields.first.map(text) ?? ""
                if last.contains("seen") { notified.finish(.success(entry.fields.map(text))) }
                return 0
            }
            for _ in 0..<5 { log.warning("again", id: .feedFailed) }
            // The timer waits for what is left of ten minutes: a millisecond.
            clock.milliseconds += 10 * 60_000 - 1
            log.warning("again", id: .feedFailed)
            clock.milliseconds += 1
            let fields = await notified.wait()
            withExtendedLifetime(log) {}
            return fields
        }
        #expect(notified.first == "MESSAGE=again (seen 6 times in 10m)")
    }
}

struct RepeatLimiterTests {
    private func at(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1_000) }

    @Test func manyDifferentTextsLetTheOldestGo() {
        var limiter = RepeatLimiter<Int>()
        for _ in 0..<6 { _ = limiter.admits(-1, at: at(0)) }
        let admitted = (0..<64).map { limiter.admits($0, at: at(1)) }
        #expect(admitted == [Bool](repeating: true, count: 64))
        #expect(limiter.nextEnd(at: at(1)) == .seconds(599))
        let held = limiter.end(at: at(2))
        #expect(held.map(\.key) == [-1])
        #expect(limiter.nextEnd(at: at(2)) == nil)
        let quiet = limiter.end(at: at(601))
        #expect(quiet.isEmpty)
    }
}

/// A clock that is moved by hand.
private final class HandClock: TimeSource {
    private let time = Mutex<Int64>(0)

    var milliseconds: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    func now() -> Instant {
        Instant(boot: BootTime(milliseconds: milliseconds), wall: WallTime(milliseconds: milliseconds))
    }
}
