import Events
import Foundation
import Testing

@Suite("Living with alerts, end to end", .timeLimit(.minutes(10)))
struct LivingTests {
    static let rules = """
        [[rule]]
        name = "btc band"
        symbol = "btcinr"
        max = "110"
        repeat = "100ms"

        [[rule]]
        name = "target"
        symbol = "ethinr"
        max = "60"
        once = true
        """

    private func kill(_ stage: Stage) async throws {
        // What was written at the very instant of a kill may be written again; another poll stores that it was.
        try await stage.polls()
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
    }

    @Test func aSilenceOutlivesAKillAndItsEndIsNotifiedOnce() async throws {
        let stage = try await Stage(rules: Self.rules)
        let added = try await stage.ctl(
            "silence", "add", "btc*", "--severity", "warning", "--for", "1h", "--comment", "I know")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.hasPrefix("Silence 1 until ") && added.output.contains("; 1 alert, 0 firing."))
        _ = try await stage.daemon.errors.line("who silenced what") {
            $0.contains("silence 1 by ") && $0.contains("btc*, severity warning (I know), until ")
        }
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        let held = try await reader.event("held") { $0["kind"] as? String == "fired" }
        #expect(held["notified"] as? Bool == false && held["reason"] as? String == "silenced")
        #expect(held["silence"] as? Int == 1)
        try await kill(stage)
        let list = try #require(try await stage.json("silence", "list")["silences"] as? [[String: Any]])
        #expect(list.map { $0["number"] as? Int } == [1] && list.first?["comment"] as? String == "I know")
        #expect(list.first?["created_by_uid"] as? Int == Int(getuid()))
        #expect(try await stage.json("status")["silences"] as? Int == 1)
        try await stage.polls(3)
        #expect(try await stage.ctl("alerts").output.contains("FIRING, silenced"))
        #expect(!stage.daemon.output.text.contains("120"), "\(stage.daemon.output.text)")

