import EventLoop
import Glibc
import Market
import Rules
import TestSupport
import Testing

@testable import Delivery

struct JournalEntryTests {
    @Test func allFactsBecomeFields() throws {
        let fields = JournalEntry(try fullEvent()).fields.map(text)
        #expect(
            fields == [
                "MESSAGE=btcinr at 7500100 INR is at or above max 7500000",
                "MESSAGE_ID=905de4d1c9624e7ea3d47c91e82c3708", "PRIORITY=2", "SYSLOG_IDENTIFIER=alertd",
                "ALERTD_EVENT=fired", "ALERTD_RULE=btc band", "ALERTD_SYMBOL=btcinr", "ALERTD_BOUND=max",
                "ALERTD_PRICE=7500100", "ALERTD_LIMIT=7500000.50", "ALERTD_CURRENCY=INR", "ALERTD_NUMBER=7",
                "ALERTD_REASON=already_outside", "ALERTD_SAMPLE_AGE_MS=2123",
            ])
    }

    @Test(
        arguments: zip(EventKind.allCases, ["4", "5", "4", "4", "5", "4", "4", "5", "5", "4", "5", "5"]))
    func whatAnEventDoesNotHaveIsNoField(kind: EventKind, priority: String) {
        let fields = JournalEntry(bareEvent(kind)).fields.map(text)
        #expect(
            fields == [
                "MESSAGE=what it is", "MESSAGE_ID=\(MessageID.of(kind).text)", "PRIORITY=\(priority)",
                "SYSLOG_IDENTIFIER=alertd", "ALERTD_EVENT=\(kind.rawValue)", "ALERTD_NUMBER=1",
            ])
    }

    @Test func theSeverityOfAFiredIsItsPriority() {
        let priorities = Severity.allCases.map { severity in
            var occurrence = bareEvent(.fired).occurrence
            occurrence.severity = severity
            return text(JournalEntry(Event(number: 1, occurrence: occurrence)).fields[2])
        }
        #expect(priorities == ["PRIORITY=6", "PRIORITY=4", "PRIORITY=2"])
    }

    @Test func aMessageIsOneLineAndOtherValuesKeepTheirBytes() {
        var occurrence = bareEvent(.fired, text: "a\nb\u{1B}\u{9B}").occurrence
        occurrence.rule = "two\nlines=\u{0}"
        let fields = JournalEntry(Event(number: 1, occurrence: occurrence)).fields
        #expect(text(fields[0]) == #"MESSAGE=a\nb\u001b\u009b"#)
        #expect(fields.contains(Array("ALERTD_RULE=two\nlines=\u{0}".utf8)))
    }

    @Test func theIdsAre128BitsAndDifferent() {
        let all = MessageID.all
        #expect(all.count == 10 + EventKind.allCases.count)
        #expect(Set(all).count == all.count)
        for id in all {
            #expect(id.text.utf8.count == 32)
            #expect(id.text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test func sendingIsNoFailureWhetherAJournaldListensOrNot() {
        #expect(JournalEntry(message: "a test of alertd sends this", id: nil, priority: 7).send() == 0)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct JournalSinkTests {
    @Test func toldEventsAreSentAndFailuresCounted() async throws {
        let (sent, counters) = try await onLoop {
            var sent: [JournalEntry] = []
            let sink = JournalSink { entry in
                sent.append(entry)
                return sent.count == 2 ? -ENOBUFS : 0
            }
            sink.deliver(bareEvent(.fired, number: 1))
            sink.deliver(bareEvent(.fired, number: 2, told: false))
            sink.deliver(bareEvent(.resolved, number: 3))
            sink.deliver(bareEvent(.rulesChanged, number: 4))
            return (sent.map(\.fields), sink.counters)
        }
        #expect(sent.compactMap { $0.last.map(text) } == ["ALERTD_NUMBER=1", "ALERTD_NUMBER=3", "ALERTD_NUMBER=4"])
        #expect(counters.delivered == 2)
        #expect(counters.failed == 1)
        #expect(counters.lastFailure == "event 3: No buffer space available")
    }
}

@Suite(.timeLimit(.minutes(1)))
struct JournalCursorTests {
    /// Event 3 and what follows would be handed over again, until a later one was.
    @Test func staysBeforeWhatFailedUntilALaterOneWasSent() async throws {
        let cursors = try await onLoop {
            var sent = 0
            let sink = JournalSink { _ in
                sent += 1
                return sent == 2 ? -ENOBUFS : 0
            }
            sink.resume(after: 0)
            return [true, false, true, false, true, false].enumerated().map { index, told in
                sink.deliver(bareEvent(.fired, number: Int64(index + 1), told: told))
                return sink.cursor
            }
        }
        #expect(cursors == [1, 2, 2, 2, 5, 6])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct LogTests {
    @Test func withoutTheJournalAMessageIsOneLineOnStandardError() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            let log = Log(least: .notice, output: LineOutput(pipe.writeEnd), send: nil)
            log.error("cannot reach \u{1B}[31mhost\n<html>")
            log.info("not wanted")
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
            log.warning("feed failed", id: .feedFailed)
            log.debug("detail")
            return sent
        }
        pipe.closeWriteEnd()
        #expect(
            sent == [
                [
                    "MESSAGE=feed failed", "MESSAGE_ID=cab5c414476647ef9d97950645494b45", "PRIORITY=4",
                    "SYSLOG_IDENTIFIER=alertd",
                ],
                ["MESSAGE=detail", "PRIORITY=7", "SYSLOG_IDENTIFIER=alertd"],
            ])
        #expect(pipe.readToEnd().isEmpty)
    }

    @Test func whatTheJournalDoesNotTakeIsNotLost() async throws {
        let pipe = try TestPipe()
        try await onLoop {
            Log(least: .info, output: LineOutput(pipe.writeEnd)) { _ in -ENOBUFS }.error("help")
        }
        pipe.closeWriteEnd()
        #expect(text(pipe.readToEnd()) == "alertd: help\n")
    }
}
