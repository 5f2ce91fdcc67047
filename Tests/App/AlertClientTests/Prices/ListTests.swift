import Control
import TestSupport
import Testing

@testable import AlertClient

struct ListTests {
    private func symbols(_ line: String) -> [String] {
        Run().output(line + " --plain").split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func keepsTheOrderOfTheResponse() {
        #expect(symbols("list") == ["btcinr", "shibinr", "ethusdt", "deadinr"])
    }

    @Test func sortsByAnyColumnWithMissingValuesLast() {
        #expect(symbols("list --sort symbol") == ["btcinr", "deadinr", "ethusdt", "shibinr"])
        #expect(symbols("list --sort last") == ["shibinr", "ethusdt", "btcinr", "deadinr"])
        #expect(symbols("list --sort last --reverse") == ["btcinr", "ethusdt", "shibinr", "deadinr"])
        #expect(symbols("list --sort change --reverse") == ["btcinr", "ethusdt", "shibinr", "deadinr"])
        #expect(symbols("list --sort volume") == ["btcinr", "ethusdt", "shibinr", "deadinr"])
        #expect(symbols("list --sort firing --reverse") == ["btcinr", "shibinr", "ethusdt", "deadinr"])
    }

    @Test func sortsNumbersExactlyAndNotAsText() {
        // As binary fractions the first two would be equal.
        let values = ["9007199254740993.1", "9007199254740993.2", "10", "9", "0.00000000000000001", "-3"]
        let rows = values.map { [Cell(.decimal($0))] } + [[Cell(.missing)], [Cell(.decimal("no number"))]]
        let ascending = sorted(rows, isDescending: false) { $0[0].sortKey }.map { plain($0[0].value) }
        #expect(ascending == ["-3", "0.00000000000000001", "9", "10"] + values[0...1] + ["", "no number"])
        let reversed = sorted(rows, isDescending: true) { $0[0].sortKey }.map { plain($0[0].value) }
        #expect(reversed == [values[1], values[0], "10", "9", "0.00000000000000001", "-3", "", "no number"])
    }

    @Test func everyColumnCanBeSortedBy() {
        for column in listColumns { #expect(Run()("list --sort \(column.sortName)") == 0) }
    }

    @Test func sortsByAgeAndNotByTheTimeItself() {
        let run = Run()
        let old = SymbolStatus(
            source: "wazirx", symbol: "old", received: "2026-11-21T06:00:00.000Z", state: .missing, firing: 0)
        let new = SymbolStatus(
            source: "wazirx", symbol: "new", received: "2026-11-21T06:19:00.000Z", state: .ok, firing: 0)
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", stale: false, symbols: [old, new])
        #expect(run.output("list --sort age --plain").hasPrefix("new"))
    }

    @Test func limitsAndFilters() {
        #expect(symbols("list --sort last --top 2") == ["shibinr", "ethusdt"])
        #expect(symbols("list --top 0") == [])
        #expect(symbols("list --firing") == ["btcinr"])
    }

    private func longList() -> Run {
        let run = Run()
        let all = (1...45).map { number in
            SymbolStatus(
                source: "wazirx", symbol: "c\(number)inr", quote: "inr", last: "\(number)",
                received: "2026-11-21T06:19:00.000Z", state: .ok, firing: 0)
        }
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: "2026-11-21T06:19:00.000Z", stale: false, symbols: all)
        return run
    }

    @Test func pagesAreOfTheSortedList() {
        let names = { (line: String) in
            self.longList().output("list --plain " + line).split(separator: "\n").map { row in
                String(row.prefix { $0 != "\t" })
            }
        }
        #expect(names("--page 1") == (1...20).map { "c\($0)inr" })
        #expect(names("--page 3 --sort last --reverse") == (1...5).reversed().map { "c\($0)inr" })
        #expect(names("--page 2 --top 22") == ["c21inr", "c22inr"])
        #expect(longList().output("list --page 2 --json").contains("\"page\":2,\"pages\":3"))
        #expect(longList().output("list --page 2").hasSuffix("Page 2 of 3; --page 3 shows the next\n"))
        #expect(longList().output("list --page 3").hasSuffix("Page 3 of 3\n"))
        for number in ["0", "4", "x"] { #expect(longList()("list --page \(number)") == 2) }
    }

    private func run(withLimits change: (inout SymbolStatus) -> Void, width: Int? = nil) -> Run {
        let run = Run(width: width)
        var symbol = Sample.symbols[0]
        change(&symbol)
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", stale: false, symbols: [symbol, Sample.symbols[1]])
        var rates = Sample.rates
        rates.rates = [("INR", "100"), ("SEK", "10")].map { ReferenceRate(currency: $0, rate: $1) }
        run.daemon.replies[.rates] = rates
        return run
    }

    @Test func aLimitInAnotherCurrencyIsShownInThatOfTheDisplay() {
        func run(width: Int? = nil) -> Run {
            self.run(withLimits: { ($0.max, $0.maxCurrency) = ("160500.5", "SEK") }, width: width)
        }
        let json = run().output("list --json")
        #expect(json.contains("\"min\":\"4800000\",\"max\":\"160500.5\""))
        #expect(json.contains("\"min_currency\":\"INR\",\"max_currency\":\"SEK\""))
        #expect(json.contains("\"min_currency\":null,\"max_currency\":null"))
        let converted = run().output("list --json --currency INR")
        #expect(converted.contains("\"max\":\"1605005\"") && converted.contains("\"max_currency\":\"INR\""))
        #expect(run(width: 100).output("list --currency inr").contains("₹48,00,000.00  ₹16,05,005.00"))
        #expect(run(width: 100).output("list --currency sek").contains("160 500,50 kr".replacing(" ", with: "\u{A0}")))
        #expect(
            run(width: 100).output("list --currency quote").contains("160 500,50 kr".replacing(" ", with: "\u{A0}")))
        let shown = self.run(withLimits: { _ in })
        shown.daemon.replies[.getSymbol] = GetSymbolReply(
            simulated: false, stale: false,
            symbol: {
                var symbol = Sample.symbols[0]
                (symbol.max, symbol.maxCurrency) = ("160500.5", "SEK")
                return symbol
            }(), alerts: [], prices: [])
        #expect(shown.output("show btcinr --json").contains("\"max_currency\":\"SEK\""))
    }

    @Test func turnoverIsVolumeAtTheLastPrice() {
        #expect(symbols("list --quote inr --sort turnover --reverse") == ["btcinr", "ethusdt", "shibinr", "deadinr"])
        let json = Run().output("list --json")
        #expect(json.contains("\"volume\":\"1.25\",\"turnover\":\"9391250.625\""))
        #expect(json.contains("\"volume\":null,\"turnover\":null"))
        let huge = self.run(withLimits: { ($0.last, $0.volume) = ("92233720368547758", "9223372036854775807") })
        #expect(huge("list --json") == 0)
    }

    @Test func spreadIsThatBetweenBidAndAsk() {
        #expect(Run().output("list --json").contains("\"ask\":\"7514000.0\",\"spread_percent\":\"0.03\""))
        #expect(symbols("list --sort spread") == ["ethusdt", "btcinr", "shibinr", "deadinr"])
    }

    @Test func theColumnSortedByIsShownOnANarrowTerminal() {
        #expect(!Run(width: 60).output("list").contains("TURNOVER"))
        #expect(Run(width: 60).output("list --sort turnover").contains("TURNOVER"))
    }

    @Test func handsPatternAndQuoteToTheDaemon() throws {
        let run = Run()
        run("list --match *inr --quote inr")
        let asked = try #require(run.daemon.parameters.first as? ListTickersParameters)
        #expect(asked == ListTickersParameters(match: "*inr", quote: "inr"))
    }

    @Test func saysWhyThereIsNothing() {
        let run = Run(width: 80)
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", stale: false, symbols: [])
        #expect(run.output("list") == "No prices yet; 'alertctl status' shows the state of the feed.\n")
        #expect(Run(width: 80).output("list --firing --match btc* --top 0") == "No symbols match.\n")
    }

    @Test func simulatedPricesAreMarkedInEveryFormat() {
        func run(_ line: String) -> Run {
            let run = Run(width: 80)
            run.daemon.replies[.listTickers] = ListTickersReply(
                simulated: true, source: "simulator", stale: false, symbols: Sample.symbols)
            run(line)
            return run
        }
        #expect(run("list").output.hasPrefix("SIMULATED market: these prices are made up\nSYMBOL"))
        #expect(run("list --json").output.hasPrefix("{\"simulated\":true,"))
        let plain = run("list --plain")
        #expect(plain.errors == "# SIMULATED\n")
        #expect(plain.output.hasPrefix("btcinr\t"))
    }

    @Test func stalePricesLookStaleWithoutColour() throws {
        func output(_ line: String) -> String {
            let run = Run(width: 80)
            run.daemon.replies[.status] = Sample.status { $0.feed.stale = true }
            run.daemon.replies[.listTickers] = Sample.tickers(isStale: true)
            run.daemon.replies[.getSymbol] = Sample.symbol(isStale: true)
            return run.output(line)
        }
        #expect(output("list").hasPrefix("STALE prices from 12s ago; 'alertctl status' shows why\n"))
        #expect(output("list").contains("FIRING, stale"))
        #expect(output("list --json").contains("\"state\":\"stale\""))
        #expect(try SchemaCheck("list").faults(in: output("list --json")).filter { $0.contains("state") } == [])
        #expect(output("list --json").contains("\"stale\":true"))
        #expect(output("show btcinr").hasPrefix("STALE prices"))
        #expect(output("alerts --all").hasPrefix("STALE prices"))
    }

    @Test func nothingTradedIsATurnoverOfZero() {
        for (last, volume) in [("5", "0"), ("0", "5"), ("0", "0")] {
            let run = self.run(withLimits: { ($0.last, $0.volume) = (last, volume) })
            #expect(run.output("list --json").contains("\"turnover\":\"0\""), "\(last) \(volume)")
        }
        let negative = self.run(withLimits: { ($0.last, $0.volume) = ("5", "-1") })
        #expect(negative.output("list --json").contains("\"volume\":\"-1\",\"turnover\":null"))
    }

    /// Those that were only needed for the order of the rows are not.
    @Test func theBannerNamesOnlyRatesThatAreShown() {
        let run = run(withLimits: { $0.quote = "inr" }, width: 200)
        let text = run.output("list --currency sek --top 0")
        #expect(!text.contains("1 SEK"), "\(text)")
        #expect(self.run(withLimits: { _ in }, width: 200).output("list --currency sek").contains("1 SEK"))
    }
}
