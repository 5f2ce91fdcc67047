import Control
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import AlertClient

/// A daemon that keeps what is imported and gives it back, a page at a time.
final class Ledger {
    private(set) var prices: [String: [Int: String]] = [:]
    private(set) var calls: [ImportPricesParameters] = []
    /// Where the prices that are asked for in one call end.
    var pageSize = 3

    init(_ daemon: FakeDaemon) {
        daemon.answers[.importPrices] = { [unowned self] asked in
            (asked as? ImportPricesParameters).map(take)
                ?? ImportPricesReply(added: 0, duplicates: 0, conflicting: 0, tooOld: 0)
        }
        daemon.answers[.exportPrices] = { [unowned self] asked in
            page((asked as? ExportPricesParameters)?.next.flatMap { Int($0) } ?? 0)
        }
    }

    private func take(_ parameters: ImportPricesParameters) -> ImportPricesReply {
        calls.append(parameters)
        var reply = ImportPricesReply(added: 0, duplicates: 0, conflicting: 0, tooOld: 0)
        for column in parameters.columns {
            for (time, price) in zip(column.timesMilliseconds, column.prices) {
                let known = prices[column.symbol]?[time]
                if known == nil { prices[column.symbol, default: [:]][time] = price }
                if known == nil { reply.added += 1 } else if known == price { reply.duplicates += 1 }
                if known != nil, known != price { reply.conflicting += 1 }
            }
        }
        return reply
    }

    private func page(_ start: Int) -> ExportPricesReply {
        let times = Set(prices.values.flatMap(\.keys)).sorted().dropFirst(start)
        let rows = times.prefix(pageSize).map { time in
            let symbols = prices.keys.filter { prices[$0]?[time] != nil }.sorted()
            return PriceRow(
                time: WallTime(milliseconds: Int64(time)).description, symbols: symbols,
                prices: symbols.compactMap { prices[$0]?[time] })
        }
        return ExportPricesReply(
            simulated: false, source: "wazirx", rows: rows,
            next: times.count > pageSize ? String(start + pageSize) : nil)
    }
}

