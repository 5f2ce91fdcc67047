import Foundation
import Testing

@Suite("Alerts, end to end", .timeLimit(.minutes(10)))
struct AlertTests {
    static let band = """
        [[rule]]
        name = "btc band"
        symbol = "btcinr"
        min = "90"
        max = "110"
        hysteresis = "2"
        severity = "critical"
        """

    @Test func aLimitThatIsReachedFiresOnceAndResolves() async throws {
        let stage = try await Stage(rules: Self.band)
        let reader = try await stage.reader()
        try await stage.polls()
        try await stage.exchange.price("btcinr", "110")
        let fired = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        #expect(fired["price"] as? String == "110")
        #expect(fired["limit"] as? String == "110")
        #expect(fired["currency"] as? String == "INR")
        #expect(fired["severity"] as? String == "critical")
        #expect((fired["previous"] as? [String: Any])?["price"] as? String == "100")
        #expect(fired["notified"] as? Bool == true)
        #expect(fired["sample_age_ms"] as? Int ?? -1 >= 0)

        // Inside the hysteresis, and beyond the limit again: nothing new.
        for price in ["109", "111", "108.01"] {
            try await stage.exchange.price("btcinr", price)
            try await stage.polls()
        }
        try await stage.exchange.price("btcinr", "108")
        let resolved = try await reader.event("resolved") { $0["kind"] as? String == "resolved" }
        #expect(resolved["price"] as? String == "108")
        #expect(reader.events.count == 2)
        #expect(reader.isWithoutHoles)
        _ = try await stage.daemon.output.line("second line") { $0.contains("RESOLVED") }
        let lines = stage.daemon.output.lines.filter { $0.contains("BTC/INR") }
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.first?.contains("BTC/INR ₹110.00 is at or above its maximum ₹110.00") == true)
    }

    @Test func aJumpOverTheBandResolvesAndFires() async throws {
        let stage = try await Stage(rules: Self.band)
        let reader = try await stage.reader()
        try await stage.polls()
        try await stage.exchange.price("btcinr", "120")
        _ = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        try await stage.exchange.price("btcinr", "80")
        _ = try await reader.event("min") { $0["bound"] as? String == "min" }
        #expect(
            reader.events.map { "\($0["kind"] ?? "") \($0["bound"] ?? "")" } == [
                "fired max", "resolved max", "fired min",
            ])
    }

    @Test func frozenAndVanishedSymbolsAreReportedAndStandStill() async throws {
        let stage = try await Stage(rules: Self.band)
        let reader = try await stage.reader()
        try await stage.polls()
        try await stage.exchange.command(["do": "freeze", "symbol": "btcinr"])
        _ = try await reader.event("frozen") { $0["kind"] as? String == "symbol_frozen" }
        try await stage.exchange.price("btcinr", "500")
        try await stage.polls()
        #expect(try await stage.ctl("alerts", "--plain").output.contains("frozen"))
        try await stage.exchange.command(["do": "remove", "symbol": "btcinr"])
        _ = try await reader.event("missing") { $0["kind"] as? String == "symbol_missing" }
        #expect(try await stage.ctl("rules", "--plain").output.contains("1 missing"))
        try await stage.exchange.serve(Stage.tickers)
        _ = try await reader.event("returned") { $0["kind"] as? String == "symbol_returned" }
        let kinds = reader.events.compactMap { $0["kind"] as? String }
        #expect(kinds == ["symbol_frozen", "symbol_missing", "symbol_returned"])
    }

    @Test func oneBadTickerDoesNotDropTheOthers() async throws {
        let stage = try await Stage(rules: Self.band)
        let reader = try await stage.reader()
        try await stage.polls()
        let good = try JSONSerialization.data(withJSONObject: Stage.ticker("btcinr", "200", quote: "inr"))
        let body = """
            [{"symbol":"BAD SYMBOL","lastPrice":"1"},null,7,{"symbol":"x","lastPrice":{"deep":[]}},\
            \(String(decoding: good, as: UTF8.self)),{"symbol":"btcinr","lastPrice":"1"}]
            """
        try await stage.exchange.command(["do": "behave", "body": body])
        let fired = try await reader.event("fired") { $0["kind"] as? String == "fired" }
        #expect(fired["price"] as? String == "200")
        #expect(try await stage.ctl("status").output.contains("bad"))
    }

    @Test func aFeedThatIsSilentIsStaleOnceAndRecovers() async throws {
        let stage = try await Stage(rules: Self.band)
        let reader = try await stage.reader()
        try await stage.polls()
        #expect(try await stage.ctl("list", "--json").output.contains("\"stale\":false"))
        try await stage.exchange.command(["do": "behave", "as": "server_error"])
        _ = try await reader.event("stale") { $0["kind"] as? String == "feed_stale" }
        #expect(try await stage.ctl("list", "--json").output.contains("\"stale\":true"))
        #expect(try await stage.ctl("show", "btcinr", "--json").output.contains("\"stale\":true"))
        try await stage.exchange.command(["do": "normal"])
        _ = try await reader.event("recovered") { $0["kind"] as? String == "feed_recovered" }
        let kinds = reader.all.compactMap { $0["kind"] as? String }
        #expect(kinds.prefix(2) == ["feed_stale", "feed_recovered"])
        #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(kinds)")
        #expect(reader.isWithoutHoles)
    }

    @Test func realRecordedTickersAreAllThere() async throws {
        let recorded = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]
        let stage = try await Stage(rules: Self.band)
        if let recorded {
            let file = "\(recorded)/wazirx/sapi-tickers-24hr_2022-11-21_450.json"
            try await stage.exchange.command(["do": "tickers", "file": file])
        }
        try await stage.polls(3)
        let listed = try await stage.ctl("list", "--plain")
        let rows = listed.output.split(separator: "\n").map(String.init)
        #expect(rows.count == (recorded == nil ? 3 : 450))
        #expect(rows.first?.hasPrefix("btcinr") == true)
    }
}
