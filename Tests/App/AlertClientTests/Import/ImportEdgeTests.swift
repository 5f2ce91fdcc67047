import Control
import Testing

@testable import AlertClient

/// Files at the limits of what is read, and prices at the limits of what is sent.
@Suite(.timeLimit(.minutes(10)))
struct ImportEdgeTests {
    private func imported(_ text: String, _ options: String = "--symbol btcinr") throws -> (run: Run, ledger: Ledger) {
        let file = try TemporaryFile(text)
        let run = Run()
        let ledger = Ledger(run.daemon)
        run("import \(options) \(file.path)")
        return (run, ledger)
    }

    /// Lines that begin anywhere in what is read at once, and one that is as long as may be.
    @Test func linesOfEveryLength() throws {
        let rows = (0..<30).map { number in
            "\(1_735_603_200 + number * 60),\(number + 1)" + String(repeating: " ", count: number * 2_100)
        }
        #expect(try imported(rows.joined(separator: "\n")).ledger.prices["btcinr"]?.count == 30)
        let padded = { (count: Int) in "1735603200,1" + String(repeating: " ", count: count - 12) + "\n" }
        #expect(try imported(padded(65_536)).ledger.prices["btcinr"]?.count == 1)
        let long = try imported("1735603200,1\n" + String(repeating: "1", count: 700_000))
        #expect(long.run.errors.contains("line 2 is longer than 64 KiB"))
        #expect(long.ledger.calls.isEmpty)
    }

    /// More than are put in order at once, of two symbols, newest first: each call is in the order of time.
    @Test func manyPricesAreSentInOrder() throws {
        let count = 70_000
        let rows = (0..<count).reversed().map { "\(1_735_603_200 + $0),\($0 % 2 == 0 ? "btcinr" : "ethinr"),5" }
        let (run, ledger) = try imported(rows.joined(separator: "\n"), "--json")
        #expect(run.errors == "")
        #expect((ledger.prices["btcinr"]?.count ?? 0) + (ledger.prices["ethinr"]?.count ?? 0) == count)
        for call in ledger.calls {
            #expect(call.columns.reduce(0) { $0 + $1.timesMilliseconds.count } <= 1_000)
            for column in call.columns { #expect(column.timesMilliseconds == column.timesMilliseconds.sorted()) }
        }
        #expect(ledger.calls.filter(\.last).count == 1)
        #expect(ledger.calls.last?.last == true)
    }

    @Test func whatTheDaemonSaysOfAllCallsIsAddedUp() throws {
        let rows = (0..<1_500).map { "\(1_735_603_200 + $0),5" }.joined(separator: "\n")
        let file = try TemporaryFile(rows)
        let run = Run(width: 80)
        run.daemon.answers[.importPrices] = { _ in
            ImportPricesReply(added: 1, duplicates: 2, conflicting: 3, tooOld: 4)
        }
        run("import --symbol btcinr \(file.path)")
        #expect(run.output.contains("2 added, 4 already present, 6 conflicting, 8 too old"), "\(run.output)")
    }

    @Test(arguments: [("1s", true), ("999ms", false), ("0s", false), ("soon", false), ("1h", true)])
    func aKlineLastsASecondAtLeast(length: String, isTaken: Bool) throws {
        let (run, ledger) = try imported("1735603200,1,4,0.5,2,6\n", "--symbol btcinr --interval \(length)")
        #expect(run.errors.contains("--interval takes a duration") == !isTaken)
        #expect(ledger.calls.isEmpty == !isTaken)
    }

    @Test func linesThatAreLeftOutAreCounted() throws {
        let (run, ledger) = try imported(
            "1735603200,1\nx\n1735603260,2\ny\nz\n", "--json --symbol btcinr --skip-bad")
        // Of the file, and of all files.
        #expect(run.output.split(separator: #""bad_lines":3"#).count == 3, "\(run.output)")
        #expect(ledger.prices["btcinr"]?.count == 2)
    }
}
