import Control
import Testing

@testable import AlertClient

/// `alertctl alerts`: which alerts people are shown.
struct AlertsTests {
    @Test func oneRuleOnly() {
        let run = Run(width: 100)
        var other = Sample.alerts[0]
        other.rule = "other"
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: Sample.alerts + [other])
        #expect(run("alerts --rule other --check") == 0)
        #expect(run.output.contains("other") && !run.output.contains("btc band"))
        let wrong = Run()
        wrong.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "othr", suggestion: "other"))
        #expect(wrong("alerts --rule othr") == 4)
        #expect(wrong.errors.contains("did you mean 'other'?"))
    }

    @Test func theRuleIsShownAtEightyColumns() {
        let run = Run(width: 80)
        var alert = Sample.alerts[1]
        alert.rule = "a rule with quite a long name"
        (alert.silence, alert.silenceEnds) = (3, "2026-11-21T08:00:00.000Z")
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [alert])
        let output = run.output("alerts")
        #expect(output.contains("RULE") && output.contains("a rule with"), "\(output)")
        #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    /// A price next to its limit is not rounded to look equal to it.
    @Test func aPriceCloseToItsLimitIsShownInFull() {
        let run = Run(width: 150)
        var alert = Sample.alerts[1]
        (alert.price, alert.limit, alert.clear) = ("7499999.9999", "7500000", nil)
        var other = alert
        (other.price, other.rule) = ("7499123.4567", "other")
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [alert, other])
        let output = run.output("alerts")
        #expect(output.contains("₹75,00,000.00  ₹74,99,999.9999") && output.contains("₹74,99,123.46"))
    }

    private static func alert(
        _ symbol: String, _ distance: String?, rule: String = "band", bound: ControlInterface.Bound = .max,
        _ state: ControlInterface.AlertState = .inactive
    ) -> AlertStatus {
        AlertStatus(
            rule: rule, source: "wazirx", symbol: symbol, bound: bound, state: state, severity: .warning, limit: "100",
            currency: "INR",
            price: "90", distancePercent: distance, since: Sample.received, disarmed: false)
    }

    private func run(_ alerts: [AlertStatus], _ line: String) -> Run {
        let run = Run()
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        run(line)
        return run
    }

    /// The symbols in the table, from top to bottom.
    private func symbols(_ alerts: [AlertStatus], _ line: String = "alerts --no-header") -> [String] {
        run(alerts, line).output.split(separator: "\n").map { row in
            row.split(separator: " ").map(String.init)
        }.filter { $0.count > 5 && $0[0] != "…" }.map { $0[1] }
    }

    private static let market = [
        alert("far", "5.01"), alert("near", "4.20"), alert("edge", "5.00"), alert("burning", "-9.00", .firing),
        alert("unknown", nil), alert("beyond", "-0.10"), alert("soon", "30.00", .pending),
    ]

    @Test func firingThenPendingThenNearestFirst() {
        #expect(symbols(Self.market) == ["burning", "soon", "beyond", "near", "edge"])
    }

    @Test func itSaysHowManyMoreThereAre() {
        let run = run(Self.market, "alerts")
        #expect(run.output.hasSuffix("\n… and 2 more; 'alertctl alerts --all' shows them\n"))
    }

    @Test(arguments: ["alerts --no-header --all", "alerts --no-header -a", "alerts --no-header --symbol btcinr"])
    func allOfThemIfAsked(line: String) {
        #expect(symbols(Self.market, line) == ["burning", "far", "near", "edge", "unknown", "beyond", "soon"])
        #expect(!run(Self.market, line).output.contains("more;"))
    }

    @Test func programsGetAllOfThem() {
        let json = run(Self.market, "alerts --json").output
        #expect(Self.market.allSatisfy { json.contains("\"symbol\":\"\($0.symbol)\"") })
        #expect(run(Self.market, "alerts --plain").output.split(separator: "\n").count == Self.market.count)
    }

    @Test func atMostTenNearOnesOfEachRule() {
        let many = (0..<30).map { Self.alert("a\($0)", "\(4.0 - Double($0) / 10)") }
        let others = (0..<3).map { Self.alert("b\($0)", "4.5", rule: "other") }
        let shown = symbols(many + others)
        #expect(shown == (20..<30).reversed().map { "a\($0)" } + ["b0", "b1", "b2"])
        #expect(run(many + others, "alerts").output.contains("… and 20 more;"))
    }

    @Test func beyondTheLimitIsNearUnlessItIsACrossing() {
        let alerts = [
            Self.alert("frozen", "-20.00", .frozen), Self.alert("crossed", "-20.00", bound: .crossUp),
            Self.alert("soon", "-4.99", bound: .crossDown), Self.alert("expired", "-1.00", .expired),
            Self.alert("crossing", "4.98", bound: .crossUp),
        ]
        #expect(symbols(alerts) == ["crossing", "soon", "frozen"])
    }

    @Test func nothingThatFiresIsEverLeftOut() {
        let many = (0..<30).map { Self.alert("a\($0)", "-1.00", .firing) }
        #expect(symbols(many).count == 30)
    }

    @Test func whenNothingIsNear() {
        let output = run([Self.alert("far", "50.00")], "alerts").output
        #expect(
            output.hasSuffix(
                """
                No alert is firing, pending or near its limit.
                … and 1 more; 'alertctl alerts --all' shows them

                """))
        #expect(run([], "alerts").output.hasSuffix("No alerts match.\n"))
    }

    @Test func theCheckLooksAtAllOfThem() {
        let run = Run()
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: Self.market)
        #expect(run("alerts --check -q") == ExitCode.firing.rawValue)
    }

    @Test func aSilencedFiringNamesItsSilenceOnce() {
        var alert = Self.alert("btcinr", "-1.00", .firing)
        alert.note = "not notified: silenced"
        alert.silence = 3
        alert.silenceEnds = "2026-11-21T07:00:00.000Z"
        let output = run([alert], "alerts").output
        #expect(output.contains("silenced by 3 until 08:00:00"))
        #expect(!output.contains("not notified"))
        alert.acknowledgedBy = "anna"
        #expect(run([alert], "alerts").output.contains("acknowledged by anna; silenced by 3"))
    }

    @Test func aWordOfALaterVersionIsShownSafely() {
        let output = run([Self.alert("btcinr", "1.00", .unknown("paused\u{1B}[31m"))], "alerts").output
        #expect(output.contains("paused\\"))
        #expect(!output.contains("\u{1B}"))
    }
}
