import Control
import Diagnostics
import Market
import Testing
import Time

@testable import AlertClient

struct ExitCodeTests {
    @Test func allIsWell() {
        for line in ["", "status", "list", "show btcinr", "alerts", "rules", "reload", "poll", "version", "help"] {
            let run = Run()
            #expect(run(line) == 0)
            #expect(run.errors == "")
        }
    }

    @Test func theCommandLineMakesNoSense() {
        let lines = [
            "lst", "list --srot", "list --sort colour", "show", "list --top x", "list --top -1",
            "status --timeout soon",
            "status --csv --plain", "completion csh", "tail --symbol a-b", "help lits", "config",
        ]
        for line in lines {
            let run = Run()
            #expect(run(line) == 2, "\(line)")
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("alertctl: "))
        }
    }

    /// The output would otherwise be taken for one in the requested format.
    @Test(arguments: [
        "completion bash", "help", "report -", "web", "watch", "notify", "chart btcinr --svg -",
    ])
    func aFormatThatACommandDoesNotHaveIsRefused(line: String) {
        for option in ["--csv", "--plain", "--json"] {
            let run = Run()
            #expect(runClient(line.split(separator: " ").map(String.init) + [option], in: run.environment) == 2)
            #expect(run.output == "" && run.errors.contains("omit \(option)"), "\(run.errors)")
            #expect(run.daemon.asked.isEmpty)
        }
    }

    @Test(arguments: ["", "status", "list --plain", "show btcinr", "alerts --check", "rules", "tail", "reload", "poll"])
    func theDaemonIsNotRunning(line: String) {
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/run/x/\u{1B}]y")]
        #expect(run(line) == 3)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("alertctl: the daemon is not running: nothing is listening on /run/x/\\u{1b}]y\n"))
        #expect(run.errors.contains("systemctl start alertd"))
        #expect(run.errors.contains("alertd --config FILE"))
    }

    @Test func aServiceThatFailsOnItsSettingsIsNotRunningForThat() {
        let place = SourcePosition(file: "/etc/alertd/alertd.toml", line: 3, column: 5)
        let findings = [
            Finding(.warning, at: place, "odd"), Finding(.error, at: place, "unknown key `x`", advice: "remove it"),
            Finding(.error, at: place, "another"),
        ]
        func errors(_ socket: String, exists: Bool, _ findings: [Finding]) -> String {
            let run = Run(findings: findings)
            run.environment.exists = { _ in exists }
            run.daemon.connectionErrors = [.notRunning(socket: socket)]
            #expect(run("status") == 3)
            return run.errors
        }
        let text =
            "It cannot start with its settings: /etc/alertd/alertd.toml:3:5: unknown key `x`; remove it; "
            + "'alertctl check' shows all 2 errors\n"
        #expect(errors(Context.defaultSocket, exists: true, findings).hasSuffix(text))
        #expect(!errors(Context.defaultSocket, exists: true, [findings[0]]).contains("settings:"))
        #expect(!errors(Context.defaultSocket, exists: false, findings).contains("settings:"))
        #expect(!errors("/run/other", exists: true, findings).contains("settings:"))
    }

    @Test func whatFiresIsNamedTheMostSevereAndFurthestFirst() {
        func alert(_ rule: String, _ severity: ControlInterface.Severity, _ distance: String) -> AlertStatus {
            var alert = Sample.alerts[1]
            (alert.rule, alert.severity, alert.distancePercent) = (rule, severity, distance)
            return alert
        }
        // Inside of a zone, there is no limit that the price is beyond.
        var zone = alert("z", .critical, "-99")
        zone.bound = .within
        let alerts = [
            alert("a", .info, "-90"), alert("b", .warning, "-0.17"), alert("c", .critical, "0.00"),
            alert("d", .warning, "-5"), alert("e", .critical, "-1"), zone,
        ]
        func run(_ line: String, firing: Int = 5) -> String {
            let run = Run(width: 120)
            run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
            run.daemon.replies[.status] = Sample.status { $0.firing = firing }
            return run.output(line)
        }
        let short = run("")
        #expect(
            short.contains(
                """
                Firing:
                  critical: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'e', 1% beyond
                  critical: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'c'
                  critical: btcinr at ₹75,13,000.50, within ₹75,00,000.00 of rule 'z'
                  … and 3 more; 'alertctl alerts --firing' shows them

                """), "\(short)")
        #expect(run("status").contains("of rule 'a', 90% beyond"))
        #expect(run("status").contains("within ₹75,00,000.00 of rule 'z'\n"))
        #expect(!run("", firing: 0).contains("Firing:"))
        #expect(run("status --json").contains("\"firing_alerts\":[\"critical: btcinr"))
    }

    @Test func withoutRulesItSaysHowToWriteOne() {
        let run = Run(width: 120)
        run.daemon.replies[.status] = Sample.status {
            $0.rules = 0
            $0.firing = 0
        }
        let output = run.output("")
        #expect(
            output.contains("there are no rules, so no alerts will be sent") && output.contains("'alertctl rule add"))
    }

    @Test func errorsAreJSONForPrograms() {
        let run = Run()
        run.daemon.errors[.getSymbol] = .noSuchSymbol(NoSuchSymbol(symbol: "btcin", suggestion: "btcinr"))
        #expect(run("show btcin --json") == 4 && run.output.isEmpty)
        #expect(
            run.errors
                == #"{"error":{"code":"no_such_symbol","exit_code":4,"message":"there is no symbol 'btcin'; "#
                + #"did you mean btcinr?","suggestion":"btcinr"}}"# + "\n")
        for (line, code, exitCode) in [
            ("lst --json", "usage", 2), ("list --top x --json", "usage", 2),
            ("list --json --currency EURO", "usage", 2),
        ] as [(String, String, Int32)] {
            let wrong = Run()
            #expect(wrong(line) == exitCode && wrong.output.isEmpty)
            #expect(wrong.errors.hasPrefix("{\"error\":{\"code\":\"\(code)\",\"exit_code\":\(exitCode),\"message\":\""))
            #expect(!wrong.errors.contains(#"\\n"#), "a line end is not a backslash")
            #expect(wrong.errors.hasSuffix("}}\n") && !wrong.errors.contains("alertctl: "))
        }
        let quoted = Run(variables: ["LC_ALL": "C"])
        quoted.daemon.errors[.arm] = .refused(Refused(message: "rule “a”"))
        #expect(quoted("arm a --json") == 1)
        #expect(quoted.errors.contains("\"message\":\"rule “a”\""), "it stays valid JSON")
        let away = Run()
        away.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(away("status --json") == 3 && away.errors.contains("\"code\":\"not_running\""))
    }

    @Test func thereIsNoSuchSymbol() {
        let run = Run()
        run.daemon.errors[.getSymbol] = .noSuchSymbol(NoSuchSymbol(symbol: "btcin", suggestion: "btcinr"))
        #expect(run("show btcin") == 4)
        #expect(run.errors == "alertctl: there is no symbol 'btcin'; did you mean btcinr?\n")
    }

    @Test func anAlertFires() {
        #expect(Run()("status --check") == 5)
        #expect(Run()("alerts --check") == 5)
    }

    @Test func pricesAreStale() {
        for line in ["status --check", "alerts --check"] {
            let run = Run()
            run.daemon.replies[.status] = Sample.status {
                $0.firing = 0
                $0.feed.stale = true
            }
            run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [Sample.alerts[0]])
            #expect(run(line) == 7)
        }
    }

    /// A container that restarts whenever a price reaches a limit would be useless.
    @Test func aFiringAlertIsHealthy() {
        #expect(Run()("status --check") == 5)
        #expect(Run()("status --healthy") == 0)
        let run = Run()
        run.daemon.replies[.status] = Sample.status { $0.feed.stale = true }
        #expect(run("status --healthy") == 7)
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("status --healthy") == 3)
    }

    @Test func withoutACheckNeitherCounts() {
        let run = Run()
        run.daemon.replies[.status] = Sample.status { $0.feed.stale = true }
        #expect(run("status") == 0)
        #expect(run("alerts") == 0)
    }

    @Test func whatIsNotSavedIsSaid() {
        let run = Run(width: 120)
        run.daemon.replies[.status] = Sample.status {
            $0.store.state = .degraded
            $0.store.message = "disk full; make room"
            $0.store.since = Sample.received
            $0.store.unsaved = 3
        }
        let text = run.output("status")
        #expect(
            text.hasPrefix("● alertd 0.1.0 running, state not saved since Sat 2026-11-21 07:19:48 CET; 12s ago\n"))
        #expect(text.contains("Store: degraded, 3 events not saved"))
        #expect(text.contains("  state has not been saved for 12s: disk full; make room; you are still"))
    }

    /// The time is that of the last data, not of the daemon's start.
    @Test func theHeadlineSaysSinceWhenDataIsMissing() {
        let headline = { (change: (inout DaemonStatus) -> Void) in
            let run = Run(width: 120)
            run.daemon.replies[.status] = Sample.status(change)
            return run.output("status")
        }
        let stale = headline { $0.feed.stale = true }
        #expect(stale.hasPrefix("● alertd 0.1.0 running, prices stale since Sat 2026-11-21 07:19:48 CET; 12s ago\n"))
        #expect(stale.contains("Started: 05:05:00, 2h15m ago"))
        #expect(
            headline { $0.feed.consecutiveFailures = 2 }
                .hasPrefix("● alertd 0.1.0 running, no data since Sat 2026-11-21 07:19:48 CET"))
        let never = headline {
            $0.feed.stale = true
            $0.feed.lastSuccess = nil
        }
        #expect(never.hasPrefix("● alertd 0.1.0 running, prices stale since Sat 2026-11-21 05:05:00 CET"))
        #expect(!Run(width: 120).output("status").contains("Started:"))
    }

    /// One failed request is enough, of whichever source.
    @Test func theHeadlineNamesTheSourceThatFails() {
        let run = Run(width: 120)
        run.daemon.replies[.status] = Sample.status { status in
            var other = status.feed
            (other.source, other.consecutiveFailures) = ("kraken", 1)
            status.sources = [status.feed, other]
        }
        #expect(run.output("status").hasPrefix("● alertd 0.1.0 running, no data from kraken since "), "\(run.output)")
    }

    @Test func theSettingsAreBad() {
        let finding = Finding(
            .error, at: SourcePosition(file: "a.toml", line: 3, column: 7), "unknown key \u{1B}[2J",
            advice: "did you mean min?", sourceLine: "mni = 1")
        let run = Run(findings: [finding])
        #expect(run("config check a.toml") == 6)
        #expect(run.output.hasPrefix("a.toml:3:7: error: unknown key \\u{1b}[2J; did you mean min?\n"))
        #expect(run.output.hasSuffix("\n1 error\n"))
        let json = Run(findings: [finding]).output("config check a.toml --json")
        #expect(
            json == #"{"file":"a.toml","good":false,"findings":[{"severity":"error","file":"a.toml","line":3,"#
                + #""column":7,"message":"unknown key \u001b[2J","advice":"did you mean min?"}]}"# + "\n")
    }

    @Test func warningsAloneAreGoodSettings() {
        #expect(Run(findings: [Finding(.warning, at: nil, "no rules")])("config check") == 0)
        #expect(Run().output("config check") == "/etc/alertd/alertd.toml: no errors\n")
    }

    @Test func aReloadWithErrorsChangesNothing() {
        let run = Run()
        run.daemon.errors[.reload] = .reloadFailed(ReloadFailed(findings: ["a.toml:1:1: error: no", "    x", "    ^"]))
        #expect(run("reload") == 6)
        #expect(
            run.errors
                == "alertctl: nothing was changed because the settings contain errors:\na.toml:1:1: error: no\n"
                + "    x\n    ^\n"
        )
    }

    @Test func noAnswerInTime() {
        let run = Run()
        run.daemon.errors[.status] = .timedOut(.seconds(2))
        #expect(run("status --timeout 2s") == 8)
        #expect(run.target?.timeout == .seconds(2))
        #expect(run.errors.contains("did not respond within 2s"))
    }

    @Test func notAllowed() {
        let run = Run()
        run.daemon.connectionErrors = [.socketDenied(socket: "/run/a")]
        #expect(run("list") == 77)
        #expect(run.errors.contains("--groups alertd"))
        let other = Run()
        other.daemon.errors[.reload] = .callDenied
        #expect(other("reload") == 77)
        #expect(other.errors.contains("alertd-admin"))
    }

    @Test func whatElseGoesWrong() {
        let errors: [ClientError] = [
            .closed, .connection("x"), .malformed("x"), .remote(name: "x"),
            .pollTooSoon(PollTooSoon(retryAfterMilliseconds: 7_000)),
            .pollTooSoon(PollTooSoon(retryAfterMilliseconds: .max, notBefore: "2026-11-21T06:20:05Z")),
        ]
        for error in errors {
            let run = Run()
            run.daemon.errors[.poll] = error
            #expect(run("poll") == 1)
            #expect(!run.errors.isEmpty)
        }
    }

    @Test func aFailedPollIsAFailure() {
        let run = Run()
        run.daemon.replies[.poll] = PollReply(
            result: PollResult(
                state: .refused, message: "nobody there", symbols: 0, badElements: 0, durationMilliseconds: 3,
                events: 0))
        #expect(run("poll") == 1)
        #expect(run.output == "The poll failed: nobody there\n")
    }

    @Test func quietSaysNothingButErrors() {
        let run = Run()
        #expect(run("status --check -q") == 5)
        #expect(run.output == "")
    }
}
