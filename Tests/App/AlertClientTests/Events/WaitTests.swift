import Control
import Testing
import Time

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct WaitTests {
    static let rule = RuleStatus(
        name: "btc band", source: "wazirx", symbols: ["btcinr"], condition: "max 7500000",
        conditionText: "max ₹75,00,000.00",
        severity: .warning, matches: 1, firing: 1, limits: [], state: .ok, problems: [])

    private func run(_ line: String, _ replies: [[MonitorEventsReply]]) -> (code: Int32, Run) {
        let run = Run()
        run.daemon.answers[.explain] = { _ in
            ExplainReply(simulated: false, rule: Self.rule, alerts: [])
        }
        run.daemon.monitored = replies
        return (run(line), run)
    }

    private let both = [MonitorEventsReply(event: Sample.resolved), MonitorEventsReply(event: Sample.event)]

    @Test func theFirstMatchingEventEndsIt() {
        let named = Run()
        named.daemon.monitored = [both]
        named.daemon.replies[.explain] = ExplainReply(simulated: false, rule: Self.rule, alerts: [])
        #expect(named(["wait", "--rule", "btc band", "--json"]) == 0)
        #expect(named.output.hasPrefix("{\"number\":13,") && named.output.split(separator: "\n").count == 1)
        let found = self.run("wait --kind fired --plain", [both + both])
        #expect(found.code == 0)
        #expect(found.1.output.split(separator: "\n").count == 1 && found.1.output.hasPrefix("13\t"))
        #expect(found.1.daemon.monitorParameters.map(\.after) == [12], "only new events count")
        #expect(self.run("wait --after 3", [both]).1.daemon.monitorParameters.map(\.after) == [3])
    }

    @Test func withoutAnEventInTimeItSaysSo() {
        let (code, run) = run("wait --symbol nosuch --timeout 1h", [both])
        #expect(code == 8 && run.output.isEmpty)
        #expect(run.errors == "alertctl: no such event within 1h\n")
    }

    @Test func programsGetAnError() {
        let run = Run()
        run.daemon.replies[.status] = Sample.status { $0.simulated = true }
        run.daemon.monitored = [both]
        #expect(run("wait --symbol nosuch --timeout 1h --json") == 8 && run.output.isEmpty)
        #expect(
            run.errors == #"{"error":{"code":"no_event","exit_code":8,"message":"no such event within 1h"}}"# + "\n")
    }

    /// What is left of the limit when the daemon is asked is no longer the whole of it.
    @Test func theWholeLimitIsNamed() {
        let run = Run()
        var now = Sample.now
        run.environment.now = {
            now = WallTime(milliseconds: now.milliseconds + 1)
            return now
        }
        #expect(run("wait --timeout 1s") == 8)
        #expect(run.errors == "alertctl: no such event within 1s\n")
    }

    @Test func aDaemonThatDoesNotRespondIsNoLackOfEvents() {
        let run = Run()
        run.daemon.errors[.status] = .timedOut(.seconds(1))
        #expect(run("wait --timeout 1s") != 0)
        #expect(!run.errors.contains("no such event") && run.errors.contains("1s"), "\(run.errors)")
    }

    /// The limit holds across a restart of the daemon as well.
    @Test func timeGoesOnWhileTheDaemonIsAway() {
        let run = Run()
        var now = Sample.now
        run.environment.now = { now }
        run.environment.pause = { now = WallTime(milliseconds: now.milliseconds + $0.count) }
        run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        run.daemon.errors[.monitorEvents] = .closed
        #expect(run("wait --timeout 5s") == 8)
        #expect(now.since(Sample.now) == .seconds(5))
    }

    @Test func anUnknownRuleIsRefusedAtOnce() {
        let run = Run()
        run.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "x", suggestion: "y"))
        #expect(run("wait --rule x") == 4 && run.daemon.monitorParameters.isEmpty)
    }
}
