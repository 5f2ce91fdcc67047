import AlertClient
import Control
import InterfaceLanguage
import Market
import Testing

struct ExplainTests {
    private static let rule = RuleStatus(
        name: "btc band", source: "wazirx", symbols: ["btcinr"], condition: "max 7500000",
        conditionText: "max 7500000", severity: .warning, matches: 1, firing: 1,
        limits: [], state: .ok, problems: [])

    private static let firing = AlertExplanation(
        alert: Sample.alerts[1], priceTime: Sample.received,
        facts: [
            AlertFact(kind: .firing, since: "2026-11-20T20:00:01.000Z"),
            AlertFact(kind: .notified, since: "2026-11-20T20:00:01.000Z"),
            AlertFact(kind: .repeats, until: "2026-11-21T07:00:01.000Z"),
        ],
        levels: [
            AlertLevel(
                role: .limit, comparison: .atLeast, price: "7500000", reached: true, away: "-13000.5",
                awayPercent: "-0.17"),
            AlertLevel(
                role: .clear, comparison: .atMost, price: "7462500", reached: false, away: "-50500.5",
                awayPercent: "-0.67"),
        ])

    private func run(_ alerts: [AlertExplanation], width: Int? = 80) -> Run {
        let run = Run(width: width)
        run.daemon.replies[.explain] = ExplainReply(simulated: false, rule: Self.rule, alerts: alerts)
        return run
    }

    private func explanation(_ facts: [AlertFact], state: ControlInterface.AlertState = .inactive) -> AlertExplanation {
        var alert = Sample.alerts[1]
        alert.state = state
        return AlertExplanation(alert: alert, priceTime: Sample.received, facts: facts, levels: [])
    }

    @Test(arguments: [
        (ControlInterface.AlertState.unconvertible, "Price: not converted to SEK"),
        (.staleRate, "Price: not converted to SEK"), (.missing, "Price: no usable price"),
        (.waiting, "Price: none yet"),
    ])
    func whyThereIsNoPrice(state: ControlInterface.AlertState, text: String) {
        var explanation = explanation([AlertFact(kind: .noBaseline)], state: state)
        (explanation.alert.price, explanation.alert.currency) = (nil, "SEK")
        let output = run([explanation]).output("explain x")
        #expect(output.contains(text) && output.contains("State: no baseline yet: there has been no usable price"))
    }

    @Test func aChangedLimitWaitsForTheNextPriceAndNotForAnyPrice() {
        let output = run([explanation([AlertFact(kind: .noBaseline)], state: .waiting)]).output("explain x")
        #expect(output.contains("Price: ₹75,13,000.50") && !output.contains("no usable price"))
        #expect(output.contains("evaluation starts with the next price"))
    }

    @Test(
        arguments: [
            (.crossUp, true, "₹75,00,000.00 from below; the price is ₹13,000.50 (0.17%) above it"),
            (.crossUp, false, "₹75,00,000.00 from below, ₹13,000.50 (0.17%) away"),
            (.crossDown, true, "₹75,00,000.00 from above; the price is ₹13,000.50 (0.17%) below it"),
        ] as [(ControlInterface.Bound, Bool, String)])
    func aCrossingIsNotBreached(bound: ControlInterface.Bound, isReached: Bool, text: String) {
        var explanation = Self.firing
        (explanation.alert.bound, explanation.alert.state) = (bound, .inactive)
        explanation.levels = [explanation.levels[0]]
        explanation.levels[0].reached = isReached
        let output = run([explanation]).output("explain x --currency quote")
        #expect(output.contains("Fires at: \(text)\n"), "\(output)")
    }