        #expect(try await stage.ctl("silence", "expire", "1").code == 0)
        let notified = try await stage.daemon.output.line("notified at last") { $0.contains("FIRED") }
        #expect(notified.contains("notified now that the silence is over"))
        try await kill(stage)
        try await stage.polls(3)
        #expect(!stage.daemon.output.text.contains("FIRED"), "notified again: \(stage.daemon.output.text)")
        let events = try #require(
            try await stage.json("events", "--kind", "fired")["events"] as? [[String: Any]])
        #expect(events.map { $0["notified"] as? Bool } == [false, true])
        let again = try await stage.ctl("silence", "expire", "1")
        #expect(again.code == 1 && again.errors.contains("silence 1 has already ended"))
        #expect(try await stage.ctl("silence", "expire", "7").code == 4)
        let all = try await stage.json("silence", "list", "--all")["silences"] as? [[String: Any]]
        #expect(all?.map { $0["state"] as? String } == ["expired"])
        #expect(try await stage.ctl("silence", "list").output == "No active silences.\n")
    }

    /// The daemon notices that it has expired with the next price.
    @Test func aSilenceEndsByItself() async throws {
        let stage = try await Stage(rules: Self.rules)
        let reader = try await stage.reader()
        // A short silence may have ended before a busy daemon sees the price.
        for seconds in [2, 8, 32, 128] {
            let start = reader.all.count
            #expect(try await stage.ctl("silence", "add", "--rule", "btc band", "--for", "\(seconds)s").code == 0)
            try await stage.exchange.price("btcinr", "120")
            let held = try await reader.event(from: start, "fired") { $0["kind"] as? String == "fired" }
            guard held["notified"] as? Bool == false else {
                try await stage.exchange.price("btcinr", "100")
                _ = try await reader.event(from: start, "resolved") { $0["kind"] as? String == "resolved" }
                continue
            }
            #expect(held["reason"] as? String == "silenced")
            _ = try await reader.event(from: start, "notified") {
                $0["notified"] as? Bool == true && $0["kind"] as? String == "fired"
            }
            let list = try #require(try await stage.json("silence", "list", "--all")["silences"] as? [[String: Any]])
            #expect(!list.isEmpty && list.allSatisfy { $0["state"] as? String == "expired" })
            return
        }
        Issue.record("no silence held back what fired")
    }

    /// The numbers of the latest events that repeated an alert.
    private func repeated(_ stage: Stage) async throws -> [Int] {
        let page = try await stage.json("events", "--kind", "repeated")
        return try #require(page["events"] as? [[String: Any]]).compactMap { $0["number"] as? Int }
    }

    @Test func anAcknowledgementOutlivesAKill() async throws {
        let stage = try await Stage(rules: Self.rules)
        try await stage.exchange.price("btcinr", "120")
        _ = try await stage.daemon.output.line("repeated") { $0.contains("REPEATED") }
        let number = try #require(
            (try await stage.json("events", "--kind", "fired")["events"] as? [[String: Any]])?.first?["number"] as? Int)
        let acknowledged = try await stage.ctl("ack", "\(number)")
        #expect(
            acknowledged.code == 0 && acknowledged.output.contains("110.00\u{A0}INR^ of rule 'btc band', by "),
            "\(acknowledged)")
        let last = try await repeated(stage)
        try await stage.polls(4)
        try await kill(stage)
        try await stage.polls(4)
        #expect(try await repeated(stage) == last, "it was repeated")
        let alerts = try #require(try await stage.json("alerts", "--firing")["alerts"] as? [[String: Any]])
        #expect(alerts.first?["acknowledged_by"] as? String != nil)
        #expect(try await stage.ctl("ack", "btc band", "--undo").code == 0)
        _ = try await stage.daemon.output.line("repeated") { $0.contains("REPEATED") }
        try await stage.exchange.price("btcinr", "100")
        _ = try await stage.daemon.output.line("resolved") { $0.contains("RESOLVED") }
        let late = try await stage.ctl("ack", "\(number)")
        #expect(late.code == 1 && late.errors.contains("that firing has ended: event"), "\(late.errors)")
        let none = try await stage.ctl("ack", "btc band")
        #expect(none.code == 1 && none.errors.contains("is not firing"), "\(none.errors)")
        #expect(try await stage.ctl("ack", "btc bnd").errors.contains("did you mean 'btc band'?"))
        #expect(try await stage.ctl("ack", "100000").code == 4)
    }

    @Test func aOneShotRuleThatNotifiedIsArmed() async throws {
        let stage = try await Stage(rules: Self.rules)
        let reader = try await stage.reader()
        let early = try await stage.ctl("arm", "target")
        #expect(early.code == 1 && early.errors.contains("has not notified since it was armed"), "\(early.errors)")
        for price in ["70", "50", "71"] {
            try await stage.exchange.price("ethinr", price)
            _ = try await reader.event("at \(price)") { $0["price"] as? String == price }
        }
        #expect(reader.events.last?["reason"] as? String == "disarmed")
        let armed = try await stage.ctl("arm", "target", "ethinr")
        #expect(armed.code == 0 && armed.output.hasPrefix("Re-armed: ethinr at "), "\(armed)")
        #expect(armed.output.contains("71.00\u{A0}INR^, max"), "\(armed)")
        _ = try await reader.event("notified") {
            $0["notified"] as? Bool == true && $0["reason"] as? String == "disarmed"
        }
        #expect(try await stage.ctl("arm", "btc band").errors.contains("does not set 'once'"))
        #expect(try await stage.ctl("arm", "target", "btcinr").errors.contains("does not watch btcinr"))
    }

    @Test func aDrillReachesWhoListens() async throws {
        let stage = try await Stage(rules: Self.rules)
        let reader = try await stage.reader()
        let drill = try await stage.json("drill")
        let event = try await reader.event("drill") { $0["kind"] as? String == "test" }
        #expect((event["text"] as? String)?.hasPrefix("TEST: drill by ") == true)
        #expect(drill["number"] as? Int == event["number"] as? Int)
        let results = try #require(drill["results"] as? [[String: Any]])
        #expect(results.map { $0["sink"] as? String } == ["socket", "stdout"])
        #expect(results.map { $0["result"] as? String } == ["delivered", "delivered"])
        #expect(results.first?["detail"] as? String == "1 reader")
        _ = try await stage.daemon.output.line("drill") { $0.contains("TEST       TEST: drill by ") }

        let one = try await stage.json("drill", "--sink", "socket")
        _ = try await reader.event("second drill") { $0["sink"] as? String == "socket" }
        #expect((one["results"] as? [[String: Any]])?.count == 1)
        try await stage.exchange.price("ethinr", "70")
        _ = try await stage.daemon.output.line("fired") { $0.contains("FIRED") }
        #expect(!stage.daemon.output.text.contains("of the sink"), "\(stage.daemon.output.text)")
        #expect(reader.isWithoutHoles)
        let unknown = try await stage.ctl("drill", "--sink", "mail")
        #expect(unknown.code == 4 && unknown.errors.contains("known: socket, stdout"), "\(unknown.errors)")
    }

    /// Users who may read may not change anything; only root can test as another user.
    @Test(
        .enabled(if: getuid() == 0),
        arguments: [
            ["silence", "add", "*", "--for", "1h"], ["silence", "expire", "--all"], ["ack", "btc band"],
            ["arm", "target"],
            ["drill"],
        ])
    func othersMayNotChangeAnything(arguments: [String]) async throws {
        let stage = try await Stage(rules: Self.rules)
        for path in [stage.folder.path, stage.runtime] { unsafe chmod(path, 0o755) }
        unsafe chmod(stage.controlSocket, 0o666)
        let program = try programForEveryone("alertctl", in: stage.folder)
        let options = ["--reuid=65534", "--regid=65534", "--clear-groups", program]
        let refused = try await run(
            "/usr/bin/setpriv", options + ["--socket", stage.controlSocket] + arguments)
        #expect(refused.code == 77, "\(refused.output) \(refused.errors)")
        #expect(refused.errors.contains("not allowed: only root"), "\(refused.errors)")
        let listed = try await run(
            "/usr/bin/setpriv", options + ["--socket", stage.controlSocket, "silence", "list"])
        #expect(listed.code == 0 && listed.output == "No active silences.\n", "\(listed.errors)")
    }
}
