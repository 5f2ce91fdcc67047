import AlertClient
import Control
import Testing

/// With several sources, a symbol alone does not say which market it is.
struct SeveralSourcesTests {
    /// Two firing alerts on symbols of the same name.
    private static let alerts = ["wazirx", "kraken"].map { source in
        var alert = Sample.alerts[1]
        alert.source = source
        return alert
    }

    private func run(_ line: String) -> String {
        let run = Run(width: 120)
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: Self.alerts)
        run.daemon.replies[.status] = Sample.status { status in
            status.firing = 2
            status.sources += status.sources
        }
        let rules = ["wazirx", "kraken"].map { source in
            RuleStatus(
                name: "btc band", source: source, symbols: ["btcinr"], condition: "max 7500000",
                conditionText: "max 7500000", severity: .warning, matches: 1, firing: 1, limits: [], state: .ok,
                problems: [])
        }
        run.daemon.replies[.listRules] = ListRulesReply(rules: rules)
        run.daemon.replies[.explain] = ExplainReply(
            simulated: false, rule: rules[0],
            alerts: Self.alerts.map { AlertExplanation(alert: $0, priceTime: nil, facts: [], levels: []) })
        return run.output(line)
    }

    @Test(arguments: ["", "status"]) func theStatusNamesThoseOfFiringAlerts(_ line: String) {
        let output = run(line)
        #expect(output.contains("warning: wazirx:btcinr at ") && output.contains("warning: kraken:btcinr at "))
    }

    @Test func anExplanationNamesIt() {
        let output = run("explain 'btc band'")
        #expect(output.contains("btc band on wazirx:btcinr, max: firing"))
        #expect(output.contains("btc band on kraken:btcinr, max: firing"))
    }

    @Test(arguments: ["limit btcinr", "rules", "alerts"]) func aTableHasAColumnForThem(_ line: String) {
        let lines = run(line).split(separator: "\n")
        #expect(lines.contains { $0.contains("STATE") && $0.contains("SOURCE") })
        #expect(lines.count { $0.hasSuffix("wazirx") } == 1 && lines.count { $0.hasSuffix("kraken") } == 1)
    }

    @Test(arguments: ["limit btcinr", "rules"]) func programsAlwaysGetIt(_ line: String) {
        #expect(run("\(line) --json").contains(#""source":"kraken""#))
    }
}
