import Control
import Foundation
import TestSupport
import Testing

@testable import AlertClient

@Suite(.timeLimit(.minutes(10)))
struct ExportTests {
    private let lines = """
        2026-11-21T05:00:00.000Z,btcinr,7513000.5
        2026-11-21T05:00:00.000Z,shibinr,0.00000041
        2026-11-21T05:00:30.000Z,btcinr,7513000.50
        2026-11-21T05:01:00.000Z,btcinr,7513001
        2026-11-21T05:01:30.123Z,shibinr,0.00000042
        """

    /// A run against a daemon that has these prices.
    private func filled(width: Int? = nil) throws -> (run: Run, ledger: Ledger) {
        let file = try TemporaryFile("time,symbol,price\n" + lines)
        let run = Run(width: width)
        let ledger = Ledger(run.daemon)
        run("import -q \(file.path)")
        return (run, ledger)
    }

    @Test func asJSONLines() throws {
        let (run, ledger) = try filled()
        #expect(
            run.output("export --symbol *INR --since 24h")
                == #"{"alertctl_export":"prices","format":1,"version":"0.1.0","source":"wazirx","simulated":false,"#
                + #""exported":"2026-11-21T06:20:00.000Z","time_zone":"UTC","symbols":["*inr"],"#
                + #""since":"2026-11-20T06:20:00.000Z","until":null}"# + "\n" + """
                    {"time":"2026-11-21T05:00:00.000Z","symbol":"btcinr","price":"7513000.5"}
                    {"time":"2026-11-21T05:00:00.000Z","symbol":"shibinr","price":"0.00000041"}
                    {"time":"2026-11-21T05:00:30.000Z","symbol":"btcinr","price":"7513000.50"}
                    {"time":"2026-11-21T05:01:00.000Z","symbol":"btcinr","price":"7513001"}
                    {"time":"2026-11-21T05:01:30.123Z","symbol":"shibinr","price":"0.00000042"}
                    {"complete":true,"records":5}

                    """)
        let asked = run.daemon.parameters.compactMap { $0 as? ExportPricesParameters }
        #expect(asked.map(\.next) == [nil, "3"])
        #expect(asked.allSatisfy { $0.match == ["*inr"] && $0.since == "2026-11-20T06:20:00.000Z" })
        withExtendedLifetime(ledger) {}
    }

    @Test func whatHasNoPricesIsNamed() throws {
        let run = Run()
        let ledger = Ledger(run.daemon)
        #expect(run("export --symbol nope --symbol x*") == 0)
        #expect(run.errors.contains("nothing is recorded for 'nope' and 'x*' in that time"), "\(run.errors)")
        let (other, second) = try filled()
        #expect(other("export --symbol btcinr") == 0 && !other.errors.contains("nothing is recorded"))
        withExtendedLifetime((ledger, second)) {}
    }

    /// Candles of several sources would be mixed.
    @Test func candlesAreOfOneSource() throws {
        let run = Run()
        var other = Sample.symbols[0]
        other.source = "kraken"
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx, kraken", received: Sample.received, stale: false,
            symbols: [Sample.symbols[0], other])
        #expect(run("export candles") == 2)
        #expect(run.errors.contains("there are several sources; choose one with --source"), "\(run.errors)")
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "kraken", received: Sample.received, stale: false, symbols: [other])
        #expect(run("export candles --source kraken") == 0)
        #expect(run.output.contains("\"source\":\"kraken\""))
    }

    @Test(arguments: ["history", "candles", "events"])
    func theOptionsOfOtherCommandsChooseTheFormat(what: String) throws {
        let (run, ledger) = try filled()
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [Sample.event], more: false)
        let output = { (options: String) -> String in
            let before = run.output.utf8.count
            #expect(run("export \(what) \(options)") == 0)
            return String(decoding: run.output.utf8.dropFirst(before), as: UTF8.self)
        }
        let csv = output("--format csv")
        #expect(csv.hasPrefix("# alertctl export: "))
        #expect(output("--csv") == csv && output("--csv --format csv") == csv)
        #expect(output("--json") == output("") && output("").hasPrefix("{"))
        let lines = csv.split(separator: "\n").map(String.init)
        let rest = lines.enumerated().filter { $0.offset != 1 }.map(\.element)
        #expect(output("--csv --no-header").split(separator: "\n").map(String.init) == rest)
        withExtendedLifetime(ledger) {}
    }

    @Test func asCSV() throws {
        let (run, ledger) = try filled()
        #expect(
            run.output("export history --format csv")
                == "# alertctl export: "
                + #"{"alertctl_export":"prices","format":1,"version":"0.1.0","source":"wazirx","simulated":false,"#
                + #""exported":"2026-11-21T06:20:00.000Z","time_zone":"UTC","symbols":[],"since":null,"until":null}"#
                + "\ntime,symbol,price\n" + lines + "\n# complete, records: 5\n")
        withExtendedLifetime(ledger) {}
    }

    @Test func asOpenMetrics() throws {
        let (run, ledger) = try filled()
        let text = run.output("export --format openmetrics")
        #expect(
            text == """
                # TYPE alertd_price gauge
                # HELP alertd_price The last price
                alertd_price{source="wazirx",symbol="btcinr",quote="inr"} 7513000.5 1795237200
                alertd_price{source="wazirx",symbol="shibinr",quote="inr"} 0.00000041 1795237200
                alertd_price{source="wazirx",symbol="btcinr",quote="inr"} 7513000.50 1795237230
                alertd_price{source="wazirx",symbol="btcinr",quote="inr"} 7513001 1795237260
                alertd_price{source="wazirx",symbol="shibinr",quote="inr"} 0.00000042 1795237290.123
                # EOF

                """)
        #expect(run("export events --format openmetrics") == 2)
        withExtendedLifetime(ledger) {}
    }

    /// A daemon may not be what it claims to be: nothing of these may reach a terminal, or begin another sample.
    @Test(arguments: [
        ("wa\u{1B}]0;x\u{7}", "btcinr", "1"), ("wazirx", "btc\u{1B}[32minr", "1"), ("wazirx", "btc\"} 1\nx", "1"),
        ("wazirx", "btcinr", "1\u{1B}[33m"), ("wazirx", "btcinr", "1\nx 2"), ("wazirx", "btcinr", ""),
    ])
    func inOpenMetricsNamesAndPricesAreChecked(source: String, symbol: String, price: String) {
        let run = Run()
        run.daemon.replies[.exportPrices] = ExportPricesReply(
            simulated: false, source: source,
            rows: [PriceRow(time: "2026-11-21T05:00:00.000Z", symbols: [symbol], prices: [price])])
        #expect(run("export --format openmetrics") != 0)
        #expect(!run.output.contains("alertd_price{") && !run.output.contains("\u{1B}"))
        #expect(run.errors.contains("source '") || run.errors.contains("symbol '") || run.errors.contains("price '"))
        #expect(!run.errors.contains("\u{1B}") && run.errors.split(separator: "\n").count < 4, "\(run.errors)")
    }

    private static let promtool = prometheusTool("promtool")

    /// Prometheus' own tool makes blocks of it.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "promtool is not installed"))
    func promtoolTakesIt() throws {
        let (run, ledger) = try filled()
        let file = try TemporaryFile(run.output("export --format openmetrics"))
        let blocks = file.path + ".blocks"
        defer { try? FileManager.default.removeItem(atPath: blocks) }
        let arguments = ["tsdb", "create-blocks-from", "openmetrics", "--quiet", file.path, blocks]
        #expect(try ChildProcess(Self.promtool, arguments, output: .null).wait() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: blocks).count == 1)
        withExtendedLifetime(ledger) {}
    }

    @Test(arguments: ["jsonl", "csv"]) func anExportIsReadBack(format: String) throws {
        let (run, ledger) = try filled()
        let file = try TemporaryFile(run.output("export --format \(format)"))
        let other = Run()
        let copy = Ledger(other.daemon)
        #expect(other("import \(file.path)") == 0, "\(other.errors)")
        #expect(copy.prices == ledger.prices)
        #expect(other.output.contains("alertctl export"))
        #expect(other.output.contains("5 prices of 2 symbols"))
    }

    @Test(arguments: ["jsonl", "csv"]) func anInterruptedExportIsKnown(format: String) throws {
        let (run, ledger) = try filled()
        let text = run.output("export --format \(format)")
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        let cut = rows.dropLast(2).joined(separator: "\n") + "\n"
        let shortened = rows.enumerated().filter { $0.offset != 3 }.map(\.element).joined(separator: "\n")
        for (text, words) in [(cut, "its last line is missing"), (shortened, "it has 4 of 5 records")] {
            let file = try TemporaryFile(text)
            let other = Run()
            let copy = Ledger(other.daemon)
            #expect(other("import \(file.path)") == 1)
            #expect(other.errors.contains("the export is incomplete: \(words)"), "\(other.errors)")
            #expect(copy.calls.isEmpty)
            #expect(other("import --skip-bad \(file.path)") == 0)
            #expect(!copy.calls.isEmpty)
        }
        withExtendedLifetime(ledger) {}
    }

    @Test func whatMustNotBeImported() throws {
        let head =
            #"{"alertctl_export":"prices","format":1,"version":"9","source":"s","simulated":false,"#
            + #""exported":"t","time_zone":"UTC","symbols":[]}"#
        for (change, words) in [
            (("\"format\":1", "\"format\":2"), "written by alertctl 9, which is newer"),
            (("\"prices\"", "\"events\""), "it contains events, but only prices can be imported"),
            (("\"simulated\":false", "\"simulated\":true"), "contains simulated prices"),
        ] {
            let text =
                head.replacing(change.0, with: change.1)
                + "\n{\"time\":\"2026-11-21T05:00:00.000Z\",\"symbol\":\"btcinr\",\"price\":\"1\"}\n"
                + "{\"complete\":true,\"records\":1}\n"
            let file = try TemporaryFile(text)
            let run = Run()
            let ledger = Ledger(run.daemon)
            #expect(run("import \(file.path)") == 1)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(ledger.calls.isEmpty)
        }
    }

    @Test func aFileIsThereWhenItIsComplete() throws {
        let (run, ledger) = try filled()
        let file = try TemporaryFile("old")
        let path = file.path + ".csv"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(run("export --output \(path)") == 0)
        #expect(run.output == "")
        #expect(run.errors == "alertctl: 5 records written to \(path)\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("# alertctl export: {"))
        let other = Run()
        other.daemon.errors[.exportPrices] = .closed
        #expect(other("export --format csv --output \(file.path) --force") == 2, "a file *.txt is no CSV")
        let plain = file.path.replacing(".txt", with: "")
        try Data("old".utf8).write(to: URL(fileURLWithPath: plain))
        defer { try? FileManager.default.removeItem(atPath: plain) }
        #expect(other("export --output \(plain)") == 1)
        #expect(other.errors.contains("already exists; --force overwrites it"))
        #expect(other("export --output \(plain) --force") == 1)
        #expect(try String(contentsOfFile: plain, encoding: .utf8) == "old")
        #expect(run("export --output \(plain) --force") == 0)
        #expect(try String(contentsOfFile: plain, encoding: .utf8).hasPrefix("{\"alertctl_export\""))
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "old")
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        let rest = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".part") }
        #expect(rest.filter { $0.hasPrefix(URL(fileURLWithPath: file.path).lastPathComponent) } == [])
        #expect(Run()("export --output /nowhere/x") == 1)
        withExtendedLifetime(ledger) {}
    }

    @Test(arguments: [
        ("export --output ev.xlsx", "the ending .xlsx does not name an export format; use .csv, .jsonl or .om"),
        ("export --output prices.json", "the ending .json does not name an export format"),
        ("export --output x.unknown", "the ending .unknown does not name an export format"),
        ("export --format jsonl --output a.csv", "the file is written as JSON lines, not as .csv"),
        ("export events --csv --format jsonl", "--csv and --format jsonl cannot be combined"),
        ("export --json --format openmetrics", "--json and --format openmetrics cannot be combined"),
        ("export events --plain", "'alertctl export' does not print tab-separated fields; omit --plain"),
        ("export --csv --output a.jsonl", "the file is written as CSV, not as .jsonl"),
        ("export --json --spreadsheet", "a spreadsheet opens CSV; omit --json"),
        ("export --format jsonl --spreadsheet", "a spreadsheet opens CSV; omit --format jsonl"),
        ("export --spreadsheet --output a.jsonl", "the file is written as CSV, not as .jsonl"),
        ("chart btcinr --svg a.png", "a.png: the file is written as SVG, not as .png; use a name that ends in .svg"),
        ("report a.pdf", "the file is written as HTML, not as .pdf; use a name that ends in .html"),
        ("backup a.csv", "the file is written as SQLite, not as .csv; use a name that ends in .db"),
    ])
    func theEndingOfANameIsKeptOrRefused(line: String, words: String) {
        let run = Run()
        #expect(run(line) == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test(
        arguments: [
            (",", "\u{FEFF}time (UTC);symbol;price\n2026-11-21 05:00:00;btcinr;7513000,5\n"),
            (".", "\u{FEFF}time (UTC),symbol,price\n2026-11-21 05:00:00,btcinr,7513000.5\n"),
        ] as [(Character, String)])
    func aSpreadsheetGetsItsOwnForm(sign: Character, start: String) throws {
        let (run, ledger) = try filled()
        run.environment.decimalSign = { sign }
        let text = run.output("export --spreadsheet")
        #expect(text.hasPrefix(start), "\(text)")
        #expect(text.hasSuffix(sign == "," ? "2026-11-21 05:01:30,123;shibinr;0,00000042\n" : ".00000042\n"), "\(text)")
        #expect(!text.contains("#"))
        // It is read back as it was.
        let file = try TemporaryFile(text)
        let other = Run()
        let read = Ledger(other.daemon)
        #expect(other("import \(file.path)") == 0, "\(other.errors)")
        #expect(read.prices == ledger.prices)
    }

    @Test func simulatedPricesAreNamedInASpreadsheetToo() {
        let run = Run()
        run.daemon.replies[.exportPrices] = ExportPricesReply(simulated: true, source: "simulator", rows: [])
        let lines = run.output("export --spreadsheet").split(separator: "\n")
        #expect(lines.first?.contains("\"simulated\":true") == true && lines.last == "# complete, records: 0")
    }

    @Test func aFullDiskIsSaid() throws {
        let (run, ledger) = try filled()
        run.environment.outputFailure = { "standard output cannot be written: No space left on device" }
        #expect(run("export") == 1)
        #expect(run.errors == "alertctl: standard output cannot be written: No space left on device\n")
        withExtendedLifetime(ledger) {}
    }

    @Test func eventsOfSeveralPatterns() {
        let run = Run()
        run.daemon.answers[.listEvents] = { asked in
            let after = (asked as? ListEventsParameters)?.after ?? 0
            let all = [Sample.event, Sample.resolved].filter { $0.number > after }
            return ListEventsReply(
                simulated: false, source: "wazirx", events: Array(all.prefix(1)), more: all.count > 1)
        }
        let lines = run.output("export events --symbol *inr --symbol x*").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix(#"{"alertctl_export":"events","#) == true)
        #expect(lines.dropFirst().first?.hasPrefix(#"{"number":13,"#) == true)
        #expect(lines.last == #"{"complete":true,"records":1}"#)
        let csv = Run()
        csv.daemon.answers = run.daemon.answers
        let rows = csv.output("export events --format csv").split(separator: "\n")
        #expect(rows.count == 5)
        #expect(rows[1].hasPrefix("number,time,kind,"))
        #expect(rows[2].hasPrefix("13,2026-11-21T06:19:48.250Z,fired,,btc band,"))
        #expect(rows[4] == "# complete, records: 2")
    }

    @Test func anEventWithoutASymbolMatchesNoPattern() {
        let run = Run()
        var event = Sample.event
        event.symbol = nil
        run.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [event], more: false)
        #expect(run.output("export events --symbol *inr --symbol x*").contains(#""records":0}"#))
        #expect(run.output("export events").contains(#""records":1}"#))
    }

    @Test func whatMakesNoSense() {
        for line in ["export x", "export --format xml", "export --symbol B-C", "export --since x"] {
            #expect(Run()(line) == 2, "\(line)")
        }
    }
}
