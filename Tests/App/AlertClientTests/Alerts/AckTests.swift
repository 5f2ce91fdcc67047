import Control
import Events
import Testing

@testable import AlertClient

@Suite("alertctl ack and arm", .timeLimit(.minutes(10)))
struct AckTests {
    private func asked(_ words: String...) -> AcknowledgeParameters? {
        let run = Run()
        run(["ack"] + words)
        return run.daemon.parameters.lazy.compactMap { $0 as? AcknowledgeParameters }.first
    }

    @Test func aSymbolStandsForTheRulesThatFireOnIt() {
        let run = Run()
        var quiet = Sample.alerts[0]
        quiet.rule = "quiet"
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [quiet, Sample.alerts[1]])
        run.daemon.failures[.acknowledge] = { parameters in
            (parameters as? AcknowledgeParameters)?.rule == "BTCINR" ? .noSuchRule(NoSuchRule(rule: "BTCINR")) : nil
        }
        #expect(run("ack BTCINR") == 0)
        let calls = run.daemon.parameters.compactMap { $0 as? AcknowledgeParameters }
        #expect(calls.last == AcknowledgeParameters(rule: "btc band", symbol: "btcinr") && calls.count == 2)
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [quiet])
        #expect(run("ack BTCINR") == 1)
        #expect(run.errors.contains("nothing to acknowledge: no alert on btcinr is firing"))
    }

    @Test(arguments: [(1, true), (0, true), (1, false)])
    func theRulesThatFireOnASymbolAreOneReport(changed: Int, saved: Bool) {
        let run = Run()
        var other = Sample.alerts[1]
        other.rule = "other"
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [Sample.alerts[1], other])
        run.daemon.failures[.acknowledge] = { parameters in
            (parameters as? AcknowledgeParameters)?.rule == "btcinr" ? .noSuchRule(NoSuchRule(rule: "btcinr")) : nil
        }
        run.daemon.answers[.acknowledge] = { [other] parameters in
            let isFirst = (parameters as? AcknowledgeParameters)?.rule == "btc band"
            return AcknowledgeReply(
                alerts: [isFirst ? Sample.alerts[1] : other], changed: isFirst ? 1 : changed, saved: !isFirst || saved)
        }
        #expect(run("ack btcinr --json") == 0)
        #expect(run.output.contains("\"changed\":\(1 + changed)"), "\(run.output)")
        #expect(run.output.contains("\"rule\":\"btc band\"") && run.output.contains("\"rule\":\"other\""))
        #expect(run.errors.isEmpty == saved, "\(run.errors)")
    }

    @Test func whatIsAsked() {
        #expect(asked("42") == AcknowledgeParameters(event: 42))
        #expect(asked("--undo", "42") == AcknowledgeParameters(event: 42, undo: true))
        #expect(asked("btc band") == AcknowledgeParameters(rule: "btc band"))
        #expect(asked("btc band", "BTCINR") == AcknowledgeParameters(rule: "btc band", symbol: "btcinr"))
        #expect(asked("--rule", "42", "btcinr") == AcknowledgeParameters(rule: "42", symbol: "btcinr"))
        #expect(asked("--rule", "42") == AcknowledgeParameters(rule: "42"))
    }

    @Test(arguments: [[], ["42", "btcinr"], ["--rule", "a", "b", "c"]]) func mistakes(words: [String]) {
        let run = Run()
        #expect(run(["ack"] + words) == 2)
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func whatItAcknowledgedAndForWhom() {
        #expect(
            Run(width: 100).output("ack 13")
                == "Acknowledged: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band', "
                + "by anna at 07:19:59\n")
        let run = Run()
        run.daemon.replies[.acknowledge] = AcknowledgeReply(alerts: [Sample.alerts[1]], changed: 1, saved: true)
        #expect(
            run.output("ack --undo 13")
                == "Repeats continue: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band'\n")
    }

    @Test func forPrograms() {
        let text = Run().output("ack 13 --json")
        #expect(text.hasPrefix("{\"changed\":1,\"alerts\":[{\"state\":\"firing\",\"symbol\":\"btcinr\""))
        #expect(
            text.hasSuffix(
                "\"silence\":null,\"silence_ends\":null,\"acknowledged_by\":\"anna\","
                    + "\"acknowledged\":\"2026-11-21T06:19:59.000Z\",\"disarmed\":false,"
                    + "\"limit_by\":null,\"limit_since\":null,\"settings_limit\":null,"
                    + "\"source\":\"wazirx\"}]}\n"))
    }

    @Test(arguments: [
        (ClientError.refused(Refused(message: "nothing to acknowledge: rule 'a' does not fire")), 1 as Int32),
        (.noSuchThing(NoSuchThing(kind: .event, name: "a", suggestion: "b")), 4), (.callDenied, 77),
    ])
    func whatCanGoWrong(error: ClientError, code: Int32) {
        let run = Run()
        (run.daemon.errors[.acknowledge], run.daemon.errors[.arm]) = (error, error)
        #expect(run("ack a") == code)
        #expect(run("arm a") == code)
    }

    @Test func arming() {
        let run = Run(width: 100)
        #expect(
            run.output("arm eth BTCINR")
                == "Re-armed: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band'\n")
        #expect(run.daemon.parameters.first as? ArmParameters == ArmParameters(rule: "eth", symbol: "btcinr"))
    }
}

@Suite("alertctl drill", .timeLimit(.minutes(10)))
struct DrillTests {
    @Test func whatBecameOfIt() {
        let run = Run(width: 80)
        #expect(
            run.output("drill")
                == """
                Event 15: TEST: a drill by anna; this is not a real alert
                SINK     RESULT     DETAIL
                journal  delivered  accepted by the journal
                socket   delivered  2 readers

                """)
        #expect(run.daemon.parameters.first as? DrillParameters == DrillParameters())
    }

    @Test func aSinkThatFailedIsAFailure() {
        let run = Run()
        run.daemon.replies[.drill] = DrillReply(
            event: Sample.drill,
            results: [
                DrillResult(sink: "journal", result: .failed, detail: "no journal listens"),
                DrillResult(sink: "stdout", result: .waiting, detail: "nobody reads"),
            ], saved: true)
        #expect(run("drill --sink journal --json") == 1)
        #expect(run.daemon.parameters.first as? DrillParameters == DrillParameters(sink: "journal"))
        #expect(
            run.output
                == """
                {"number":15,"saved":true,"results":[{"sink":"journal","result":"failed",\
                "detail":"no journal listens"},{"sink":"stdout","result":"waiting","detail":"nobody reads"}]}

                """)
    }

    @Test func anUnknownSinkIsSaidWithThoseThatThereAre() {
        let run = Run()
        run.daemon.errors[.drill] = .noSuchThing(
            NoSuchThing(kind: .sink, name: "mail", known: ["socket", "journal"]))
        #expect(run("drill --sink mail") == 4)
        #expect(run.errors == "alertctl: there is no sink 'mail'; known: socket, journal\n")
    }

    @Test func inTheListOfEventsItIsUnmistakable() {
        let run = Run(width: 100)
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "", events: [Sample.drill], more: false)
        #expect(run.output("events").contains("15  07:20:00  TEST "))
    }
}