    @Test func aSymbolStandsForAllItsRules() {
        let run = Run(width: 80)
        run.daemon.replies[.listAlerts] = ListAlertsReply(
            simulated: false, alerts: [Sample.alerts[0], Sample.alerts[1]])
        run.daemon.answers[.explain] = { parameters in
            let rule = (parameters as? ExplainParameters)?.rule ?? ""
            guard rule == "btc band" else { return NoSuchRule(rule: rule) }
            return ExplainReply(simulated: false, rule: Self.rule, alerts: [Self.firing])
        }
        run.daemon.failures[.explain] = { parameters in
            (parameters as? ExplainParameters)?.rule == "BTCINR" ? .noSuchRule(NoSuchRule(rule: "BTCINR")) : nil
        }
        #expect(run("explain BTCINR") == 0)
        #expect(run.output.hasPrefix("btc band on btcinr, max: firing\n"))
        let calls = run.daemon.parameters.compactMap { $0 as? ExplainParameters }
        #expect(calls.map(\.rule) == ["BTCINR", "btc band"] && calls.map(\.symbol) == [nil, "btcinr"])
        let unknown = Run()
        unknown.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "x", suggestion: "y"))
        unknown.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [])
        #expect(unknown("explain x") == 4 && unknown.errors.contains("did you mean 'y'?"))
    }

    @Test func aFiringAsPeopleSeeIt() {
        #expect(
            run([Self.firing]).output("explain x")
                == """
                btc band on btcinr, max: firing
                       Price: ₹75,13,000.50, 12s ago
                       State: firing since 2026-11-20 21:00:01
                    Notified: at 2026-11-20 21:00:01, event 12
                     Repeats: at 08:00:01 if it is still firing
                    Fires at: ≥ ₹75,00,000.00, breached by ₹13,000.50 (0.17%)
                 Resolves at: ≤ ₹74,62,500.00, ₹50,500.50 (0.67%) away

                """)
    }

    @Test(arguments: [
        (
            AlertFact(
                kind: .pending, since: Sample.received, heldMilliseconds: 130_000, holdMilliseconds: 300_000),
            "State: pending for 2m10s of 5m"
        ),
        (AlertFact(kind: .frozen, since: Sample.received), "Blocked: frozen since 07:19:48"),
        (AlertFact(kind: .missing), "Blocked: not in the last response\n"),
        (AlertFact(kind: .missing, since: Sample.received), "not in the last response; last price at 07:19:48"),
        (AlertFact(kind: .unusable, detail: "bid"), "no usable bid price in the last response"),
        (AlertFact(kind: .unconvertible, detail: "INR>XYZ"), "no conversion path INR → XYZ"),
        (AlertFact(kind: .staleRate), "the exchange rates are too old"),
        (AlertFact(kind: .expired, since: Sample.received), "the rule expired at 07:19:48"),
        (AlertFact(kind: .feedStale, since: Sample.received), "Feed: stale: no usable response since 07:19:48"),
        (AlertFact(kind: .noBaseline), "State: waiting: evaluation starts with the next price"),
        (
            AlertFact(kind: .noBase, detail: "no price before 2026-11-01 is known"),
            "State: waiting: no price before 2026-11-01 is known"
        ),
        (AlertFact(kind: .windowTooShort), "fewer than two prices in the window"),
        (AlertFact(kind: .below, since: Sample.received), "the price is below the limit, since 07:19:48"),
        (AlertFact(kind: .acknowledged, by: "alice"), "Acknowledged: no repeats until it resolves, by alice"),
        (
            AlertFact(kind: .suppressed, detail: "cooldown"),
            "Not notified: within the cooldown of the previous notification"
        ),
        (AlertFact(kind: .cooldown, until: Sample.received), "Cooldown: until 07:19:48"),
        (
            AlertFact(kind: .silenced, until: Sample.received, detail: "why", number: 3, by: "alice"),
            "by 3 until 07:19:48 (by alice: why)"
        ),
        (AlertFact(kind: .resolvePending), "Deferred: resolve notification, until the silence ends"),
        (AlertFact(kind: .clear, heldMilliseconds: 60_000, holdMilliseconds: 300_000), "Clear: for 1m of 5m, then it"),
        (AlertFact(kind: .onlyWhile, detail: "dip"), "Only while: 'dip' is firing, which it is not: a firing is not"),
        (
            AlertFact(kind: .onlyWhile, since: Sample.received, detail: "dip"),
            "Only while: 'dip' is firing, as it is since 07:19:48"
        ),
        (
            AlertFact(kind: .suppressed, detail: "only_while"),
            "Not notified: the rule that `only_while` names was not firing"
        ),
        (AlertFact(kind: .disarmed), "Disarmed: the one-shot rule has notified"),
        (AlertFact(kind: .expires, until: Sample.received), "Expires: 07:19:48"),
        (
            AlertFact(kind: .gap, since: Sample.received, until: Sample.received),
            "Gap: no prices from 07:19:48 to 07:19:48; candles will show whether the limit was reached"
        ),
        (
            AlertFact(kind: .notCaughtUp, detail: "source"),
            "Gaps: not caught up: the source has no candles\n"
        ),
        (
            AlertFact(kind: .notCaughtUp, detail: "disabled"),
            "Gaps: not caught up: turned off by `catch_up = false` in its settings\n"
        ),
        (AlertFact(kind: .notCaughtUp, detail: "condition"), "candles apply to min, max and within only"),
        (AlertFact(kind: .notCaughtUp, detail: "price"), "candles have no bid or ask prices"),
    ])
    func everyFactHasItsWords(_ fact: AlertFact, _ words: String) {
        #expect(run([explanation([fact])], width: 120).output("explain x").contains(words))
    }

    @Test func everyKindOfFactIsKnown() throws {
        let words = try InterfaceDefinition(ControlInterface.description).words(of: "FactKind") ?? []
        #expect(words.count > 20)
        for kind in words.map({ ControlInterface.FactKind(rawValue: $0.name) }) {
            let output = run([explanation([AlertFact(kind: kind)])], width: 120).output("explain x")
            #expect(!output.contains("\(kind.rawValue):"), "\(kind)")
        }
    }

    /// A daemon of a later version may know facts that this program does not.
    @Test func aFactThatIsNotKnownIsShownAsItIs() {
        var fact = AlertFact(kind: .notified, detail: "something")
        fact.kind = .unknown("later")
        #expect(run([explanation([fact])]).output("explain x").contains("later: something"))
    }

    @Test func ofManyTheNearestAreShown() {
        let many = (0..<30).map { index in
            var alert = explanation([AlertFact(kind: .inactive, since: Sample.received)])
            alert.alert.symbol = "s\(index)inr"
            alert.alert.distancePercent = "\(30 - index).00"
            return alert
        }
        let output = run(many + [Self.firing]).output("explain x")
        #expect(output.hasPrefix("btc band on btcinr, max: firing"))
        #expect(output.contains("on s29inr, max") && output.contains("on s21inr, max"))
        #expect(!output.contains("on s20inr, max"))
        #expect(output.contains("… and 21 more alerts, further from their limits"))
        let symbol = run(many)
        #expect(symbol.output("explain x S0INR").contains("on s0inr, max"))
        #expect(symbol.daemon.parameters.first as? ExplainParameters == ExplainParameters(rule: "x", symbol: "s0inr"))
    }

    @Test func aRuleWithoutAlertsSaysWhy() {
        #expect(run([]).output("explain x").contains("has no alerts: ok. It watches btcinr."))
        #expect(run([]).output("explain x ethinr").contains("does not match ethinr; it watches btcinr."))
    }

    @Test func programsGetFactsAndLevels() {
        let output = run([Self.firing], width: nil).output("explain x --json")
        #expect(output.contains(#""facts":[{"symbol":"btcinr","bound":"max","kind":"firing","since":"2026-11-20T"#))
        #expect(output.contains(#""price":"7462500","reached":false,"away":"-50500.5","away_percent":"-0.67"}"#))
        #expect(output.contains(#""alerts":[{"state":"firing""#))
    }

    @Test func aRuleThatIsNotThereIsSaid() {
        let run = Run()
        run.daemon.errors[.explain] = .noSuchRule(NoSuchRule(rule: "btc bnd", suggestion: "btc band"))
        #expect(run("explain x") == 4)
        #expect(run.errors == "alertctl: there is no rule 'btc bnd'; did you mean 'btc band'?\n")
        #expect(Run()("explain") == 2)
    }
}

extension ExplainTests {
    @Test func whatFiresSaysWhereItWasDelivered() throws {
        let run = run([Self.firing])
        run.daemon.answers[.listDeliveries] = { parameters in
            guard let asked = parameters as? ListDeliveriesParameters, asked.number == Sample.alerts[1].event else {
                return ListDeliveriesReply(deliveries: [])
            }
            return ListDeliveriesReply(deliveries: [
                Delivery(receiver: "phone", state: .delivered, time: Sample.received),
                Delivery(receiver: "mail", state: .refused, time: Sample.received, detail: "status 550"),
            ])
        }
        let output = run.output("explain 'btc band'")
        #expect(output.contains("phone") && output.contains("delivered") && output.contains("status 550"), "\(output)")
        let json = run.output("explain 'btc band' --json")
        #expect(json.contains(#""deliveries""#) && json.contains(#""receiver":"phone""#), "\(json)")
    }

    @Test func withoutReceiversNothingIsShown() {
        let run = run([Self.firing])
        run.daemon.replies[.listDeliveries] = ListDeliveriesReply(deliveries: [])
        #expect(!run.output("explain 'btc band'").contains("DELIVERY"))
    }
}
