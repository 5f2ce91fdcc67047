import EventLoop
import Foundation
import Market
import Replay
import TestSupport
import Testing
import Time

/// Three sources over HTTP, rules on each of them, gaps that are looked up and a check of two of them, while the daemon
/// is killed at random instants.
@Suite("Kills with three sources, end to end", .timeLimit(.minutes(20)))
struct SourceKillTests {
    private static let sources = [("wazirx", "wazirx"), ("binance", "binance"), ("office", "json")]
    private static let names = sources.map(\.0)
    /// Those that have candles.
    private static let exchanges = ["wazirx", "binance"]
    private static let coins = (0..<4).map { "coin\($0)usdt" }
    /// How often the daemon is killed at least.
    private static let kills = LongRun.count(300, otherwise: 10)

    private static var settings: String {
        let bands = names.flatMap { name in
            (["btcusdt"] + coins).map { "[[rule]]\nname = \"\(name) \($0)\"\nsymbol = \"\(name):\($0)\"\nmax = 110\n" }
        }
        let crossings = names.map {
            "[[rule]]\nname = \"\($0) crossing\"\nsymbol = \"\($0):ethusdt\"\ncross_up = 105\n"
        }
        let check = "[[check]]\nsymbols = [\"wazirx:btcusdt\", \"binance:btcusdt\"]\nwithin = \"8%\"\n"
        return (bands + crossings).joined() + check
    }

    /// Starts a daemon that was away for two hours, with exchanges where each price reached a limit in that time.
    private static func start() async throws -> Exchanges {
        let symbols = ["btcusdt", "ethusdt"] + coins
        let tickers = symbols.map { Stage.ticker($0, "100", quote: "usdt") }
        let exchanges = try await Exchanges(sources, tickers: tickers, settings) { settings, folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let time = WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000) - 2 * 3_600_000)
            let past = try coins.map { name in
                Ticker(
                    symbol: try #require(Symbol(name)), quote: Asset("usdt"), last: try Price("100"),
                    volume: try Price("5"), bid: try Price("100"), ask: try Price("100"))
            }
            let names = Self.exchanges.map { SourceName(unchecked: $0) }
            try await onLoop { () throws in
                try leavePastPoll(settings: settings, folder: folder, tickers: past, of: names, at: time)
            }
        }
        for name in Self.exchanges {
            let candles: [String: Any] = ["do": "candles", "low": 95, "high": 120, "delay_ms": 150]
            try await exchanges.all[name]?.command(candles)
        }
        return exchanges
    }

    @Test func killsNeitherLoseNorRepeatAnything() async throws {
        let scene = try await Self.start()
        var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
        var (kills, touched) = (0, 0)
        var delivered = ""
        while kills < Self.kills || touched < Self.exchanges.count * Self.coins.count {
            let isHigh = kills % 2 == 0
            for name in Self.names {
                // In some rounds the prices of the check stay apart.
                let isLate = name == "binance" && kills % 4 == 0
                try await scene.price(name, "btcusdt", isHigh && !isLate ? "12\(kills % 10)" : "9\(kills % 10)")
                try await scene.price(name, "ethusdt", isHigh ? "106" : "104")
            }
            // A request for candles begins each second, and is answered 150 ms later.
            usleep(UInt32.random(in: 0..<1_500_000, using: &random))
            try await scene.kill()
            try await scene.daemon.output.end()
            delivered += scene.daemon.output.text
            kills += 1
            try await scene.start()
            // The prices were seen by the process before or by this one.
            try await scene.sources { $0.allSatisfy { $0["polls"] as? Int ?? 0 > 1 } }
            touched = try await scene.events().count { $0["kind"] as? String == "touched" }
        }
        try await scene.sources { $0.allSatisfy { $0["gaps"] as? Int ?? 0 == 0 } }
        let events = try await scene.events()
        try await scene.kill()
        try await scene.daemon.output.end()
        delivered += scene.daemon.output.text
        check(events)
        print("\(kills) kills, \(events.count) events of three sources")
        let texts = events.filter { $0["notified"] as? Bool == true && $0["kind"] as? String != "symbol_missing" }
            .compactMap { $0["text"] as? String }
        let missing = Set(texts).filter { !delivered.contains($0) }
        #expect(missing.isEmpty)
    }

    private func check(_ events: [[String: Any]]) {
        #expect(events.compactMap { $0["number"] as? Int } == Array(1...events.count))
        func kinds(_ rule: String) -> [String] {
            events.filter { $0["rule"] as? String == rule }.compactMap { $0["kind"] as? String }
        }
        for name in Self.names {
            let band = kinds("\(name) btcusdt")
            // The prices of the check are apart in every other round that has high ones.
            #expect(band.count > Self.kills / 4 && alternates(band, "fired", "resolved"), "\(name): \(band)")
            let crossings = kinds("\(name) crossing")
            #expect(!crossings.isEmpty && crossings.allSatisfy { $0 == "fired" }, "\(name): \(crossings)")
            // Each limit that was reached in a gap is notified of once.
            for coin in Self.coins {
                #expect(
                    kinds("\(name) \(coin)") == (Self.exchanges.contains(name) ? ["touched"] : []), "\(name) \(coin)")
            }
        }
        let checks = events.compactMap { $0["kind"] as? String }.filter { ["diverged", "converged"].contains($0) }
        #expect(!checks.isEmpty && alternates(checks, "diverged", "converged"), "\(checks)")
    }

    private func alternates(_ kinds: [String], _ first: String, _ second: String) -> Bool {
        kinds.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? first : second) }
    }
}
