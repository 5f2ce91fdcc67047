import AlertClient
import Foundation
import Testing

@Suite struct BacktestCommandTests {
    private static let band = "[[rule]]\nname = \"r\"\nsymbol = \"btcusdt\"\nmax = 110\n"

    /// A folder with files that is removed in the end.
    private final class Folder {
        let path = NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8))"

        init(_ files: [String: String]) throws {
            for (name, text) in files {
                let file = URL(fileURLWithPath: path + "/" + name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Runs a line with `@` for the folder.
    private static func run(_ line: String, _ files: [String: String]) throws -> (
        output: String, errors: String, code: Int32
    ) {
        let folder = try Folder(files)
        let run = Run()
        let code = run(line.replacing("@", with: folder.path + "/"))
        return (
            run.output.replacing(folder.path + "/", with: ""), run.errors.replacing(folder.path + "/", with: ""), code
        )
    }

    @Test func compressedRatesAreRefusedAndNotShown() throws {
        let folder = try Folder(["r.toml": Self.band, "btcusdt.csv": Self.csv(["100", "111"])])
        let rates = folder.path + "/rates.xml.gz"
        try Data([0x1F, 0x8B, 8, 0, 0, 1, 2, 3]).write(to: URL(fileURLWithPath: rates))
        let run = Run()
        #expect(run("backtest \(folder.path)/r.toml \(folder.path)/btcusdt.csv --rates \(rates)") == 1)
        #expect(
            run.errors == "alertctl: \(rates): is compressed; decompress it first, for example with 'gunzip "
                + "\(rates)'\n")
    }

    /// Minutes from 2024-12-31 on.
    private static func csv(_ prices: [String], from minute: Int = 0) -> String {
        prices.enumerated().map { "\(1_735_603_200_000 + 60_000 * (minute + $0)),\($1)\n" }.joined()
    }

    private static let flapping = csv(["100", "110", "108", "110", "100"])

    @Test func aChartShowsWhatWouldHaveFired() throws {
        let result = try Self.run(
            "backtest @rules.toml --data @BTCUSDT.csv --chart",
            ["rules.toml": Self.band, "BTCUSDT.csv": Self.flapping])
        #expect(result.code == 0)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("btcusdt  100.00\u{A0}USDT  0.00%  Dec 31 01:00") }, "\(lines)")
        let limit = try #require(lines.first { $0.contains("max 110.00\u{A0}USDT r") })
        #expect(limit.count { $0 == "●" } == 2 && limit.hasSuffix("┤ 110"))
        #expect(lines.last?.hasSuffix("Events: 2 fired, 2 resolved.") == true)
    }

    @Test func showsWhatBecameOfEachAlert() throws {
        let result = try Self.run(
            "backtest @rules.toml --data @BTCUSDT.csv", ["rules.toml": Self.band, "BTCUSDT.csv": Self.flapping])
        #expect(result.code == 0)
        #expect(result.errors == "")
        #expect(
            result.output == """
                BTCUSDT.csv: times and prices, times in milliseconds: 5 prices of btcusdt, 2024-12-31 01:00:00 to 2024-\
                12-31 01:04:00 CET
                Prices are 1m apart, not 30s as in the settings, so a gap is assumed only between prices more than 3m a\
                part.
                RULE  SYMBOL   BOUND  FIRED  NOTIFIED  IN BREACH  FIRING  FLAPS  FIRST                LAST             \
                    HYSTERESIS NEEDED
                r     btcusdt  max        2         4         2m      2m      1  2024-12-31 01:01:00  2024-12-31 01:03:\
                00          3.00\u{A0}USDT

                """)
    }

    @Test(
        arguments: [
            (#"from = "price""#, 0, 2, "'r' is relative to the first of these prices.\n"),
            (#"from = "100""#, 0, 2, nil),
            ("from = 2025-01-01", 1_439, 2, nil),
        ] as [(String, Int, Int, String?)])
    func limitsMayBeRelative(base: String, minute: Int, fired: Int, note: String?) throws {
        let rule = "[[rule]]\nname = \"r\"\nsymbol = \"btcusdt\"\nmax = \"+10%\"\n\(base)\n"
        let files = ["rules.toml": rule, "BTCUSDT.csv": Self.csv(["100", "110", "108", "110", "100"], from: minute)]
        let result = try Self.run("backtest @rules.toml --data @BTCUSDT.csv --json", files)
        #expect(result.code == 0 && result.output.contains(#""fired":\#(fired),"#), "\(result)")
        let text = try Self.run("backtest @rules.toml --data @BTCUSDT.csv", files)
        if let note {
            #expect(text.output.contains(note), "\(text)")
        } else {
            #expect(!text.output.contains("'r' "), "\(text)")
        }
    }

    /// Prices are those of one source, and only its rules run on them.
    @Test func onlyTheRulesOfTheirSourceRun() throws {
        let settings = """
            [[source]]
            type = "wazirx"
            [[source]]
            type = "kraken"
            max_gap = "7m"
            [[rule]]
            name = "ours"
            symbol = "btcusdt"
            max = 110
            [[rule]]
            name = "theirs"
            symbol = "kraken:btcusdt"
            max = 109
            """
        let files = ["rules.toml": settings, "BTCUSDT.csv": Self.flapping]
        let all = try Self.run("backtest @rules.toml --data @BTCUSDT.csv", files)
        #expect(all.output.contains("ours") && all.output.contains("theirs"), "\(all)")
        #expect(all.errors.contains("running the rules of kraken, wazirx") && all.errors.contains("--source"), "\(all)")
        let one = try Self.run("backtest @rules.toml --data @BTCUSDT.csv --source kraken --json", files)
        #expect(!one.output.contains("ours") && one.output.contains("theirs"), "\(one)")
        #expect(one.output.contains(#""max_gap":"7m""#) && one.errors.isEmpty, "\(one)")
        let first = try Self.run("backtest @rules.toml --data @BTCUSDT.csv --source wazirx", files)
        #expect(first.output.contains("ours") && !first.output.contains("theirs"), "\(first)")
        let unknown = try Self.run("backtest @rules.toml --data @BTCUSDT.csv --source binance", files)
        #expect(unknown.code == 2 && unknown.errors.contains("the rules belong to kraken, wazirx"), "\(unknown)")
        // An export names its source.
        let head =
            #"{"alertctl_export":"prices","format":1,"version":"1","source":"kraken","simulated":false,"#
            + #""exported":"2024-12-31T00:00:00.000Z","time_zone":"UTC","symbols":[]}"#
        let line = #"{"time":"2024-12-31T00:00:00.000Z","symbol":"btcusdt","price":"111"}"#
        let exported = try Self.run(
            "backtest @rules.toml --data @kraken.jsonl",
            files.merging(["kraken.jsonl": "\(head)\n\(line)\n{\"complete\":true,\"records\":1}\n"]) { $1 })
        #expect(!exported.output.contains("ours") && exported.output.contains("theirs"), "\(exported)")
    }

    /// Files of one symbol are one series.
    @Test func theUsualDistanceIsThatOfAllFiles() throws {
        let sparse = Self.csv(["100", "101", "102"])
        let dense = (0..<10).map { "\(1_735_689_600_000 + 10_000 * $0),100\n" }.joined()
        let result = try Self.run(
            "backtest --json @rules.toml --data @a/BTCUSDT.csv --data @b/BTCUSDT.csv",
            ["rules.toml": Self.band, "a/BTCUSDT.csv": sparse, "b/BTCUSDT.csv": dense])
        #expect(result.output.contains(#""max_gap":"30s""#), "\(result)")
    }

    /// Two prices of a symbol with the same time are two polls, in the order of the files.
    @Test func pricesOfTheSameTimeAreTakenOneAfterTheOther() throws {
        let result = try Self.run(
            "backtest --json @rules.toml --data @a/BTCUSDT.csv --data @b/BTCUSDT.csv",
            [
                "rules.toml": Self.band, "a/BTCUSDT.csv": Self.csv(["100", "111"]),
                "b/BTCUSDT.csv": Self.csv(["100", "105"]),
            ])
        #expect(result.output.contains(#""fired":1,"notified":2"#), "\(result)")
    }

    /// Each price counts, also when the recording has two of them at the same time.
    @Test func severalPricesAtTheSameTimeAreTakenInOrder() throws {
        let twice = Self.csv(["100", "111"]) + Self.csv(["100"], from: 1) + Self.csv(["111"], from: 1)
        let result = try Self.run(
            "backtest --json @rules.toml --data @BTCUSDT.csv", ["rules.toml": Self.band, "BTCUSDT.csv": twice])
        #expect(result.output.contains(#""fired":2"#) && result.output.contains(#""events":3"#), "\(result.output)")
    }

    /// Without flaps there is no hysteresis to search for.
    @Test func anAlertThatFiresOnceNeedsNoHysteresis() throws {
        let result = try Self.run(
            "backtest --json @rules.toml --data @BTCUSDT.csv",
            ["rules.toml": Self.band, "BTCUSDT.csv": Self.csv(["100", "111", "112"])])
        for part in [#""flaps":0"#, #""fires_at_end":true"#, #""hysteresis":null"#, #""hysteresis_proved":null"#] {
            #expect(result.output.contains(part), "\(part): \(result.output)")
        }
        let over = try Self.run(
            "backtest --json @rules.toml --data @BTCUSDT.csv",
            ["rules.toml": Self.band, "BTCUSDT.csv": Self.csv(["100", "111", "100"])])
        #expect(over.output.contains(#""fires_at_end":false"#), "\(over.output)")
    }

    @Test func programsGetItAll() throws {
        let result = try Self.run(
            "backtest --json @rules.toml --events --data @BTCUSDT.csv",
            ["rules.toml": Self.band, "BTCUSDT.csv": Self.flapping])
        for part in [
            #""prices":5"#, #""bad_lines":0"#, #""max_gap":"3m""#, #""flap":"10m""#, #""events":4"#,
            #""fired":2"#, #""notified":4"#, #""in_breach_ms":120000"#, #""flaps":1"#, #""hysteresis":"3""#,
            #""hysteresis_proved":true"#, #""kind":"fired""#, #""price":"110""#,
        ] {
            #expect(result.output.contains(part), "\(part): \(result.output)")
        }
    }

    @Test func filesAreMergedByTimeInAnyOrderOfTheirLines() throws {
        let backward = Self.csv(["1", "2"]).split(separator: "\n").reversed().joined(separator: "\n")
        let rules = "[[rule]]\nname = \"r\"\nsymbol = \"*\"\nmin = 0.5\nmax = 1.5\n"
        let result = try Self.run(
            "backtest --plain @rules.toml --data @btcusdt.csv @ETH-USDT.csv @mixed.csv --events",
            [
                "rules.toml": rules, "btcusdt.csv": backward, "ETH-USDT.csv": Self.csv(["2", "1"]),
                "mixed.csv": "time,symbol,price\n1735603260,solusdt,2\n1735603200,solusdt,1\n",
            ])
        let events = result.output.split(separator: "\n").filter { $0.hasPrefix("event\t") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[2].dropFirst(11).prefix(5)) \(fields[3]) \(fields[6])"
        }
        #expect(result.errors == "")
        #expect(
            events == [
                "00:00 fired ethusdt", "00:01 fired btcusdt", "00:01 resolved ethusdt", "00:01 fired solusdt",
            ])
    }

    @Test func badLinesAreShownCountedAndLeftOut() throws {
        let result = try Self.run(
            "backtest @rules.toml --data @btcusdt.csv",
            ["rules.toml": Self.band, "btcusdt.csv": Self.flapping + "1735603500000,1l0\n1735603560000,110\n"])
        #expect(result.code == 0)
        #expect(
            result.output.contains(
                "Skipped: btcusdt.csv:6: the price '1l0' is not a number greater than 0 in plain digits"))
        let json = try Self.run(
            "backtest --json @rules.toml --data @btcusdt.csv",
            ["rules.toml": Self.band, "btcusdt.csv": Self.flapping + "x,y\n"])
        #expect(json.output.contains(#""bad_lines":1"#))
    }

    @Test func klinesInEveryUnitGiveTheSame() throws {
        let rows = [(0, "100,112,99,100"), (1, "100,111,100,110"), (2, "110,110,95,100")]
        func klines(_ factor: Int) -> String {
            rows.map { "\((1_735_603_200 + 60 * $0) * factor),\($1),5\n" }.joined()
        }
        var outputs: Set<String> = []
        for factor in [1, 1_000, 1_000_000] {
            let result = try Self.run(
                "backtest --plain @rules.toml --events --data @btcusdt.csv",
                ["rules.toml": Self.band, "btcusdt.csv": klines(factor)])
            outputs.insert(
                result.output.split(separator: "\n").filter { $0.hasPrefix("event\t") }.joined(separator: "\n"))
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("2024-12-31T00:01:59.999Z\tfired") ?? false)
    }

    /// The first kline goes 100 99 112 100, the third one 110 110 95 100.
    @Test func allPricesOfAKlineCountWhenTheyAreAskedFor() throws {
        let klines = "1735603200000,100,112,99,100,5\n1735603260000,100,111,100,110,5\n1735603320000,110,110,95,100,5\n"
        func events(_ bars: String) throws -> [String] {
            let result = try Self.run(
                "backtest --plain @rules.toml --events --bars \(bars) --data @btcusdt.csv",
                ["rules.toml": Self.band, "btcusdt.csv": klines])
            return result.output.split(separator: "\n").filter { $0.hasPrefix("event\t") }.map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                return "\(fields[2].dropFirst(14).prefix(9)) \(fields[3]) \(fields[9])"
            }
        }
        #expect(try events("close") == ["01:59.999 fired 110", "02:59.999 resolved 100"])
        #expect(
            try events("ohlc") == [
                "00:39.998 fired 112", "00:59.999 resolved 100", "01:39.998 fired 111", "02:39.998 resolved 95",
            ])
    }

    @Test func aKlineThatContradictsItselfIsABadLine() throws {
        let result = try Self.run(
            "backtest @rules.toml --bars ohlc --data @btcusdt.csv --interval 1m",
            ["rules.toml": Self.band, "btcusdt.csv": "1735603200000,100,99,98,100,5\n1735603260000,1,1,1,1,5\n"])
        #expect(
            result.output.contains("btcusdt.csv:1: the open or the close of the kline is outside its low and high"))
    }

    @Test func conversionsTakeTheRatesOfTheirDay() throws {
        let rules = "[[rule]]\nname = \"r\"\nsymbol = \"btcusdt\"\ncurrency = \"SEK\"\nmax = 1100\n"
        let files = [
            "rules.toml": rules, "btcusdt.csv": Self.flapping, "rates.csv": "Date,USD,SEK,\n2024-12-30,1,10,\n",
        ]
        let with = try Self.run("backtest @rules.toml --rates @rates.csv --data @btcusdt.csv", files)
        #expect(with.output.contains("r     btcusdt  max        2"))
        let without = try Self.run("backtest @rules.toml --data @btcusdt.csv", files)
        // That it did not fire means nothing.
        #expect(without.code == 1)
        #expect(
            without.errors
                == "alertctl: 'r' was not evaluated: its prices cannot be converted into SEK; specify a file "
                + "with exchange rates for that time with --rates\n")
        #expect(without.output.contains("r     btcusdt  max        -"), "\(without.output)")
        let json = try Self.run("backtest @rules.toml --data @btcusdt.csv --json", files)
        #expect(json.code == 1 && json.errors.hasPrefix("{\"error\""), "\(json.errors)")
        #expect(json.output.contains(#""events":null,"#), "\(json.output)")
        for key in ["fired", "notified", "in_breach_ms", "firing_ms", "flaps", "first_fired", "fires_at_end"] {
            #expect(json.output.contains(#""\#(key)":null"#), "\(key): \(json.output)")
        }
        let compared = try Self.run("diff @rules.toml @rules.toml --data @btcusdt.csv", files)
        #expect(compared.code == 2 && compared.errors == without.errors)
        #expect(compared.output.hasSuffix("Not all rules could be compared.\n"), "\(compared.output)")
        let older = files.merging(["old.toml": "[[rule]]\nname = \"o\"\nsymbol = \"btcusdt\"\nmax = 110\n"]) { $1 }
        let partly = try Self.run("diff @old.toml @rules.toml --data @btcusdt.csv", older)
        #expect(partly.output.hasSuffix("Not all rules could be compared.\n"), "\(partly.output)")
        #expect(!partly.output.contains("rules only"), "\(partly.output)")
        let counts = try Self.run("diff @rules.toml @rules.toml --data @btcusdt.csv --json", files).output
        #expect(counts.contains(#""both":null,"old_only":null,"new_only":null"#), "\(counts)")
        let bad = try Self.run(
            "backtest @rules.toml --rates @rules.toml --data @btcusdt.csv", files)
        #expect(bad.code == 1)
        #expect(bad.errors.contains("rules.toml:1:"))
    }

    @Test(arguments: [
        ("symbol = \"btcusdt\"\nmax = 1\nprice = \"bid\"", "'r' was not evaluated: it uses bid prices"),
        (
            "symbol = \"btcusdt\"\nmax = \"+10%\"\nfrom = 2024-12-31",
            "'r' was not evaluated: this data has no price before 2024-12-31"
        ),
        ("symbol = \"ethusdt\"\nmax = 1", "no rule has prices in this data"),
    ])
    func aRuleThatTheseCannotEvaluateIsAnError(settings: String, words: String) throws {
        let files = ["rules.toml": "[[rule]]\nname = \"r\"\n\(settings)\n", "btcusdt.csv": Self.flapping]
        let result = try Self.run("backtest @rules.toml --data @btcusdt.csv", files)
        #expect(result.code == 1)
        #expect(result.errors.hasPrefix("alertctl: \(words)"), "\(result.errors)")
    }

    /// Minutes with their prices as rows of a file, and the minutes of the events of a rule on them.
    private static func firings(_ settings: String, _ prices: [(Int, String)]) throws -> [String] {
        let rows = prices.map { "\(1_735_603_200 + 60 * $0),\($1)\n" }.joined()
        let result = try run(
            "backtest --plain @rules.toml --events --data @btcusdt.csv", ["rules.toml": settings, "btcusdt.csv": rows])
        return result.output.split(separator: "\n").filter { $0.hasPrefix("event\t") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[2].dropFirst(11).prefix(5)) \(fields[3])"
        }
    }

    private static let crossing = "[[rule]]\nname = \"c\"\nsymbol = \"btcusdt\"\ncross_up = 100\n"

    /// What the settings say holds for prices that are coarser than the polls, too.
    @Test(arguments: [
        ("max_gap = \"3m\"", 9, false), ("max_gap = \"5m\"", 9, true), ("", 9, true), ("", 10, true), ("", 11, false),
        ("max_gap = \"1h\"", 11, true),
    ])
    func theGapIsTheWrittenOneOrThreeUsualDistances(_ line: String, _ minute: Int, fires: Bool) throws {
        let settings = "[feed]\ninterval = \"60s\"\n\(line)\n" + Self.crossing
        let events = try Self.firings(settings, [(0, "98"), (2, "99"), (4, "99"), (minute, "101")])
        #expect(events.count == (fires ? 1 : 0))
    }

    /// The most frequent distance counts, not the middle one, and of equals the smaller one.
    @Test(arguments: [
        // Distances 1 1 2 3 4: three minutes are a gap or not.
        ([0, 1, 2, 4, 7, 11], 14, true), ([0, 1, 2, 4, 7, 11], 15, false),
        // Distances 2 1 2 1 3.
        ([0, 2, 3, 5, 6, 9], 12, true), ([0, 2, 3, 5, 6, 9], 13, false),
    ])
    func theUsualDistanceIsTheMostFrequentOne(_ minutes: [Int], _ minute: Int, fires: Bool) throws {
        let events = try Self.firings(Self.crossing, minutes.map { ($0, "99") } + [(minute, "101")])
        #expect(events.count == (fires ? 1 : 0))
    }

    /// Each symbol has gaps of its own, also when its prices are in two files and in any order.
    @Test func eachSymbolHasItsOwnDistance() throws {
        let rules = Self.crossing.replacing("btcusdt", with: "*")
        func rows(_ prices: [(Int, String)]) -> String {
            prices.map { "\(1_735_603_200 + 60 * $0),\($1)\n" }.joined()
        }
        let files = [
            "rules.toml": rules, "btcusdt-1.csv": rows([(0, "99"), (2, "99"), (4, "99")]),
            "btcusdt-2.csv": rows([(7, "101"), (3, "99"), (1, "99")]),
            "ethusdt.csv": rows([(0, "99"), (5, "99"), (20, "101"), (36, "99"), (41, "101")]),
        ]
        let line = "@rules.toml --events --data @btcusdt-1.csv @btcusdt-2.csv @ethusdt.csv"
        let result = try Self.run("backtest --plain \(line)", files)
        let events = result.output.split(separator: "\n").filter { $0.hasPrefix("event\t") }.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[2].dropFirst(11).prefix(5)) \(fields[6])"
        }
        #expect(events == ["00:07 btcusdt", "00:20 ethusdt", "00:41 ethusdt"])
        #expect(try Self.run("backtest \(line)", files).output.contains("Prices are 1m to 5m apart"))
    }

    @Test func aGapBeforeEachPriceIsSaid() throws {
        let settings = "[feed]\nmax_gap = \"30s\"\n" + Self.crossing
        let result = try Self.run(
            "backtest @rules.toml --data @btcusdt.csv", ["rules.toml": settings, "btcusdt.csv": Self.flapping])
        #expect(result.output.contains("Prices are 1m apart, more than max_gap (30s), so each has a gap before it."))
    }

    /// The rates of a day apply from 16:15 Central European time of that day on.
    @Test(arguments: [("2025-07-01T14:15:00Z", true), ("2025-07-01T14:14:59Z", false), ("2025-01-07T15:15:00Z", true)])
    func ratesApplyWhenTheyArePublished(_ time: String, applies: Bool) throws {
        let day = time.prefix(10)
        let rules = "[[rule]]\nname = \"r\"\nsymbol = \"btcusdt\"\ncurrency = \"SEK\"\nmax = 1100\n"
        let result = try Self.run(
            "backtest --plain @rules.toml --events --rates @rates.csv --data @btcusdt.csv",
            [
                "rules.toml": rules, "btcusdt.csv": "\(time),110\n",
                "rates.csv": "Date,USD,SEK,\n\(day),1,10,\n\(day.dropLast(2))00,1,9,\n".replacing(
                    "\(day.dropLast(2))00", with: day.hasPrefix("2025-07") ? "2025-06-30" : "2025-01-06"),
            ])
        #expect(result.errors == "")
        #expect(result.output.contains("\nevent\t") == applies)
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let files = ["rules.toml": Self.band, "bad.toml": "[[rule]]\n", "noname-.csv": Self.flapping, "empty.csv": ""]
        for (line, code, words) in [
            ("backtest @rules.toml", 2, "no price files; specify them with --data FILE"),
            ("backtest @rules.toml --data @none.csv", 1, "none.csv: cannot read it"),
            ("backtest @bad.toml --data @noname-.csv", 6, "bad.toml:1:1: error: the rule has no `symbol`"),
            (
                "backtest @rules.toml --data @noname-.csv", 1,
                "the file does not name its symbol; specify it with --symbol"
            ),
            ("backtest @rules.toml --flap 0s --data @noname-.csv", 2, "--flap takes a duration"),
            ("backtest @rules.toml --symbol btcusdt --data @empty.csv", 1, "empty.csv: contains no prices"),
        ] as [(String, Int32, String)] {
            let result = try Self.run(line, files)
            #expect(result.code == code, "\(line)")
            #expect(result.errors.contains(words), "\(line): \(result.errors)")
        }
    }

    @Test func aFolderOfRulesIsReadAsAWhole() throws {
        let other = Self.band.replacing("\"r\"", with: "\"s\"")
        let result = try Self.run(
            "backtest --plain @rules --data @btcusdt.csv",
            ["rules/a.toml": Self.band, "rules/b.toml": other, "btcusdt.csv": Self.flapping])
        #expect(result.output.contains("alerts\tr\t") && result.output.contains("alerts\ts\t"))
        let settings = try Self.run(
            "backtest --plain @etc --data @btcusdt.csv",
            [
                "etc/alertd.toml": "[feed]\ninterval = \"5m\"\n" + Self.band, "etc/rules.d/b.toml": other,
                "btcusdt.csv": Self.flapping,
            ])
        #expect(settings.output.contains("alerts\tr\t") && settings.output.contains("alerts\ts\t"))
        #expect(settings.output.contains("max_gap\t3m"))
    }

    @Test func diffShowsBothSidesAndEndsLikeDiff() throws {
        let files = [
            "old.toml": Self.band, "new.toml": Self.band + "hysteresis = 5\n", "btcusdt.csv": Self.flapping,
        ]
        let differ = try Self.run("diff --plain @old.toml @new.toml --data @btcusdt.csv", files)
        #expect(differ.code == 1)
        let lines = differ.output.split(separator: "\n").filter { $0.hasPrefix("events\t") }
        #expect(
            lines.map { $0.split(separator: "\t")[1...3].joined(separator: " ") } == [
                "- 2024-12-31T00:02:00.000Z resolved", "- 2024-12-31T00:03:00.000Z fired",
            ])
        let same = try Self.run("diff @old.toml @old.toml --data @btcusdt.csv", files)
        #expect(same.code == 0)
        #expect(same.output.hasSuffix("No difference: 4 events.\n"))
        let trouble = try Self.run("diff @old.toml @new.toml --data @none.csv", files)
        #expect(trouble.code == 2)
        #expect(try Self.run("diff @old.toml @none.toml --data @btcusdt.csv", files).code == 6)
    }
}
