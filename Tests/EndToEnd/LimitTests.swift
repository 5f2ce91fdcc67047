import Foundation
import Testing

/// The real programs, and limits that are changed while they run.
@Suite("Changed limits, end to end", .timeLimit(.minutes(10)))
struct LimitTests {
    private static func band(max: String) -> String {
        "[[rule]]\nname = \"band\"\nsymbol = \"btcinr\"\nmax = \"\(max)\"\n"
    }

    private func limit(_ stage: Stage) async throws -> String? {
        let limits = try #require(try await stage.json("limit", "btcinr")["limits"] as? [[String: Any]])
        return limits.first?["limit"] as? String
    }

    @Test func aChangedLimitOutlivesAKillAndAReload() async throws {
        let stage = try await Stage(rules: Self.band(max: "110"))
        try await stage.polls()
        let changed = try await stage.ctl("limit", "btcinr", "--max", "+100%")
        #expect(changed.code == 0 && changed.output.contains("220.00, was "), "\(changed)")
        // The answer alone confirms that it is on the disk.
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
        #expect(try await limit(stage) == "220")

        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "150")
        try await stage.polls()
        try await stage.exchange.price("btcinr", "230")
        let fired = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        #expect(fired["price"] as? String == "230" && fired["limit"] as? String == "220", "\(fired)")

        let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
        try text.replacingOccurrences(of: "\"110\"", with: "\"120\"")
            .write(toFile: stage.settings, atomically: true, encoding: .utf8)
        let reload = try await stage.ctl("reload")
        #expect(reload.output.contains("max ₹220.00 of 'band' on btcinr, set by "), "\(reload)")
        #expect(reload.output.contains("stays in effect; the configured limit is ₹120.00"), "\(reload)")
        #expect(try await limit(stage) == "220")

        let reset = try await stage.ctl("limit", "reset", "btcinr")
        #expect(reset.code == 0 && reset.output.contains("restored to ") && reset.output.contains("120.00"), "\(reset)")
        #expect(try await limit(stage) == "120")
        let notified = try await reader.event("reset") {
            ($0["text"] as? String)?
                .contains("BTC/INR: maximum ₹120.00 restored for 'band', as configured") ?? false
        }
        #expect(notified["kind"] as? String == "rules_changed" && notified["rule"] as? String == "band", "\(notified)")
        #expect(reader.isWithoutHoles)
    }

    @Test func whatMakesNoSenseIsRefused() async throws {
        let rules =
            "[[rule]]\nname = \"a\"\nsymbol = \"btcinr\"\nmin = \"90\"\nmax = \"110\"\nhysteresis = \"10\"\n"
            + "[[rule]]\nname = \"b\"\nsymbol = \"*\"\nmax = \"500\"\n"
        let stage = try await Stage(rules: rules)
        try await stage.polls()
        for (arguments, words) in [
            (
                ["btcinr", "--max", "120"],
                "several rules have a max for btcinr: 'a', 'b'; choose one with --rule"
            ),
            (["btcinr", "--max", "80", "--rule", "a"], "min would not be below max"),
            (["btcinr", "--max", "99", "--rule", "a"], "could never resolve"),
            (["btcinr", "--max", "-100%", "--rule", "a"], "would not be greater than 0"),
            (["ethinr", "--min", "5"], "no rule has a min for ethinr"),
            (["btcinr", "--max", "5", "--rule", "c"], "there is no rule 'c'"),
            (["lunainr", "--max", "5"], "there is no symbol 'lunainr'"),
        ] {
            let finished = try await run(
                try builtProgram("alertctl"), ["--socket", stage.controlSocket, "limit"] + arguments)
            #expect(finished.code != 0 && finished.errors.contains(words), "\(arguments): \(finished)")
        }
        let list = try await stage.json("limit", "list")
        #expect((list["overrides"] as? [Any])?.isEmpty == true)
    }
}
