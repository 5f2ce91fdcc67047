import Configuration
import Diagnostics
import Market
import PriceSources
import Testing
import Time

@Suite struct SourceSettingsTests {
    private static let json = """
        [feed]
        source = "json"
        url = "https://api.example.org/v1/prices?all=1&x=/"
        items = "/data"
        symbol = "/id"
        last = "/price"

        """

    @Test func eachSourceHasItsAddressAndInterval() throws {
        for source in PriceSource.allCases where source != .json {
            let feed = try load("[feed]\nsource = \"\(source.rawValue)\"").settings.feed
            #expect(feed.source == source)
            #expect(feed.url == source.profile.url ?? "")
            #expect(feed.interval == source.profile.interval)
            #expect(feed.interval >= feed.minimumInterval)
        }
        #expect(try load("[feed]\nsource = \"coinranking\"").settings.feed.interval == .seconds(900))
    }

    @Test(
        arguments: [
            ("binance", "9s", "\"10s\""), ("kraken", "4s", "\"5s\""), ("coinranking", "59s", "\"1m\""),
        ])
    func theShortestIntervalIsThatOfTheSource(source: String, interval: String, advice: String) {
        let said = rendered(Array("[feed]\nsource = \"\(source)\"\ninterval = \"\(interval)\"\n".utf8))
        #expect(said.contains("too short") && said.contains(advice))
    }

    @Test func aLayoutIsRead() throws {
        let text =
            Self.json + "bid = \"/b\"\nask = \"/a\"\nvolume = \"/v/0\"\ntime = \"/t\"\nquote = \"usd\"\n"
            + "symbols = [\"btcusd\", \"eth*\"]\n"
        let feed = try load(text).settings.feed
        #expect(feed.url == "https://api.example.org/v1/prices?all=1&x=/")
        #expect(feed.minimumInterval == .seconds(1))
        #expect(feed.symbols.map(\.text) == ["btcusd", "eth*"])
        var layout = JSONLayout(last: try #require(JSONPointer("/price")))
        layout.items = JSONPointer("/data")
        layout.symbol = JSONPointer("/id").map { .place($0) }
        layout.bid = JSONPointer("/b")
        layout.ask = JSONPointer("/a")
        layout.volume = JSONPointer("/v/0")
        layout.time = JSONPointer("/t")
        layout.quote = .fixed("usd")
        #expect(feed.layout == layout)
    }

    @Test(
        arguments: [
            ("source = \"json\"\nlast = \"/a\"\nsymbol = \"btc\"", "needs `url`"),
            ("source = \"json\"\nurl = \"https://a.b\"\nsymbol = \"btc\"", "needs `last`"),
            ("source = \"json\"\nurl = \"https://a.b\"\nlast = \"/a\"", "the market has no name"),
            (
                "source = \"json\"\nurl = \"https://a.b\"\nlast = \"/a\"\nitems = \"/\"\nsymbol = \"btc\"",
                "`symbol` is the same for all markets"
            ),
            (
                "source = \"json\"\nurl = \"https://a.b\"\nlast = \"/a\"\nsymbol = \"b t\"",
                "neither a JSON pointer nor a name"
            ),
            ("source = \"json\"\nurl = \"https://a.b\"\nlast = \"a\"\nsymbol = \"b\"", "`last` is not a JSON pointer"),
            (
                "source = \"json\"\nurl = \"https://a.b\"\nlast = \"/a~\"\nsymbol = \"b\"",
                "`last` is not a JSON pointer"
            ),
            (
                "source = \"json\"\nurl = \"https://a.b\"\nlast = \"/a\"\nbid = \"/a\"\nsymbol = \"b\"",
                "`bid` and `last` point to the same place"
            ),
            ("source = \"json\"\nurl = \"https://a.b#c\"\nlast = \"/a\"\nsymbol = \"b\"", "contains a `?` or a `#`"),
            ("last = \"/a\"", "`last` belongs to source = \"json\", but the source is wazirx"),
            ("source = \"kraken\"\ncount = 50", "`count` belongs to source = \"coinranking\""),
            ("source = \"coinranking\"\ncount = 0", "`count` is 0"),
            ("source = \"coinranking\"\ncount = 1001", "use a number from 1 to 1000"),
            ("source = \"coinranking\"\ncredential = \"../x\"", "not the name of a credential"),
            ("source = \"coinranking\"\ncredential = \".x\"", "not the name of a credential"),
            ("symbols = []", "`symbols` is an empty list"), ("symbols = \"BTC/INR\"", "write it as \"btcinr\""),
            ("source = \"binance\"\nurl = \"https://a.b/c?d=e\"", "contains a `?` or a `#`"),
        ])
    func mistakesAreSaidAtCheckTime(lines: String, message: String) {
        let said = rendered(Array("[feed]\n\(lines)\n".utf8))
        #expect(said.contains("error: "))
        #expect(said.contains(message), "\(said)")
    }

    /// Keys and intervals are those of a source that is not known.
    @Test func aMisspelledSourceIsTheOnlyError() {
        let said = rendered(Array("[feed]\nsource = \"krakn\"\ncount = 5\nlast = \"/x\"\ninterval = \"6s\"\n".utf8))
        #expect(said.contains("did you mean \"kraken\"?") && said.contains("1 error\n"), "\(said)")
    }

    @Test(
        arguments: [
            ("", 2_976, false), ("interval = \"10m\"", 4_464, false), ("interval = \"5m\"", 8_928, true),
            ("count = 1000", 29_760, true), ("count = 101\ninterval = \"1h\"", 1_488, false),
        ])
    func theRequestsOfAMonthAreCounted(lines: String, requests: Int64, isTooMany: Bool) throws {
        let loaded = try load("[feed]\nsource = \"coinranking\"\n\(lines)")
        #expect(loaded.settings.feed.monthlyRequests == requests)
        #expect(loaded.warnings.contains { $0.message.contains("\(requests) requests a month") } == isTooMany)
    }

    @Test func otherSourcesCountNoRequests() throws {
        #expect(try load("[feed]\nsource = \"binance\"").settings.feed.monthlyRequests == nil)
    }
}