/// A file that is removed in the end.
final class TemporaryFile {
    let path = NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8)).txt"

    init(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    convenience init(_ text: String) throws {
        try self.init(text.utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ImportTests {
    /// Imports a file of that text.
    private func imported(_ text: String, _ options: String = "--symbol btcinr", format: String = "--json") throws -> (
        run: Run, ledger: Ledger
    ) {
        let file = try TemporaryFile(text)
        let run = Run()
        let ledger = Ledger(run.daemon)
        run("import \(format) \(options) \(file.path)")
        return (run, ledger)
    }

    /// The times of `btcinr` with their prices.
    private func prices(_ text: String, _ options: String = "--symbol btcinr") throws -> [Int: String]? {
        let (run, ledger) = try imported(text, options)
        #expect(run.errors == "")
        return ledger.prices["btcinr"]
    }

    @Test func timesInEveryUnit() throws {
        let expected = [1_735_603_200_000: "92782.13", 1_735_603_260_000: "92765.360"]
        for factor in ["", "000", "000000", "000000000"] {
            #expect(
                try prices("1735603260\(factor),92765.360\n1735603200\(factor),92782.13\n") == expected, "\(factor)")
        }
        #expect(try prices("1735603260.25,5\n") == [1_735_603_260_250: "5"])
        #expect(try prices("1735603260123999,5") == [1_735_603_260_123: "5"])
    }

    @Test func timesAsDates() throws {
        let lines = """
            Date;Price
            2024-12-31;1
            2024-12-31 00:01;2
            2024-12-31T00:02:00.5;3
            2024-12-31 00:03:00+00:00;4
            2024-12-31T05:34:00+05:30;5
            2024-12-31T00:05:00Z;6
            2024-12-31 00:06:00 UTC;7
            """
        let begin = 1_735_603_200_000
        #expect(
            try prices(lines) == [
                begin: "1", begin + 60_000: "2", begin + 120_500: "3", begin + 180_000: "4", begin + 240_000: "5",
                begin + 300_000: "6", begin + 360_000: "7",
            ])
    }

    @Test func klinesCountAtTheirLastMillisecond() throws {
        let end = 1_735_603_259_999
        let binance = "1735603200000,1.0,4.0,0.5,92782.13,6.4,1735603259999,599298.2,1660,4.3,405183.1,0\n"
        #expect(try prices(binance) == [end: "92782.13"])
        let micro = "1735603200000000,1,4,0.5,92782.13,6.4,1735603259999999,599298.2,1660,4.3,405183.1,0\n"
        #expect(try prices(micro) == [end: "92782.13"])
        let named = "open_time,open,high,low,close,volume\n1735603260,1,4,0.5,2,6\n1735603200,1,4,0.5,92782.13,6.4\n"
        #expect(try prices(named) == [end: "92782.13", end + 60_000: "2"])
        // As WazirX has them, in no order; the distances are 3 and 2 hours.
        let hours =
            ",Date,Open,High,Low,Close,Volume\n0,2024-12-31 05:00:00,1,1,1,5,1\n1,2024-12-31 02:00:00,1,1,1,2,1\n"
            + "2,2024-12-31 04:00:00,1,1,1,4,1\n"
        #expect(
            try prices(hours) == [1_735_613_999_999: "2", 1_735_621_199_999: "4", 1_735_624_799_999: "5"])
        let closed = "time,close time,open,close\n1735603200,1735603259,1,2\n1735603260,1735603319,1,3\n"
        #expect(try prices(closed) == [end: "2", end + 60_000: "3"])
    }

    @Test func theLengthOfKlinesIsAskedForWhenItCannotBeSeen() throws {
        let one = "1735603200,1,4,0.5,92782.13,6.4\n"
        let (run, ledger) = try imported(one)
        #expect(run.errors.contains("cannot detect the length of its klines; specify it, for example --interval"))
        #expect(ledger.calls.isEmpty)
        #expect(try prices(one, "--symbol btcinr --interval 1h") == [1_735_606_799_999: "92782.13"])
    }

    @Test func aKlineThatIsNotOverIsLeftOut() throws {
        // Now is 06:20.
        let text = "time,open,close\n2026-11-21 04:00,1,4\n2026-11-21 05:00,1,5\n2026-11-21 06:00,1,6\n"
        let (run, ledger) = try imported(text)
        #expect(ledger.prices["btcinr"]?.values.sorted() == ["4", "5"])
        #expect(run.output.contains(#""unfinished_klines":1"#))
    }

    @Test func lineEndsMarksQuotesAndEmptyLines() throws {
        let expected = [1_735_603_200_000: "1.50"]
        for text in [
            "\u{FEFF}time,price\r\n\r\n1735603200,1.50\r\n", "# made by hand\n\n1735603200\t1.50",
            "\"Time\", \"Price\"\n\"1735603200\", \"1.50\"\n", "symbol,price,time\nBTCINR,1.50,1735603200",
            "1735603200,btcinr,1.50\n", #"{"price": "1.50", "symbol":"btcinr" , "time":"2024-12-31T00:00:00Z"}"#,
            #"{"time":1735603200,"symbol":"btcinr","price":1.50,"note":null}"#,
        ] {
            #expect(try prices(text) == expected, "\(text)")
        }
    }

    @Test func twiceChangesNothing() throws {
        let text = (0..<2_500).reversed().map { "\(1_735_603_200 + $0 * 60),\($0 + 1).25\n" }.joined()
        let file = try TemporaryFile(text)
        let run = Run(width: 80)
        let ledger = Ledger(run.daemon)
        #expect(run("import --symbol btcinr --utc \(file.path)") == 0)
        #expect(ledger.prices["btcinr"]?.count == 2_500)
        #expect(ledger.calls.map { $0.columns.reduce(0) { $0 + $1.timesMilliseconds.count } } == [1_000, 1_000, 500])
        #expect(ledger.calls.map(\.last) == [false, false, true])
        #expect(ledger.calls.first?.columns.first?.timesMilliseconds.first == 1_735_603_200_000)
        #expect(
            run.output.hasSuffix("\nImported: 2500 added, 0 already present, 0 conflicting, 0 too old\n"),
            "\(run.output)")
        let other = Run()
        other.daemon.answers = run.daemon.answers
        other("import --symbol btcinr \(file.path) \(file.path)")
        #expect(other.output.contains("Imported: 0 added, 5000 already present, 0 conflicting, 0 too old\n"))
        let changed = try TemporaryFile("1735603200,7\n")
        other("import --symbol btcinr \(changed.path)")
        #expect(other.output.contains("1 conflicting, 0 too old; conflicting prices were not changed\n"))
    }

    @Test func badLinesAreNamedAndNothingIsImported() throws {
        let text = """
            1735603200,1
            1735603260
            1735603320,abc
            x,1
            1735603380,0
            1735603440000,1
            1835603440,1
            123456789,1
            1735603500,1e30
            1735603560,2
            """
        let (run, ledger) = try imported(text, format: "")
        #expect(ledger.calls.isEmpty)
        let lines = run.errors.split(separator: "\n").map { line in
            line.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        }
        #expect(
            lines == [
                " nothing was imported because of 8 bad lines:", "2: it has 1 column instead of at least 2",
                "3: the price 'abc' is not a number greater than 0 in plain digits",
                "4: the time 'x' is neither a number since 1970 nor a date with the year first, such as 2026-11-21, "
                    + "2026-11-21 05:22:44 or 2026-11-21T05:22:44+01:00",
                "5: the price '0' is not a number greater than 0 in plain digits",
                "6: the time '1735603440000' is not in the same format as before: times in seconds",
                "7: the time '1835603440' is in the future", "8: the time '123456789' is before the first bitcoin",
                "9: the price '1e30' has more digits than can be stored exactly",
                "Fix them, or skip them with --skip-bad.",
            ])
        let skipped = try imported(text, "--symbol btcinr --skip-bad")
        #expect(skipped.ledger.prices["btcinr"] == [1_735_603_200_000: "1", 1_735_603_560_000: "2"])
        #expect(skipped.run.output.contains(#""bad_lines":8"#))
    }

    @Test func onlyTheFirstBadLinesAreNamed() throws {
        let text = "1735603200,1\n" + String(repeating: "x,1\n", count: 50)
        let (run, _) = try imported(text, format: "")
        #expect(run.errors.contains("because of 50 bad lines"))
        #expect(run.errors.split(separator: "\n").count == 1 + 20 + 1 + 1)
        #expect(run.errors.contains("\n… and 30 more\n"))
    }

    @Test(
        arguments: [
            ("", "contains no prices"), ("hello\n", "1: not an alertctl export"),
            ("a,b\n1,2\n", "1: not an alertctl export"),
            ("{}\n", "1: the time is missing"), ("time,price\n", "contains no prices"),
            ("\u{1F}\u{8B}", "1: not an alertctl export"),
        ])
    func whatIsNoFileOfPrices(text: String, words: String) throws {
        let (run, ledger) = try imported(text)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(ledger.calls.isEmpty)
    }

    @Test func compressedFilesAreKnown() throws {
        let file = try TemporaryFile([0x1F, 0x8B, 0x08, 0x00])
        let run = Run()
        #expect(run("import \(file.path)") == 1)
        #expect(run.errors.hasSuffix("is compressed; use 'zcat FILE | alertctl … -'\n"))
    }

    @Test func aLineWithoutEndIsNotReadToTheEnd() throws {
        let file = try TemporaryFile(repeatElement(0x31, count: 1 << 20))
        let run = Run()
        #expect(run("import \(file.path)") == 1)
        #expect(run.errors.contains("line 1 is longer than 64 KiB"))
    }

    @Test func theSymbolHasToBeKnown() throws {
        let (run, _) = try imported("1735603200,1\n", "")
        #expect(run.errors.contains("the file does not name its symbol; specify it with --symbol"))
        let file = try TemporaryFile("1735603200,1\n")
        let other = Run()
        let ledger = Ledger(other.daemon)
        other.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false, symbols: [])
        other.daemon.errors[.getSymbol] = .noSuchSymbol(NoSuchSymbol(symbol: "btcirn", suggestion: "btcinr"))
        #expect(other("import --symbol btcirn \(file.path)") == 4)
        #expect(other.errors.contains("did you mean btcinr?"))
        #expect(ledger.calls.isEmpty)
    }

    @Test func theUsersNameStandsForOneSymbolOfTheFile() throws {
        let one =
            "unix,date,symbol,open,high,low,close,Volume BTC\n1735603260000,x,BTC/INR,1,4,0.5,2,6\n"
            + "1735603200000,x,BTC/INR,1,4,0.5,1,6\n"
        let dated = one.replacing(",x,", with: ",2024-12-31 00:01:00,").replacing(
            "1735603200000,2024-12-31 00:01:00", with: "1735603200000,2024-12-31 00:00:00")
        #expect(try prices(dated) == [1_735_603_259_999: "1", 1_735_603_319_999: "2"])
        // Without it, the pair counts.
        #expect(try imported(dated, "").ledger.prices.keys.contains("btcinr"))
        let two = try imported("time,symbol,price\n1735603200,a,1\n1735603260,b,2\n")
        #expect(
            two.run.errors.contains(
                "3: the symbol 'b' differs from the previous one; --symbol works only for files with one symbol"))
    }

    @Test func aDryRunNeedsNoDaemon() throws {
        let file = try TemporaryFile("1735603200,1\n1735603260,2\n")
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("import --symbol btcinr --dry-run --utc \(file.path)") == 0)
        #expect(
            run.output == """
                \(file.path): times and prices, times in seconds: 2 prices of btcinr, 2024-12-31 00:00:00 to \
                2024-12-31 00:01:00 UTC
                Nothing was imported (dry run).

                """)
    }

    @Test func standardInputIsReadTwice() throws {
        let file = try TemporaryFile("1735603200,1\n1735603260,2\n")
        let handle = try #require(FileHandle(forReadingAtPath: file.path))
        let run = Run()
        let ledger = Ledger(run.daemon)
        run.environment.standardInput = handle.fileDescriptor
        #expect(run("import --symbol btcinr -") == 0)
        #expect(ledger.prices["btcinr"]?.count == 2)
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"] != nil),
        arguments: [
            ("series/binance-1m_BTCUSDT_2020-12-21.csv", "1188 2020-12-21T00:00:59.999Z 2020-12-21T23:59:59.999Z"),
            ("series/binance-1m-close_BTCUSDT_2018.csv.gz", "521623 2018-01-01T00:00:00.000Z 2018-12-31T23:59:00.000Z"),
            ("series/binance-1m_DOGEUSDT_2025-06.csv.gz", "43200 2025-05-30T16:42:59.999Z 2025-06-29T16:41:59.999Z"),
            ("series/binance-1m_BTCUSDT_2024-03.csv.gz", "30954 2024-03-01T00:00:59.999Z 2024-03-22T10:59:59.999Z"),
            ("series/ftx-1m_BTC-PERP_2022-01.csv.gz", "45031 2021-12-31T23:01:59.999Z 2022-02-01T05:31:59.999Z"),
            ("wazirx/klines-1h_btcusdt.csv.gz", "29296 2018-07-10T15:59:59.999Z 2021-11-12T06:59:59.999Z"),
            ("wazirx/klines-1h_dogeusdt.csv.gz", "11782 2020-07-09T11:59:59.999Z 2021-11-12T08:59:59.999Z"),
        ])
    func recordedFiles(name: String, found: String) throws {
        let folder = try #require(ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"])
        let pipe = try TestPipe()
        let arguments = [
            "-c", "case $0 in *.gz) exec zcat \"$0\";; *) exec cat \"$0\";; esac", "\(folder)/\(name)",
        ]
        let process = try ChildProcess("/bin/sh", arguments, output: .descriptor(pipe.writeEnd))
        pipe.closeWriteEnd()
        defer { close(pipe.readEnd) }
        let run = Run()
        run.environment.standardInput = pipe.readEnd
        #expect(run("import --dry-run --json --symbol btcusdt -") == 0, "\(run.errors)")
        #expect(process.wait() == 0)
        let parts = found.split(separator: " ")
        #expect(run.output.hasPrefix(#"{"prices":\#(parts[0]),"bad_lines":0,"unfinished_klines":0,"#), "\(run.output)")
        #expect(run.output.contains(#""oldest":"\#(parts[1])","newest":"\#(parts[2])"}]}"#), "\(run.output)")
    }

    @Test func aPipeWithANameIsReadTwiceToo() throws {
        let pipe = try TestPipe()
        defer { close(pipe.readEnd) }
        let text = "1735603200,1\n1735603260,2\n"
        #expect(unsafe write(pipe.writeEnd, text, text.utf8.count) == text.utf8.count)
        pipe.closeWriteEnd()
        let run = Run()
        let ledger = Ledger(run.daemon)
        #expect(run("import --symbol btcinr /dev/fd/\(pipe.readEnd)") == 0)
        #expect(ledger.prices["btcinr"]?.count == 2)
        #expect(Run()("import /") == 1)
        #expect(Run()("import /nowhere/at/all") == 1)
    }

    @Test func anExportGoesToTheSourceThatItNames() throws {
        let files = try ["wazirx", "kraken", "wazirx"].enumerated().map { index, source in
            try TemporaryFile(
                #"{"alertctl_export":"prices","format":1,"version":"1","source":"\#(source)","simulated":false,"#
                    + #""exported":"2024-12-31T00:00:00.000Z","time_zone":"UTC","symbols":[]}"# + "\n"
                    + #"{"time":"2024-12-31T00:0\#(index):00.000Z","symbol":"btcinr","price":"1\#(index)"}"# + "\n"
                    + #"{"complete":true,"records":1}"# + "\n")
        }
        let run = Run()
        let ledger = Ledger(run.daemon)
        run.daemon.replies[.status] = Sample.status { status in
            var other = status.sources[0]
            other.source = "kraken"
            status.sources.append(other)
        }
        #expect(run(["import"] + files.map(\.path)) == 0, "\(run.errors)")
        let sent = Dictionary(grouping: ledger.calls) { $0.source ?? "none" }.mapValues { calls in
            calls.flatMap(\.columns).flatMap(\.prices).sorted()
        }
        #expect(sent == ["wazirx": ["10", "12"], "kraken": ["11"]])
    }

    @Test func whoMayNotIsNotified() throws {
        let file = try TemporaryFile("1735603200,1\n")
        let run = Run()
        run.daemon.errors[.importPrices] = .callDenied
        #expect(run("import --symbol btcinr \(file.path)") == 77)
    }
}
