import Foundation
import Testing

@Suite("History and export, end to end", .timeLimit(.minutes(10)))
struct HistoryCommandTests {
    @Test func favouritesAreInTheFolderOfTheUser() async throws {
        let folder = TestFolder()
        let alertctl = try builtProgram("alertctl")
        for variables in [["XDG_CONFIG_HOME": "\(folder.path)/a/b"], ["HOME": folder.path, "XDG_CONFIG_HOME": ""]] {
            let added = try await run(alertctl, ["favourites", "add", "btcinr"], environment: variables)
            #expect(added.code == 0, "\(added)")
        }
        for file in ["a/b/alertctl/favourites", ".config/alertctl/favourites"] {
            #expect(try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8) == "btcinr\n")
        }
    }

    @Test func pastPricesAreShownAndExported() async throws {
        let stage = try await Stage(rules: AlertTests.band)
        try await stage.polls(3)
        try await stage.exchange.price("btcinr", "101.50")
        try await stage.polls(3)
        let prices = try #require(try await stage.json("history", "btcinr")["prices"] as? [[String: Any]])
        let texts = prices.compactMap { $0["price"] as? String }
        #expect(texts.first == "100")
        #expect(texts.last == "101.50")
        #expect(prices.count >= 6)
        let last = try #require(try await stage.json("history", "btcinr", "-n", "2")["prices"] as? [[String: Any]])
        #expect(last.compactMap { $0["price"] as? String } == ["101.50", "101.50"])

        let bars = try #require(
            try await stage.json("history", "btcinr", "--since", "1h", "--step", "1d")["bars"] as? [[String: Any]])
        #expect(bars.reduce(0) { $0 + ($1["samples"] as? Int ?? 0) } >= prices.count)
        #expect(bars.last?["high"] as? String == "101.50")
        let table = try await stage.ctl("history", "btcinr")
        #expect(table.output.contains("CLOSE"), "\(table.output) \(table.errors)")

        let exported = try await stage.ctl("export", "--symbol", "btc*")
        let lines = exported.output.split(separator: "\n")
        #expect(exported.code == 0)
        #expect(lines.first?.contains(#""alertctl_export":"prices""#) == true)
        #expect(lines.dropFirst().first?.contains(#""symbol":"btcinr","price":"100"}"#) == true)
        #expect(lines.last == "{\"complete\":true,\"records\":\(lines.count - 2)}")
        #expect(!exported.output.contains("ethinr"))
        let unknown = try await stage.ctl("history", "btcirn")
        #expect(unknown.code == 4)
        #expect(unknown.errors.contains("btcinr"))
    }
}
