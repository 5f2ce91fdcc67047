import Foundation
import Testing

@Suite("Import, end to end", .timeLimit(.minutes(10)))
struct ImportCommandTests {
    @Test func klinesAreImportedOnceAndStay() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls()
        // One kline per minute for the two hours that ended ten minutes ago, unordered.
        let end = Int(Date().timeIntervalSince1970) / 60 * 60 - 600
        let klines = (1...120).reversed().map { minute in
            let open = (end - minute * 60) * 1_000
            return "\(open),1,9,1,\(minute).25,3,\(open + 59_999),1,1,1,1,0\n"
        }
        let file = try stage.folder.write(klines.joined(), to: "klines.csv")
        let first = try await stage.json("import", "--symbol", "btcinr", file)
        #expect(first["added"] as? Int == 120)
        let second = try await stage.json("import", "--symbol", "btcinr", file)
        #expect(second["added"] as? Int == 0)
        #expect(second["duplicates"] as? Int == 120)

        let since = "\(end - 7_200)"
        for isRestarted in [false, true] {
            if isRestarted {
                stage.daemon.signal(SIGKILL)
                _ = try await stage.daemon.exitCode()
                try await stage.restart()
            }
            let time = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(Int(since) ?? 0)))
            let until = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(end)))
            let kept = try await stage.json("history", "btcinr", "--since", time, "--until", until)
            let prices = try #require(kept["prices"] as? [[String: Any]]).compactMap { $0["price"] as? String }
            #expect(prices == (1...120).reversed().map { "\($0).25" })
        }
        let bad = try stage.folder.write(klines.joined() + "x,1\n", to: "bad.csv")
        let refused = try await stage.ctl("import", "--symbol", "btcinr", bad)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("bad.csv:121: it has 2 columns"), "\(refused.errors)")
        let unknown = try await stage.ctl("import", "--symbol", "btcirn", file)
        #expect(unknown.code == 4)
    }

    @Test func anExportIsCarriedToAnotherMachine() async throws {
        let first = try await Stage(rules: AlertTests.band)
        try await first.polls(5)
        let file = first.folder.path + "/prices.csv"
        #expect(try await first.ctl("export", "--until", "now", "--output", file).code == 0)
        let second = try await Stage(rules: AlertTests.band, tickers: [Stage.ticker("xinr", "5", quote: "inr")])
        try await second.polls()
        let imported = try await second.json("import", file)
        #expect(imported["added"] as? Int == imported["prices"] as? Int)
        #expect(imported["prices"] as? Int ?? 0 >= 15)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let again = try await second.ctl("export", "--symbol", "btcinr", "--symbol", "eth*", "--format", "csv")
        for line in text.split(separator: "\n") where line.contains("btcinr,") || line.contains("ethinr,") {
            #expect(again.output.contains(line))
        }
    }
}
