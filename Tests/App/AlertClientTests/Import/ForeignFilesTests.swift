import Control
import Foundation
import TestSupport
import Testing

@testable import AlertClient

/// Files as spreadsheets and publishers of prices write them.
struct ForeignFilesTests {
    /// Imports a text, as a file of that name.
    private func imported(_ text: String, _ options: String = "--symbol btcinr") throws -> (run: Run, ledger: Ledger) {
        let file = try TemporaryFile(text)
        let run = Run()
        let ledger = Ledger(run.daemon)
        run("import \(options) \(file.path)")
        return (run, ledger)
    }

    private func prices(_ text: String) throws -> [String]? {
        let (run, ledger) = try imported(text)
        #expect(run.errors == "")
        return ledger.prices["btcinr"]?.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test(arguments: [
        "time;price\n2026-11-20 12:00:00;7000000,50\n2026-11-20 12:00:30;7000001,5\n",
        "sep=;\r\ntime;price\r\n2026-11-20 12:00:00;7000000,50\r\n2026-11-20 12:00:30;7000001,5\r\n",
        "\u{FEFF}\"sep=;\"\n2026-11-20 12:00:00;7000000,50\n2026-11-20 12:00:30;7000001,5\n",
        "2026-11-20 12:00:00,0\t7000000,50\n2026-11-20 12:00:30,5\t7000001,5\n",
        "time,price\n2026-11-20 12:00:00,\"7000000,50\"\n2026-11-20 12:00:30,\"7000001,5\"\n",
    ])
    func aDecimalCommaIsRead(text: String) throws {
        #expect(try prices(text) == ["7000000.50", "7000001.5"])
        #expect(try imported(text).run.output.contains("times and prices with decimal comma"))
    }

    @Test func aCommaOfThousandsIsNotTakenForADecimalComma() throws {
        for price in ["7,000,000", "7,000.50", "7.000,50"] {
            let (run, ledger) = try imported("time;price\n2026-11-20 12:00:00;\(price)\n")
            #expect(run.errors.contains("the price '\(price)' is not a number"), "\(run.errors)")
            #expect(ledger.calls.isEmpty)
        }
        // One sign in a file.
        let (run, _) = try imported("time;price\n2026-11-20 12:00:00;7000000,5\n2026-11-20 12:00:30;7000.5\n")
        #expect(run.errors.contains(":3: the price '7000.5'"), "\(run.errors)")
    }

    @Test func linesBeforeTheHeaderAreSkippedAndSaid() throws {
        let text =
            "https://www.example.com/data\n\nUnix,Date,Symbol,Open,High,Low,Close,Volume BTC\n"
            + "1763640000,2025-11-20 12:00:00,BTC/INR,1,9,1,5,2\n1763636400,2025-11-20 11:00:00,BTC/INR,1,9,1,4,2\n"
        let file = try TemporaryFile(text)
        let run = Run()
        let ledger = Ledger(run.daemon)
        #expect(run("import \(file.path)") == 0, "\(run.errors)")
        #expect(ledger.prices["btcinr"]?.values.sorted() == ["4", "5"])
        #expect(run.output.contains("1 line before the header skipped"), "\(run.output)")
    }

    @Test func aFileOfOtherTextIsRefusedWithItsFirstLine() throws {
        let (run, _) = try imported("\nprices of today\n1735603200,5\n1735603201,5\n")
        #expect(run.errors.contains(".txt:2: not an alertctl export, not rows of time and price"), "\(run.errors)")
        let many = try imported(String(repeating: "no\n", count: 11) + "time,price\n1735603200,5\n")
        #expect(many.run.errors.contains(".txt:1: not an alertctl export"), "\(many.run.errors)")
    }

    @Test(arguments: ["time,price\n", ""], ["", "--skip-bad "])
    func timesThatNobodyCanReadAreNamed(header: String, option: String) throws {
        let (run, ledger) = try imported(
            header + "20/11/2026 10:00,7500000\n21/11/2026 10:00,7500001\n", option + "--symbol btcinr")
        let line = header.isEmpty ? 1 : 2
        #expect(
            run.errors.contains(
                ".txt:\(line): the time '20/11/2026 10:00' is neither a number since 1970 nor a date with the year "
                    + "first, such as 2026-11-21, 2026-11-21 05:22:44 or 2026-11-21T05:22:44+01:00"), "\(run.errors)")
        #expect(ledger.calls.isEmpty)
    }

    @Test func theSymbolIsThatOfTheFileName() throws {
        let folder = NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/BTCINR-1m-2026-11.csv"
        let text = Data("time,price\n2026-11-20 12:00:00,5\n".utf8)
        try text.write(to: URL(fileURLWithPath: path))
        let run = Run()
        let ledger = Ledger(run.daemon)
        #expect(run("import \(path)") == 0, "\(run.errors)")
        #expect(ledger.prices["btcinr"]?.values.map(\.self) == ["5"])
        let other = folder + "/XYZINR-1m.csv"
        try text.write(to: URL(fileURLWithPath: other))
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false, symbols: [])
        #expect(run("import \(other)") == 2)
        #expect(run.errors.contains("'xyzinr', taken from the file name"), "\(run.errors)")
    }
}
