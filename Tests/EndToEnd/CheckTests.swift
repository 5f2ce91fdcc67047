import Foundation
import Testing

/// The real programs, and settings that are checked against the market.
@Suite("Checked settings, end to end", .timeLimit(.minutes(10)))
struct CheckTests {
    @Test func settingsAreHeldAgainstTheMarketOfTheDaemon() async throws {
        let stage = try await Stage(rules: "[[rule]]\nsymbol = \"btcinr\"\nmax = 110\n")
        try await stage.polls()
        let good = try await stage.ctl("check", stage.settings)
        #expect(good.code == 0 && good.output == "\(stage.settings): no errors\n", "\(good)")

        var text = try String(contentsOfFile: stage.settings, encoding: .utf8)
        text += "[[rule]]\nsymbol = \"btcinrr\"\nmax = 90\n[[rule]]\nsymbol = \"ethinr\"\nmax = 40.5\n"
        try text.write(toFile: stage.settings, atomically: true, encoding: .utf8)
        let lint = try await stage.ctl("check", stage.settings)
        #expect(lint.code == 9, "\(lint)")
        #expect(lint.output.contains("the source lists no symbol \"btcinrr\"; did you mean \"btcinr\"?"), "\(lint)")
        #expect(lint.output.contains("`max` is already reached on ethinr: ethinr is at ₹50.00"), "\(lint)")
        #expect(lint.output.contains("`max` has more digits than prices of ethinr"), "\(lint)")

        let reload = try await stage.ctl("reload")
        #expect(reload.code == 0 && reload.output.contains("the source lists no symbol \"btcinrr\""), "\(reload)")
        stage.daemon.signal(SIGTERM)
        _ = try await stage.daemon.exitCode()
        let alone = try await stage.ctl("check", stage.settings)
        #expect(alone.code == 0 && alone.errors.contains("skipped the comparison with the market"), "\(alone)")
    }

    @Test func anEventIsExplainedAfterARestart() async throws {
        let rule = "[[rule]]\nname = \"band\"\nsymbol = \"btcinr\"\nmax = 110\nhysteresis = \"10%\"\nfor = \"200ms\"\n"
        let stage = try await Stage(rules: rule)
        try await stage.polls()
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        let fired = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        let number = try #require(fired["number"] as? Int)
        let details = try #require(fired["details"] as? [String: Any], "\(fired)")
        #expect(details["clear"] as? String == "99" && details["pending_ms"] as? Int ?? 0 >= 200, "\(fired)")
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
        let why = try await stage.ctl("why", "\(number)")
        #expect(
            why.code == 0 && why.output.contains("Resolves at: ") && why.output.contains("99.00")
                && why.output.contains("Pending: "), "\(why)")
        #expect(try await stage.ctl("why", "999").code == 4)
        let explained = try await stage.ctl("explain", "band")
        #expect(explained.output.contains("band on btcinr, max: firing"), "\(explained)")
        #expect(explained.output.contains("Resolves at: ") && explained.output.contains("99.00"))
    }
}
