import Foundation
import Testing

/// CoinRanking and an exchange, and a daemon that polls both.
private final class Coins {
    let folder = TestFolder()
    let service: Exchange
    let exchange: Exchange
    private var daemon: Program?
    private var environment: [String: String] = [:]

    private var runtime: String { "\(folder.path)/run" }

    static let few = [
        coin("big", "ABC", "Big \u{1F984}", "5"), coin("small", "ABC", "Small", "2"),
        coin("q-1", "BTC", "Bitcoin", "64000.5"),
    ]

    init(_ coins: [[String: String]] = few, count: Int = 100) async throws {
        (service, exchange) = (try await Exchange(tls: nil), try await Exchange(tls: nil))
        try await exchange.serve(Stage.tickers)
        try setKey("first")
        try await serve(coins)
        _ = try folder.write(
            """
            [[source]]
            type = "wazirx"
            url = "\(exchange.url())"
            interval = "100ms"
            [[source]]
            type = "coinranking"
            url = "\(service.url())"
            interval = "100ms"
            max_gap = "1h"
            count = \(count)
            credential = "coins"
            [rates]
            enabled = false
            [sinks]
            journal = false
            [[rule]]
            name = "small"
            symbol = "coinranking:abcsmallusd"
            max = 3
            """, to: "alertd.toml")
        try await start()
    }

    static func coin(_ uuid: String, _ symbol: String, _ name: String, _ price: String) -> [String: String] {
        ["uuid": uuid, "symbol": symbol, "name": name, "price": price]
    }

    func serve(_ coins: [[String: String]], key: String = "first") async throws {
        try await service.command(["do": "coins", "list": coins, "key": key])
    }

    /// Waits for a message.
    func logged(_ condition: (String) -> Bool) async throws -> String {
        try await #require(daemon).errors.line("message", where: condition)
    }

    func setKey(_ key: String) throws {
        environment = try folder.credentials(["coins": "\(key)\n"])
    }

    func start() async throws {
        let daemon = try Program(
            try builtProgram("alertd"),
            ["--config", "\(folder.path)/alertd.toml", "--runtime-dir", runtime, "--state-dir", runtime],
            environment: environment)
        self.daemon = daemon
        _ = try await daemon.errors.line("start message", where: { $0.contains("version") })
        _ = try await status { $0["state"] as? String == "ok" }
    }

    func kill() async throws {
        daemon?.signal(SIGKILL)
        _ = try await daemon?.exitCode()
    }

    func ctl(_ arguments: [String]) async throws -> Finished {
        try await run(
            try builtProgram("alertctl"), ["--socket", "\(runtime)/org.alertd.Control"] + arguments,
            environment: ["LANG": "C.UTF-8"])
    }

    func json(_ arguments: String...) async throws -> [String: Any] {
        let finished = try await ctl(arguments + ["--json"])
        let value = try? JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        return try #require(value as? [String: Any], "\(arguments): \(finished)")
    }

    /// Waits until the status of the service satisfies the condition.
    @discardableResult
    func status(_ condition: ([String: Any]) -> Bool) async throws -> [String: Any] {
        let deadline = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < deadline {
            let sources = try #require(try await json("status")["sources"] as? [[String: Any]])
            if let found = sources.last, condition(found) { return found }
        }
        throw TimedOut(description: "the status of the service")
    }

    /// How often a path was requested.
    func requests(_ end: String) async throws -> Int {
        let paths = try await service.report()["paths"] as? [String: Int] ?? [:]
        return paths.filter { $0.key.hasSuffix(end) }.values.reduce(0, +)
    }

    func prices() async throws -> [String: String] {
        let symbols = try #require(try await json("list", "--source", "coinranking")["symbols"] as? [[String: Any]])
        return Dictionary(
            symbols.map { ($0["symbol"] as? String ?? "", $0["last"] as? String ?? "") }
        ) { first, _ in first }
    }
}

@Suite("CoinRanking, end to end", .timeLimit(.minutes(10)))
struct CoinTests {
    /// Two coins with the same ticker symbol never swap: not when their places do, and not over a kill.
    @Test func coinsWithTheSameSymbolNeverSwap() async throws {
        let coins = try await Coins()
        let expected = ["abcusd": "5", "abcsmallusd": "2", "btcusd": "64000.5"]
        #expect(try await coins.prices() == expected)
        try await coins.serve(Coins.few.reversed())
        let polls = try await coins.status { _ in true }["polls"] as? Int ?? 0
        try await coins.status { ($0["polls"] as? Int ?? 0) > polls + 1 }
        #expect(try await coins.prices() == expected)
        for _ in 0..<3 {
            try await coins.kill()
            try await coins.start()
            #expect(try await coins.prices() == expected)
        }
        let events = try #require(try await coins.json("events")["events"] as? [[String: Any]])
        #expect(!events.contains { $0["kind"] as? String == "fired" }, "\(events)")
    }

