import Foundation
import Testing

/// A night of the real exchange, 290 polls of 277 markets, through the real daemon over HTTP in compressed time.
///
/// The expected events are counted by recorded_polls.py, from plain lists of prices. Windows are longer than the whole
/// run, so that compressed time does not matter.
@Suite("Recorded polls, end to end", .timeLimit(.minutes(10)))
struct RecordedPollsTests {
    static let folder = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"].map { "\($0)/wazirx" }

    static let rules = """
        [[rule]]
        name = "btc band"
        symbol = "btcinr"
        min = "4_360_000"
        max = "4_480_000"
        hysteresis = "0.5%"

        [[rule]]
        name = "doge zone"
        symbol = "dogeinr"
        within = ["42", "43"]
        hysteresis = "0.1"

        [[rule]]
        name = "etc bare"
        symbol = "etcinr"
        max = "10000"

        [[rule]]
        name = "btc dollars"
        symbol = "btcusdt"
        currency = "USD"
        max = "57000"

        [[rule]]
        name = "eth middle"
        symbol = "ethusdt"
        price = "mid"
        min = "3480"

        [[rule]]
        name = "eth in rupees"
        symbol = "ethwrx"
        currency = "INR"
        max = "270000"

        [[rule]]
        name = "xrp in kronor"
        symbol = "xrpinr"
        currency = "SEK"
        min = "14.4"

        [[rule]]
        name = "eth cross"
        symbol = "ethinr"
        cross = "275000"

        [[rule]]
        name = "sudden drop"
        symbol = "*inr"
        fall = "5%"
        window = "2h"

        [[rule]]
        name = "rally"
        symbol = "*usdt"
        rise = "5%"
        window = "2h"

        [[rule]]
        name = "never traded"
        symbol = ["solinr", "kmdinr"]
        min = "1"
        """

    @Test(.enabled(if: folder != nil, "ALERTD_RECORDED_DATA names no folder"))
    func aNightOfTheExchangeNotifiesWhatItHasTo() async throws {
        let scratch = TestFolder()
        let expected = try await Self.expectations(in: scratch)
        let polls = try #require(expected["polls"] as? Int)
        let stage = try await Stage(
            rules: Self.rules, rates: try Self.rates(), sequence: "\(scratch.path)/responses.json")
        try await stage.exchange.command(
            ["do": "wait", "answered": polls + 3, "limit_ms": 240_000], limit: .seconds(250))

        let events = try await stage.json("events", "--limit", "10000")["events"] as? [[String: Any]] ?? []
        let counts = Self.counts(of: events)
        let wanted = try #require(expected["rules"] as? [String: [String: Int]])
        #expect(counts == wanted)
        let frozen = events.filter { $0["kind"] as? String == "symbol_frozen" }.compactMap { $0["symbol"] as? String }
        #expect(frozen == ["solinr", "kmdinr"])
        let numbers = events.compactMap { $0["number"] as? Int }.sorted()
        #expect(numbers == Array(1...numbers.count), "numbers have holes or repeats")
        let status = try await stage.json("status")
        #expect((status["feed"] as? [String: Any])?["bad_elements"] as? Int ?? 0 == 0)
    }

    /// How often each rule and bound fired and resolved.
    static func counts(of events: [[String: Any]]) -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for event in events {
            guard let kind = event["kind"] as? String, kind == "fired" || kind == "resolved",
                let rule = event["rule"] as? String, let bound = event["bound"] as? String
            else { continue }
            counts["\(rule) \(bound)", default: ["fired": 0, "resolved": 0]][kind, default: 0] += 1
        }
        return counts
    }

    private static func expectations(in scratch: TestFolder) async throws -> [String: Any] {
        let folder = try #require(folder)
        let files = ["btc", "inr", "usdt", "wrx"].map { "\(folder)/api-v2-polls_2021-05-06_\($0).csv.gz" }
        let responses = try scratch.write("", to: "responses.json")
        let finished = try await run(
            "/usr/bin/env", ["python3", sourceFile("recorded_polls.py"), responses] + files, limit: .seconds(240))
        let object = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        return try #require(object as? [String: Any], "\(finished.errors)")
    }

    /// The reference rates of that month, with today's date: older ones would be stale.
    private static func rates() throws -> String {
        let folder = try #require(folder)
        let text = try String(contentsOfFile: "\(folder)/../ecb/eurofxref-daily_2021-05-27.xml", encoding: .utf8)
        let today = Date().formatted(.iso8601.year().month().day())
        return text.replacingOccurrences(of: "2021-05-27", with: today)
    }
}
