import AlertClient
import Control
import Testing

struct LimitTests {
    private static let override = OverrideStatus(
        rule: "btc band", source: "wazirx", symbol: "btcinr", bound: .max, limit: "7600000", settingsLimit: "7500000",
        currency: "INR",
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
                "RULE BOUND LIMIT DISTANCE DISTANCE % RESOLVES AT PRICE STATE CHANGED",
                "btc band min ₹48,00,000.00 ₹27,13,000.50 36.11 - ₹75,13,000.50 inactive",
                "btc band max ₹76,00,000.00 ₹86,999.50 1.16 ₹74,62,500.00 ₹75,13,000.50 inactive "
                    + "by alice at 07:19:48; "
                    + "configured: ₹75,00,000.00",
            ])
    }

    @Test func limitsInSeveralCurrenciesSayWhichAtEightyColumns() {
        let run = run(width: 80)
        var alerts = [Sample.alerts[0], Sample.alerts[1]]
        (alerts[0].limit, alerts[0].currency, alerts[0].price) = ("150000", "SEK", "751300")
        (alerts[1].limit, alerts[1].override) = ("1278000", nil)
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: alerts)
        var rates = Sample.rates
        rates.rates = [("INR", "100"), ("SEK", "10")].map { ReferenceRate(currency: $0, rate: $1) }
        run.daemon.replies[.rates] = rates
        let output = run.output("limit btcinr --currency SEK")
        #expect(output.contains("150 000,00 kr".replacing(" ", with: "\u{A0}")))
        #expect(output.contains("₹12,78,000.00"))
        #expect(!output.contains("Prices in"), "limits and prices are in the currencies of their rules")
    }

    @Test func anUnchangedLimitSaysSo() {
        let run = run()
        run.daemon.replies[.setLimit] = SetLimitReply(
            simulated: false, changes: [LimitChangeStatus(override: Self.override, before: "7600000")], saved: true)
        let output = run.output("limit btcinr --max 7600000")
        #expect(output.hasPrefix("btcinr, max of 'btc band': ₹76,00,000.00, as before\n"))
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
            run.daemon.parameters.first as? SetLimitParameters
                == SetLimitParameters(symbol: "btcinr", rule: "band", max: "-2%"))
        let json = self.run(width: nil).output("limit btcinr --max 7600000 --json")
        #expect(json.contains(#""limit":"7600000","before":"7500000","settings_limit":"7500000""#))
    }

    /// What is shown can be typed, and an amount with a currency is that amount.
    @Test(arguments: [
        ("--max 7600000", "7600000", nil), ("--max ₹76,00,000.00", "7600000.00", "INR"),
        ("--max 12000SEK", "12000", "SEK"), ("--max 12000 --currency sek", "12000", "SEK"),
        ("--max 12000kr --currency SEK", "12000", "SEK"), ("--max +500 --currency USD", "+500", "USD"),
        ("--max -500USD", "-500", "USD"), ("--max +2% --currency USD", "+2%", nil), ("--max 1000,5", "1000.5", nil),
        ("--max $5 --currency SEK", "5", "USD"),
    ])
    func anAmountMayNameItsCurrency(_ options: String, _ max: String, _ currency: String?) {
        let run = run()
        #expect(run("limit btcinr \(options)") == 0)
        let parameters = run.daemon.parameters.lazy.compactMap { $0 as? SetLimitParameters }.first
        #expect(parameters == SetLimitParameters(symbol: "btcinr", max: max, currency: currency))
    }

    @Test func aConvertedLimitShowsBothAmounts() {
        let run = run()
        run.daemon.replies[.setLimit] = SetLimitReply(
            simulated: false,
            changes: [
                LimitChangeStatus(override: Self.override, before: "7500000", given: "800000", givenCurrency: "SEK")
            ], saved: true)
        #expect(
            run.output("limit btcinr --max 800000SEK").hasPrefix(
                "btcinr, max of 'btc band': ₹76,00,000.00 (from 800\u{A0}000,00\u{A0}kr), was ₹75,00,000.00\n"))
    }

    @Test func aLimitThatIsHardlyMeantIsSaid() {
        let output = { (distance: String, bound: ControlInterface.Bound, limit: String) in
            let run = run()
            var alerts = Sample.alerts
            alerts[1].distancePercent = distance
            alerts[1].bound = bound
            alerts[1].limit = limit
            var override = Self.override
            override.bound = bound
            run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [alerts[1]])
            run.daemon.replies[.setLimit] = SetLimitReply(
                simulated: false, changes: [LimitChangeStatus(override: override, before: "7500000")], saved: true)
            return run.output("limit btcinr --max 7600000")
        }
        #expect(output("848.00", .max, "71223244").contains("Far away: the price is ₹75,13,000.50. Check the number"))
        #expect(output("399.99", .max, "37500000").split(separator: "\n").count == 2)
        #expect(output("90.00", .min, "751300").contains("Far away"))
        #expect(output("79.00", .min, "1577700").split(separator: "\n").count == 2)
        #expect(output("-0.17", .max, "7500000").contains("Already reached: the price is ₹75,13,000.50."))
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
        "limit", "limit btcinr --max ten", "limit btcinr --max 7,600", "limit btcinr --max 5% ", "limit reset",
        "limit btcinr --max 100,kr", "limit btcinr --max 5USD --min 1SEK", "limit btcinr --max +x%",
        "limit reset --max 5",
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
            run(width: 200).output("alerts --all")
                .contains("limit set by alice at 07:19:48; configured: ₹75,00,000.00")
        )
        #expect(run(width: nil).output("alerts --json").contains(#""limit_by":"alice""#))
        let rules = run(width: 200)
        rules.daemon.replies[.listRules] = ListRulesReply(rules: [
            RuleStatus(
                name: "btc band", source: "wazirx", symbols: ["btcinr"], condition: "max 7500000",
                conditionText: "max 7500000", severity: .warning, matches: 1,
                firing: 0, limits: [], state: .ok, problems: [], overrides: [Self.override])
        ])
        #expect(rules.output("rules").contains("btcinr max ₹76,00,000.00 by alice"))
        #expect(rules.output("rules --json").contains("btcinr max 7600000 by alice"))
        #expect(!Run(width: 200).output("rules").contains("CHANGED"))
    }
}