    @Test func aListHasPagesAndRanks() async throws {
        let many = (1...45).map { Coins.coin("u\($0)", "C\($0)", "Coin \($0)", "\(1_000 - $0)") }
        let coins = try await Coins(many, count: 45)
        let page = try await coins.json("list", "--source", "coinranking", "--page", "2")
        let symbols = try #require(page["symbols"] as? [[String: Any]])
        #expect(page["pages"] as? Int == 3 && symbols.count == 20)
        #expect(symbols.first?["symbol"] as? String == "c21usd" && symbols.first?["rank"] as? Int == 21)
        #expect(symbols.first?["name"] as? String == "Coin 21")
        #expect(symbols.first?["market_cap"] as? String == "47619047619", "\(symbols.first ?? [:])")
        let cheapest = try await coins.json("list", "--source", "coinranking", "--sort", "price", "--top", "1")
        #expect("\(cheapest)".contains("c45usd"))
        let text = try await coins.ctl(["list", "--source", "coinranking", "--sort", "change", "--reverse"])
        #expect(text.output.contains("RANK") && text.output.contains("MARKET CAP"), "\(text)")
        #expect(!text.output.contains("SPREAD"), "\(text.output)")
    }

    @Test func aCoinIsShownWithEverything() async throws {
        let coins = try await Coins()
        let shown = try await coins.json("show", "coinranking:btcusd")
        let coin = try #require(shown["coin"] as? [String: Any])
        #expect(coin["identity"] as? String == "q-1" && coin["tier"] as? Int == 1)
        #expect(coin["link"] as? String == "https://coinranking.com/coin/q-1")
        #expect(coin["sparkline"] as? [String] == ["1.5", "2", ""])
        let symbol = try #require(shown["symbol"] as? [String: Any])
        #expect(symbol["rank"] as? Int == 3 && symbol["change_percent"] as? String == "0.5", "\(symbol)")
        #expect(symbol["turnover"] as? String == "333333333", "\(symbol)")
        let text = try await coins.ctl(["show", "coinranking:btcusd"]).output
        for word in ["Bitcoin", "Rank", "Market cap", "Turnover 24h", "Listed since", "coinranking.com/coin/q-1"] {
            #expect(text.contains(word), "\(word): \(text)")
        }
        // The name of an asset is that of the service also in the list of the exchange.
        let listed = try #require(
            try await coins.json("list", "--source", "wazirx", "--match", "btcinr")["symbols"] as? [[String: Any]])
        #expect(listed.first?["name"] as? String == "Bitcoin", "\(listed)")
        #expect(try await coins.json("show", "wazirx:btcinr")["coin"] == nil)
    }

    /// Past prices are requested once, kept over a kill, and not asked for in vain.
    @Test func pastPricesAreRequestedOnce() async throws {
        let coins = try await Coins()
        let now = Int(Date().timeIntervalSince1970)
        let points = (0..<100).map { [now - (100 - $0) * 36_000, "\(100 + $0)"] as [Any] }
        try await coins.service.command(["do": "past", "points": points])
        let first = try await coins.json("history", "coinranking:btcusd", "--period", "30d")
        #expect((first["prices"] as? [[String: Any]])?.count == 100, "\(first)")
        #expect(first["change_percent"] as? String == "1.25" && first["period"] as? String == "30d")
        let chart = try await coins.json("chart", "coinranking:btcusd", "--period", "30d")
        #expect((chart["bars"] as? [[String: Any]])?.count == 100, "\(chart)")
        let text = try await coins.ctl(["history", "coinranking:btcusd", "--period", "30d"])
        #expect(text.output.contains("Past prices from coinranking") && text.output.contains("199"), "\(text)")
        try await coins.kill()
        try await coins.start()
        let last = try await coins.json("history", "coinranking:btcusd", "--period", "30d", "--last", "1")
        #expect((last["prices"] as? [[String: Any]])?.first?["price"] as? String == "199", "\(last)")
        #expect(try await coins.requests("/coin/q-1/history") == 1)
        let shown = try await coins.json("show", "coinranking:btcusd")
        #expect("\(shown["coin"] ?? "")".contains("30d"), "\(shown)")
        let refused = try await coins.ctl(["history", "wazirx:btcinr", "--period", "30d"])
        #expect(refused.code != 0 && refused.errors.contains("has no past prices"), "\(refused)")
        #expect(try await coins.status { _ in true }["failures"] as? Int == 0)
    }

    /// A key that is refused is not used again; polling resumes by itself with another one.
    /// How many requests polling makes in a month, and the memory of each source.
    @Test func aStartSaysWhatSourcesTake() async throws {
        let coins = try await Coins()
        let start = try await coins.logged { $0.contains("version ") }
        // Ten a second, for 31 days.
        #expect(start.contains("every 100ms, about 26784000 requests a month"), "\(start)")
        let history = try await coins.logged { $0.contains("history: ") }
        #expect(history.hasSuffix("at most 32.0 MiB for each of 2 sources"), "\(history)")
    }

    @Test func aNewKeyIsNeeded() async throws {
        let coins = try await Coins()
        try await coins.serve(Coins.few, key: "second")
        let failed = try await coins.status { $0["state"] as? String == "unauthorized" }
        #expect("\(failed["message"] ?? "")".contains("get a key at developers.coinranking.com"), "\(failed)")
        let before = try await coins.requests("/coins")
        let polls = failed["polls"] as? Int ?? 0
        try await coins.status { ($0["polls"] as? Int ?? 0) > polls + 1 }
        #expect(try await coins.requests("/coins") == before)
        let past = try await coins.ctl(["history", "coinranking:btcusd", "--period", "1y"])
        #expect(past.code != 0 && past.errors.contains("does not accept the key"), "\(past)")
        #expect(try await coins.requests("/history") == 0)
        _ = try await coins.json("reload")
        while try await coins.requests("/coins") == before {}
        try coins.setKey("second")
        try await coins.status { $0["state"] as? String == "ok" }
    }
}
