import Foundation
import Testing

@Suite("Silences that come back, end to end", .timeLimit(.minutes(10)))
struct SilenceHourTests {
    /// Minutes from now in a time zone: `23:59-00:20`.
    private func hours(_ from: Int, _ to: Int, _ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return [from, to].map { minutes in
            let fields = calendar.dateComponents(
                [.hour, .minute], from: Date().addingTimeInterval(Double(minutes) * 60))
            return String(format: "%02d:%02d", fields.hour ?? 0, fields.minute ?? 0)
        }.joined(separator: "-")
    }

    @Test(arguments: ["Europe/Stockholm", "America/New_York"]) func hoursAreThoseOfTheDaemonsZone(_ name: String)
        async throws
    {
        let zone = try #require(TimeZone(identifier: name))
        let stage = try await Stage(rules: AlertTests.band, environment: ["TZ": name])
        try await stage.polls()
        let now = try await stage.json("silence", "add", "btc*", "--daily", hours(-30, 90, zone))
        #expect(now["state"] as? String == "active", "\(now)")
        _ = try await stage.json("silence", "add", "btc*", "--daily", hours(90, 120, zone))
        let reader = try await stage.reader()
        try await stage.exchange.price("btcinr", "120")
        let fired = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        #expect(fired["notified"] as? Bool == false && fired["silence"] as? Int == 1, "\(fired)")
        stage.daemon.signal(SIGKILL)
        _ = try await stage.daemon.exitCode()
        try await stage.restart()
        let listed = try #require(try await stage.json("silence", "list")["silences"] as? [[String: Any]])
        #expect(listed.map { $0["state"] as? String } == ["active", "waiting"], "\(listed)")
        let ended = try await stage.ctl("silence", "expire", "--all")
        #expect(ended.code == 0, "\(ended)")
        try await stage.polls()
        let late = try await stage.json("events", "--kind", "fired", "--limit", "1")
        let event = try #require((late["events"] as? [[String: Any]])?.first)
        #expect(event["notified"] as? Bool == true && event["reason"] as? String == "silenced", "\(event)")
    }
}
