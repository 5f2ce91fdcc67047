import Control
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient

struct ListExtraTests {
    private let shipped = packageFolder.appending(path: "share/alertd/assets.toml").path

    private func run(_ words: [String], files: [String]? = nil) -> Run {
        let run = Run(width: 200)
        let files = files ?? [shipped]
        run.environment.assetFiles = { files }
        run(words)
        return run
    }

    @Test func assetsHaveNamesAndAreFoundByThem() {
        #expect(run(["list"]).output.contains("Bitcoin"))
        let found = run(["list", "bitCOIN", "--plain"]).output.split(separator: "\n")
        #expect(found.count == 1 && found[0].hasPrefix("btcinr\t"))
        #expect(run(["list", "shib", "--plain"]).output.hasPrefix("shibinr\t"))
        #expect(run(["list", "nothing at all"]).output.contains("No symbols match."))
    }

    /// Nobody knows that `bitcoin` is `btc`, so a market of that asset is suggested, not one with a similar name.
    @Test func theNameOfAnAssetIsNoSymbolButMeansOne() {
        let run = Run()
        let files = [shipped]
        run.environment.assetFiles = { files }
        run.daemon.failures[.getSymbol] = { parameters in
            let symbol = (parameters as? GetSymbolParameters)?.symbol ?? ""
            return .noSuchSymbol(NoSuchSymbol(symbol: symbol, suggestion: symbol == "btc" ? "btcinr" : "bicoinr"))
        }
        #expect(run("show Bitcoin") == 4)
        #expect(run.errors == "alertctl: there is no symbol 'bitcoin'; did you mean btcinr?\n")
        #expect(run.daemon.asked == [.getSymbol, .getSymbol])
        #expect(run("show bitcoins") == 4 && run.errors.hasSuffix("'bitcoins'; did you mean bicoinr?\n"))
        run.daemon.failures = [:]
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "BITCOIN cannot be converted"))
        #expect(run("convert 1 bitcoin USD") == 2)
        #expect(run.errors.hasSuffix("'bitcoin' is not a known currency; did you mean BTC?\n"), "\(run.errors)")
        #expect(run("convert 1 btc dollars") == 2)
        #expect(run.errors.hasSuffix("'dollars' is not a known currency; did you mean USD (US dollar)?\n"))
    }

    /// A price service has no bids, but a market among its coins has one.
    @Test func coinsAloneHaveNoColumnsOfAnExchange() {
        let run = Run(width: 300)
        var symbols = Sample.symbols
        symbols[0].rank = 1
        for isMixed in [true, false] {
            if !isMixed { for index in symbols.indices { symbols[index].rank = index + 1 } }
            run.daemon.replies[.listTickers] = ListTickersReply(
                simulated: false, source: "wazirx", received: Sample.received, stale: false, symbols: symbols)
            let before = run.output.count
            run("list")
            let titles = run.output.dropFirst(before)
            #expect(titles.contains("RANK") && titles.contains("BID") == isMixed, "\(titles)")
        }
    }

    @Test func withoutNamesThereIsNoColumn() {
        #expect(!run(["list"], files: []).output.contains("NAME"))
    }

    @Test func ownNamesTakePrecedenceAndFaultsAreReported() throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "assets-\(UInt64.random(in: 0 ... .max)).toml")
        try Data("[names]\nbtc = \"Gold\"\neth = 5\n[others]\n".utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let run = run(["list"], files: [shipped, "/nowhere/at/all.toml", path.path])
        #expect(run.output.contains("Gold") && !run.output.contains("Bitcoin"))
        #expect(run.errors.contains("the name of 'eth' is not a string"))
        #expect(run.errors.contains("'others' is not known"))
    }

    @Test func theShippedFileNamesMostAssets() throws {
        let text = try String(contentsOfFile: shipped, encoding: .utf8)
        let keys = text.split(separator: "\n").filter { $0.contains(" = ") }.map { $0.prefix { $0 != " " } }
        #expect(keys.count >= 200)
        #expect(keys == keys.sorted() && Set(keys).count == keys.count)
    }

    @Test func showsWhatAnAmountBuys() {
        let run = run(["list", "--amount", "₹75,13,000.50"])
        #expect(run.output.contains("₹75,13,000.50 BUYS"))
        #expect(run.output.contains("1 BTC"))
        #expect(self.run(["list", "--amount", "lots"]).errors.contains("--amount takes an amount"))
        #expect(self.run(["list", "--amount", "0 INR"]).errors.contains("greater than 0"))
    }

    @Test func theWeekIsAskedForAndSortedBy() throws {
        let run = Run(width: 200)
        var reply = try #require(run.daemon.replies[.listTickers] as? ListTickersReply)
        reply.symbols[0].pastChangePercent = "-12.34"
        run.daemon.replies[.listTickers] = reply
        #expect(run("list --week") == 0)
        #expect(run.output.contains("7 DAYS %") && run.output.contains("-12.34"))
        let asked = run.daemon.parameters.compactMap { ($0 as? ListTickersParameters)?.changeFrom }
        #expect(asked == ["\(WallTime(milliseconds: Sample.now.milliseconds - 604_800_000))"])
        #expect(run.output("list --sort week --json").contains(#""change_7d_percent":"-12.34""#))
        let plain = Run(width: 200)
        #expect(!plain.output("list --json").contains("change_7d_percent"))
        #expect(plain.daemon.parameters.compactMap { ($0 as? ListTickersParameters)?.changeFrom } == [])
    }

    @Test func trendsAreReadForTheShownRowsOnly() {
        let run = Run(width: 200)
        let bars = (0..<24).map { hour in
            let time = WallTime(milliseconds: Sample.now.milliseconds - Int64(24 - hour) * 3_600_000 + 60_000)
            return PriceBar(
                time: time.description, open: "1", high: "9", low: "1", close: "\(hour + 1)", samples: 3)
        }
        run.daemon.replies[.listBars] = ListBarsReply(simulated: false, bars: bars)
        run("list --trend --top 2")
        #expect(run.daemon.asked.count { $0 == .listBars } == 2)
        #expect(run.output.contains("TREND") && run.output.contains("▁▁▂▂"))
    }
    @Test func withoutHistoryATrendSaysSo() {
        let run = Run(width: 200)
        run.daemon.replies[.listBars] = ListBarsReply(simulated: false, bars: [])
        #expect(run.output("list btc --trend").contains("no history yet"))
        #expect(run.output("list btc --trend --json").contains(#""trend":null"#))
    }
}
