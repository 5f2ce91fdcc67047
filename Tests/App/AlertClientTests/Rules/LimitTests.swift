import AlertClient
import Control
import Testing

struct LimitTests {
    private static let override = OverrideStatus(
        rule: "btc band", symbol: "btcinr", bound: .max, limit: "7600000", settingsLimit: "7500000", currency: "INR",
        by: "alice", user: 1_000, since: Sample.received, state: .inEffect)

    private func run(width: Int? = 100) -> Run {
        let run = Run(width: width)
        var alerts = Sample.alerts
        alerts[1].limit = "7600000"
        alerts[1].override = Self.override
        alerts[1].distancePercent = "1.16"
        alerts[1].state = .inactive
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        run.daemon.replies[.setLimit] = SetLimitReply(
            simulated: false, changes: [LimitChangeStatus(override: Self.override, before: "7500000")], saved: true)
        run.daemon.replies[.listOverrides] = ListOverridesReply(overrides: [Self.override])
        run.daemon.replies[.resetLimits] = ResetLimitsReply(reset: [Self.override], saved: true)
        return run
    }

    @Test func theLimitsOfASymbolWithTheDistanceToEach() {
        let lines = run(width: 150).output("limit BTCINR").split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(
            lines == [
                "RULE BOUND LIMIT AWAY AWAY % CLEARS AT PRICE STATE CHANGED",
                "btc band min ₹48,00,000.00 ₹27,13,000.50 36.11 - ₹75,13,000.50 inactive",
                "btc band max ₹76,00,000.00 ₹86,999.50 1.16 ₹74,62,500.00 ₹75,13,000.50 inactive by alice at 07:19:48; "
                    + "configured: ₹75,00,000.00",
            ])
    }

    @Test func aLimitIsChanged() {
        let run = run()
        #expect(
            run.output("limit BTCINR --rule band --max -2%")
                == """
                btcinr, max of 'btc band': ₹76,00,000.00, was ₹75,00,000.00
                'alertctl limit reset btcinr' restores the configured limits.

                """)
        #expect(
            run.daemon.parameters.last as? SetLimitParameters
                == SetLimitParameters(symbol: "btcinr", rule: "band", max: "-2%"))
        let json = self.run(width: nil).output("limit btcinr --max 7600000 --json")
        #expect(json.contains(#""limit":"7600000","before":"7500000","settings_limit":"7500000""#))
    }

    @Test func changedLimitsAreListed() {
        let run = run()
        #expect(
            run.output("limit list")
                == """
                RULE      SYMBOL  BOUND          LIMIT     CONFIGURED  BY     SINCE     STATE
                btc band  btcinr  max    ₹76,00,000.00  ₹75,00,000.00  alice  07:19:48  in effect

                """)
        var sleeping = Self.override
        (sleeping.state, sleeping.settingsLimit) = (.noRule, nil)
        run.daemon.replies[.listOverrides] = ListOverridesReply(overrides: [sleeping])
        #expect(run.output("limit list").contains("not in effect:  no such rule"))
    }

    @Test func changedLimitsAreReset() {
        let run = run()
        #expect(
            run.output("limit reset BTCINR --rule band")
                == "btcinr, max of 'btc band': restored to ₹75,00,000.00\n")
        #expect(
            run.daemon.parameters.last as? ResetLimitsParameters
                == ResetLimitsParameters(symbol: "btcinr", rule: "band"))
        run("limit reset --all")
        #expect(run.daemon.parameters.last as? ResetLimitsParameters == ResetLimitsParameters(all: true))
        run.daemon.replies[.resetLimits] = ResetLimitsReply(reset: [], saved: true)
        #expect(run.output("limit reset --all").hasSuffix("No changed limits match.\n"))
    }

    @Test(arguments: [
        "limit", "limit btcinr --max ten", "limit btcinr --max 7,600,000", "limit reset", "limit reset --max 5",
        "limit list --min 5",
    ])
    func wrongWordsAreAWrongUse(line: String) {
        let run = run()
        #expect(run(line) == 2)
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func whatIsNotSavedYetIsSaid() {
        let run = run()
        run.daemon.replies[.resetLimits] = ResetLimitsReply(reset: [Self.override], saved: false)
        #expect(run("limit reset --all") == 0)
        #expect(run.errors.contains("cannot be written now"))
    }

    @Test func aRefusalSaysWhy() {
        let run = run()
        run.daemon.errors[.setLimit] = .refused(Refused(message: "several rules; choose one with --rule"))
        #expect(run("limit btcinr --max 5") == 1)
        #expect(run.errors == "alertctl: several rules; choose one with --rule\n")
    }

    @Test func otherCommandsShowWhoChangedALimit() {
        #expect(
            run(width: 200).output("alerts --all").contains("limit set by alice at 07:19:48; configured: ₹75,00,000.00")
        )
        #expect(run(width: nil).output("alerts --json").contains(#""limit_by":"alice""#))
        let rules = run(width: 200)
        rules.daemon.replies[.listRules] = ListRulesReply(rules: [
            RuleStatus(
                name: "btc band", symbols: ["btcinr"], condition: "max 7500000", severity: .warning, matches: 1,
                firing: 0, limits: [], state: .ok, problems: [], overrides: [Self.override])
        ])
        #expect(rules.output("rules").contains("btcinr max 7600000 by alice"))
        #expect(!Run(width: 200).output("rules").contains("CHANGED"))
    }
}
