import Control
import Testing

@testable import AlertClient

/// A daemon that goes away after what it was notified to hand over, and does not come back.
@Suite(.timeLimit(.minutes(10)))
struct TailTests {
    private func run(_ line: String, _ replies: [MonitorEventsReply], width: Int? = nil) -> Run {
        let run = Run(width: width)
        run.daemon.monitored = [replies]
        run.daemon.replies[.explain] = ExplainReply(simulated: false, rule: WaitTests.rule, alerts: [])
        run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        #expect(run(line) == 3)
        return run
    }

    private let both = [MonitorEventsReply(event: Sample.event), MonitorEventsReply(event: Sample.resolved)]

    @Test func oneLineAnEventInLocalTime() {
        #expect(
            run("tail", both).output == """
                2026-11-21 07:19:48  #13  FIRED     btc band  btcinr at 7513000.5 INR, max 7500000
                2026-11-21 07:20:18  #14  resolved  eth low  ethusdt is back (not notified: silence 3)

                """)
        #expect(run("tail --utc", both).output.hasPrefix("2026-11-21 06:19:48  #13"))
    }

    @Test func onANarrowTerminalTheTextIsBelow() {
        #expect(
            run("tail", both, width: 60).output == """
                2026-11-21 07:19:48  #13  FIRED     btc band
                    btcinr at 7513000.5 INR, max 7500000
                2026-11-21 07:20:18  #14  resolved  eth low
                    ethusdt is back (not notified: silence 3)

                """)
        #expect(run("tail", both, width: 90).output == run("tail", both).output)
        #expect(run("tail", both, width: 30).output.contains("\n    btcinr at 7513000.5 INR,\n    max 7500000\n"))
    }

    @Test func oneJSONObjectALine() {
        #expect(
            run("tail --json", [both[0]]).output
                == #"{"number":13,"time":"2026-11-21T06:19:48.250Z","kind":"fired","source":null,"rule":"btc band","#
                + #""symbol":"btcinr","bound":"max","severity":"warning","price":"7513000.5","limit":"7500000","#
                + #""currency":"INR","previous":{"price":"7499000","time":"2026-11-21T06:19:18.000Z"},"#
                + #""exchange_time":null,"received":"2026-11-21T06:19:48.000Z","sample_age_ms":250,"notified":true,"#
                + #""reason":null,"conversion":null,"text":"btcinr at 7513000.5 INR, max 7500000","silence":null,"#
                + #""sink":null,"details":null}"#
                + "\n")
    }

    @Test(
        arguments: [
            ("--symbol btcinr", [13]), ("--symbol *usdt", [14]), ("--rule btc", []), ("--kind resolved", [14]),
            ("--kind fired --symbol *", [13]), ("--severity warning", [13]), ("--severity critical", []),
        ] as [(String, [Int])])
    func filters(options: String, numbers: [Int]) {
        let lines = run("tail --plain \(options)", both).output.split(separator: "\n")
        #expect(lines.map { Int($0.prefix { $0 != "\t" }) } == numbers)
    }

    @Test func withoutSuchARuleNothingIsFollowed() {
        let run = Run()
        run.daemon.monitored = [both]
        run.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "btc bnad", suggestion: "btc band"))
        #expect(run(["tail", "--rule", "btc bnad"]) == 4 && run.output.isEmpty)
        #expect(run.errors.contains("there is no rule 'btc bnad'; did you mean 'btc band'?"))
        #expect(run.daemon.monitorParameters.isEmpty)
    }

    @Test func beginsWhereItIsNotified() {
        #expect(run("tail", both).daemon.monitorParameters.map(\.after) == [2])
        #expect(run("tail -n 0", both).daemon.monitorParameters.map(\.after) == [12])
        #expect(run("tail -n 100", both).daemon.monitorParameters.map(\.after) == [0])
        #expect(run("tail --after 5", both).daemon.monitorParameters.map(\.after) == [5])
    }

    @Test func givesUpAfterHalfAMinute() {
        let run = run("tail", both)
        #expect(run.pauses == 30)
        #expect(
            run.errors.hasPrefix(
                "alertctl: lost the connection to the daemon; waiting for it\nalertctl: the daemon is not running"))
    }

    @Test func goesOnBehindTheLastEventAfterARestart() {
        let run = Run()
        run.daemon.monitored = [[both[0]], [both[1]]]
        run.daemon.replies[.status] = Sample.status { $0.lastEvent = 13 }
        run.daemon.connectionErrors =
            [nil, .notRunning(socket: "/s"), nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        #expect(run("tail --after 12") == 3)
        #expect(run.daemon.monitorParameters.map(\.after) == [12, 13])
        #expect(run.output.contains("#13") && run.output.contains("#14"))
    }

    @Test func aDaemonThatLostItsStateIsSaidToHave() {
        let run = Run()
        run.daemon.monitored = [[both[1]], []]
        run.daemon.replies[.status] = Sample.status { $0.lastEvent = 13 }
        run.daemon.answers[.status] = { [daemon = run.daemon] _ in
            Sample.status { $0.lastEvent = daemon.monitorParameters.isEmpty ? 13 : 12 }
        }
        run.daemon.connectionErrors = [nil, nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
        #expect(run("tail -n 0") == 3)
        #expect(run.daemon.monitorParameters.map(\.after) == [13, 2])
        #expect(run.errors.contains("the daemon's last event is #12, but #14 was seen"))
    }

    @Test func tellsWhatWasMissed() {
        let run = run("tail", [MonitorEventsReply(missed: 2), both[0]])
        #expect(run.errors.hasPrefix("alertctl: missed 2 events\n"))
        #expect(run.output.contains("#13"))
    }

    @Test func aSimulatedMarketIsNamedFirst() {
        for (line, isNamed) in [("tail", true), ("tail --json", false)] {
            let run = Run()
            run.daemon.replies[.status] = Sample.status { $0.simulated = true }
            run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: "/s"), count: 60)
            run(line)
            #expect(run.errors.hasPrefix("# SIMULATED") == isNamed, "programs get no comments")
        }
    }

    @Test func whatIsNoFarewellEndsIt() {
        let run = Run()
        run.daemon.errors[.monitorEvents] = .malformed("x")
        #expect(run("tail") == 1)
    }
}
