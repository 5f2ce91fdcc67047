import Configuration
import Events
import Market
import Notifications
import Receivers
import Replay
import Rules
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

/// What Alertmanagers are sent besides events.
@Suite("What receivers ask", .timeLimit(.minutes(10)))
struct ReceiverHostTests {
    private func rule(_ severity: Severity) throws -> Rule {
        var rule = try SmallDaemon.rule()
        rule.severity = severity
        return rule
    }

    /// The severity of the event, and that of reminders, which no event has.
    @Test func formerSeveritiesSurviveRestarts() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let expected: [(Severity, [Severity])] = [
                (.warning, []), (.critical, [.warning]), (.critical, [.warning]), (.warning, [.critical]),
            ]
            for (place, (severity, former)) in expected.enumerated() {
                let time = SmallDaemon.start.advanced(bySeconds: Int64(place) * 60)
                let daemon = try SmallDaemon(folder, rules: [rule(severity)], at: time)
                try daemon.poll("150")
                let reminder = try #require(daemon.host.firingEvents().first)
                #expect(reminder.occurrence.severity == severity)
                #expect(daemon.host.formerSeverities(of: reminder) == former, "\(place)")
                daemon.pipeline.stateStore.close()
            }
        }
    }

    /// A silence holds back the end of a rule, and nothing reports it later.
    @Test func theEndOfARuleInASilenceIsKnownAfterIt() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let daemon = try SmallDaemon(folder)
            try daemon.poll("150")
            try daemon.silence(100)
            #expect(daemon.host.suppressedEnds().isEmpty)
            _ = daemon.pipeline.reload(Settings())
            #expect(daemon.story.contains("resolved:rule_removed:suppressed:1"), "\(daemon.story)")
            #expect(daemon.host.suppressedEnds().isEmpty)
            daemon.wait(101)
            let end = try #require(daemon.host.suppressedEnds().first?.occurrence)
            #expect(end.kind == .resolved && end.reason == .ruleRemoved && end.notified)
            daemon.pipeline.stateStore.close()
            // It is known after a restart as well, until the rule fires again.
            let later = daemon.now
            let next = try SmallDaemon(folder, at: later)
            #expect(next.host.suppressedEnds().map(\.number) == [daemon.host.suppressedEnds()[0].number])
            try next.poll("150")
            #expect(next.host.suppressedEnds().isEmpty)
            try next.poll("50")
            #expect(next.host.suppressedEnds().isEmpty)
        }
    }

    /// Only for as long as an Alertmanager shows it.
    @Test func oldEndsAreForgotten() async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest())
            try daemon.poll("150")
            try daemon.silence(100)
            _ = daemon.pipeline.reload(Settings())
            daemon.wait(86_399)
            #expect(daemon.host.suppressedEnds().count == 1)
            daemon.wait(2)
            #expect(daemon.host.suppressedEnds().isEmpty)
        }
    }

    /// The failure of a receiver lasts until that receiver accepts notifications again.
    @Test func eachFailedReceiverIsReportedUntilItRecovers() async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest())
            let failed = { daemon.host.firingEvents().compactMap(\.occurrence.details.receiver) }
            daemon.pipeline.report(.receiverFailed, of: "phone", "receiver phone has failed")
            daemon.pipeline.report(.receiverFailed, of: "mail", "receiver mail has failed")
            #expect(failed() == ["phone", "mail"])
            daemon.pipeline.report(.receiverRecovered, of: "phone", "receiver phone accepts notifications again")
            #expect(failed() == ["mail"])
        }
    }

    /// Nobody was notified of it, so that nothing is to end.
    @Test func theEndOfASilencedFiringIsNone() async throws {
        try await onLoop {
            let daemon = try SmallDaemon(StateFolderForTest())
            try daemon.silence(100)
            try daemon.poll("150 50")
            daemon.wait(101)
            #expect(daemon.story.contains("resolved:fired_suppressed:suppressed"), "\(daemon.story)")
            #expect(daemon.host.suppressedEnds().isEmpty)
        }
    }

    /// A message of two alerts stays open while one of them fires; each alert has its own message once it is repeated.
    @Test func aMessageEndsWithTheLastOfItsAlerts() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let hook = Receiver(name: "phone", kind: .webhook, urls: ["http://127.0.0.1/phone"])
            let receivers = NotificationService(
                ReceiverRouting(receivers: [hook]), NotificationEnvironment(clock: ReplayClock(SmallDaemon.start)))
            var rules = try ["low", "high"].map { try SmallDaemon.rule($0) }
            rules[1].condition = .band(try Band(min: nil, max: Price("200")))
            for index in rules.indices { rules[index].severity = .critical }
            let daemon = try SmallDaemon(folder, rules: rules, receivers: receivers)
            try daemon.poll("250")
            let database = try Database(path: folder.path + "/alertd.db", mode: .readWrite)
            try database.run("UPDATE notification SET state = 'delivered', detail = 'message R1'")
            let ends = {
                daemon.pipeline.events(after: 0, limit: 100).events.filter { $0.occurrence.kind == .resolved }
            }
            try daemon.poll("150")
            #expect(ends().map(\.occurrence.rule) == ["high"])
            #expect(daemon.host.endedMessages(by: ends(), at: "phone").isEmpty)
            #expect(daemon.host.previousMessage(before: ends()[0], at: "phone") == "R1")
            try daemon.poll("50")
            #expect(ends().map(\.occurrence.rule) == ["high", "low"])
            #expect(daemon.host.endedMessages(by: ends(), at: "phone") == ["R1"])
            #expect(daemon.host.endedMessages(by: [ends()[1]], at: "phone") == ["R1"])
            #expect(daemon.host.endedMessages(by: ends(), at: "other").isEmpty)
        }
    }

    /// A failure is open until it has been reported as over, and only for its receiver.
    @Test func theOpenFailureOfAReceiverIsKnown() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let daemon = try SmallDaemon(folder)
            daemon.pipeline.report(.receiverFailed, of: "phone", "receiver phone has failed: refused")
            #expect(daemon.host.openFailure(of: "phone") == "receiver phone has failed: refused")
            #expect(daemon.host.openFailure(of: "mail") == nil)
            daemon.pipeline.stateStore.close()
            let next = try SmallDaemon(folder, at: daemon.now)
            #expect(next.host.openFailure(of: "phone") == "receiver phone has failed: refused")
            next.pipeline.report(.receiverRecovered, of: "phone", "receiver phone accepts notifications again")
            #expect(next.host.openFailure(of: "phone") == nil)
        }
    }

    /// A start that finds a rule removed knows from the state file who was notified of what fired: of the last firing
    /// and of its repetitions.
    @Test func theReceiversOfAFiringSurviveARestart() async throws {
        try await onLoop {
            let folder = StateFolderForTest()
            let hooks = ["a", "b", "c"].map { Receiver(name: $0, kind: .webhook, urls: ["http://127.0.0.1/\($0)"]) }
            let routes = { ReceiverRouting(receivers: hooks, receiversOfRules: ["band": $0]) }
            let receivers = NotificationService(
                routes(["c"]), NotificationEnvironment(clock: ReplayClock(SmallDaemon.start)))
            let rules = try ["band", "kept"].map { try SmallDaemon.rule($0, repeatAfter: .seconds(60)) }
            let daemon = try SmallDaemon(folder, rules: rules, receivers: receivers)
            // An earlier firing went elsewhere.
            try daemon.poll("150 50")
            receivers.replace(routes(["a"]))
            try daemon.poll("150")
            receivers.replace(routes(["b"]))
            try daemon.poll("150 150")
            daemon.pipeline.stateStore.close()
            let next = try SmallDaemon(folder, rules: [rules[1]], at: daemon.now)
            let events = next.pipeline.events(after: 0, limit: 100).events
            let end = try #require(events.last { $0.occurrence.reason == .ruleRemoved })
            #expect(next.host.receiversOfFirings(endedBy: [end]) == [end.number: ["a", "b"]])
        }
    }
}
