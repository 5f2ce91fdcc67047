import Control
import Foundation
import Testing
import Time

@testable import AlertClient

/// `alertctl convert --on` and `--rates`.
struct PastConvertTests {
    private let file = RatesFileForTest(
        """
        Date,USD,HRK,SEK,INR,
        2023-05-12,1.0885,N/A,11.2635,89.5620,
        2022-12-30,1.0666,7.5365,11.1218,88.1710,
        1999-01-04,1.1789,N/A,9.4696,N/A,

        """)

    private func past(on: String, date: String) -> ConvertReply {
        var reply = Sample.conversion
        (reply.on, reply.date, reply.official, reply.stale) = (on, date, true, false)
        reply.steps = [
            RateStep(
                base: "EUR", quote: "SEK", rate: "11.2635", basis: .reference, date: date,
                source: "European Central Bank")
        ]
        return reply
    }

    @Test(arguments: [
        ("2023-05-12", "2023-05-12"), ("yesterday", "2026-11-20"), ("today", "2026-11-21"),
        ("1999-01-04", "1999-01-04"),
    ])
    func theDaemonIsAskedForTheDate(text: String, date: String) {
        let run = Run()
        #expect(run("convert 1000 SEK INR USD --on \(text)") == 0, "\(run.errors)")
        let calls = run.daemon.parameters.compactMap { $0 as? ConvertParameters }
        #expect(calls.map(\.to) == ["INR", "USD"] && calls.allSatisfy { $0.date == date })
        #expect(run.target?.timeout == .seconds(90), "the daemon may have to fetch the history")
    }

    @Test(arguments: [
        ("2023-05-12", "2023-05-12", nil),
        ("2023-05-13", "2023-05-12", "no rates on 2023-05-13, a Saturday; those of 2023-05-12 apply"),
        ("2023-05-01", "2023-04-28", "no rates on 2023-05-01, a Monday; those of 2023-04-28 apply"),
    ])
    func aDayWithoutRatesIsNamed(on: String, date: String, sentence: String?) {
        let run = Run()
        run.daemon.replies[.convert] = past(on: on, date: date)
        let output = run.output("convert 1000 SEK INR --on \(on)")
        #expect(output.contains("no rates on") == (sentence != nil), "\(output)")
        if let sentence { #expect(output.contains(sentence), "\(output)") }
        #expect(output.contains("SEK → EUR → INR by official reference rates; updated 2h ago"), "\(output)")
        let json = run.output("convert 1000 SEK INR --on \(on) --json")
        #expect(json.contains(#""on":"\#(on)","official":true,"path":"SEK>EUR>INR","basis":["reference"],"fetched":"#))
    }

    /// The part that is wrong is named; nobody is asked.
    @Test(arguments: [
        ("1998-12-31", "--on: there are no rates on 1998-12-31; the first are of 1999-01-04"),
        ("2026-11-22", "--on: 2026-11-22 is in the future"), ("tomorrow", "--on"),
        ("2023-02-30", "--on takes a date such as 2023-05-12 or yesterday, but got '2023-02-30'"),
        ("12/05/2023", "--on takes a date such as 2023-05-12 or yesterday, but got '12/05/2023'"),
    ])
    func aDateWithoutRatesIsRefused(date: String, message: String) {
        let run = Run()
        #expect(run(["convert", "1", "EUR", "SEK", "--on", date]) == 2)
        #expect(run.errors.hasPrefix("alertctl: \(message)"), "\(run.errors)")
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func whatTheDaemonRefusesIsSaid() {
        let run = Run()
        run.daemon.errors[.convert] = .refused(Refused(message: "there is no reference rate of INR on 2005-01-03"))
        #expect(run("convert 1 EUR INR --on 2005-01-03") == 1)
        #expect(run.errors == "alertctl: there is no reference rate of INR on 2005-01-03\n")
        #expect(run("convert 1 EUR krona --on 2005-01-03") == 2)
        #expect(run.errors.contains("'krona' is not a known currency; did you mean SEK (Swedish krona)?"))
    }

    /// Everything is computed here: neither a daemon nor a network is needed.
    @Test(arguments: [
        ("100 SEK INR --on 2023-05-12", "795.152483686", "2023-05-12"),
        ("100 SEK INR --on 2023-05-14", "795.152483686", "2023-05-12"),
        ("1 EUR HRK --on 2022-12-31", "7.5365", "2022-12-30"),
        ("1 EUR HRK --on 2023-01-01", "7.5345", nil), ("1 EUR USD --on 1999-01-05", "1.1789", "1999-01-04"),
        ("1 EUR USD", "1.0885", "2023-05-12"),
    ])
    func aFileOfRatesNeedsNoDaemon(words: String, result: String, date: String?) throws {
        let run = Run()
        run.daemon.connectionErrors = [.notRunning(socket: "/s")]
        #expect(run("convert \(words) --rates \(file.path) --json") == 0, "\(run.errors)")
        #expect(run.output.contains(#""result":"\#(result)""#), "\(run.output)")
        #expect(run.output.contains(#""date":\#(date.map { "\"\($0)\"" } ?? "null"),"#), "\(run.output)")
        #expect(run.output.contains(#""official":true"#) && run.output.contains(#""fetched":null"#))
        #expect(run.output.contains(#""stale":true"#) == !words.contains("--on"), "the last rates may be old")
        #expect(run.daemon.asked.isEmpty)
    }

    @Test func theLastRatesOfAnOldFileAreMarked() {
        let run = Run()
        let output = run.output("convert 1 EUR USD --rates \(file.path)")
        #expect(output.hasPrefix("! STALE rates of 2023-05-12\n"), "\(output)")
    }

    @Test(
        arguments: [
            ("1 EUR INR --on 1999-01-04", 1, "there is no reference rate of INR on 1999-01-04"),
            (
                "1 EUR SEK --on 2023-02-01", 1,
                "there are no rates on 2023-02-01 or in the 6 days before it; the last ones"
            ),
            ("1 BTC SEK --on 2023-05-12", 1, "for currencies with reference rates only, and BTC is none"),
            ("1 EUR Sweden --on 2023-05-12", 2, "'Sweden' is not a known currency; did you mean SEK (Swedish krona)?"),
        ] as [(String, Int32, String)])
    func whatAFileDoesNotHaveIsNamed(words: String, code: Int32, message: String) {
        let run = Run()
        #expect(run("convert \(words) --rates \(file.path)") == code && run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        let run = Run()
        #expect(run("convert 1 EUR SEK --rates /nonexistent/rates.xml") == 1)
        #expect(run.errors.contains("/nonexistent/rates.xml: no such file"))
        let bad = RatesFileForTest("junk\n")
        #expect(run("convert 1 EUR SEK --rates \(bad.path)") == 1 && run.errors.contains("\(bad.path):1:1:"))
    }

    @Test(arguments: ["--history --on 2023-05-12", "--again 1 --rates f", "--forget all --on 2023-05-12"])
    func earlierConversionsTakeNoDate(words: String) {
        let run = Run()
        #expect(run("convert \(words)") == 2 && run.errors.contains("cannot be combined"), "\(run.errors)")
    }

    @Test func whereRatesComeFromIsSaid() {
        let run = Run()
        var reply = past(on: "2023-05-12", date: "2023-05-12")
        reply.steps[0].source = "a friend"
        (reply.on, reply.official) = (nil, false)
        run.daemon.replies[.convert] = reply
        #expect(run.output("convert 1 SEK INR").contains("by rates that are not official; updated 2h ago"))
        reply.steps[0].basis = .fixed
        (reply.date, reply.fetched) = (nil, nil)
        run.daemon.replies[.convert] = reply
        #expect(run.output("convert 1 SEK INR").contains("by rates fixed by law\n"))
    }
}

/// A file of rates, which is removed at the end.
private final class RatesFileForTest: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "rates-\(UInt64.random(in: 0 ... .max)).csv").path

    init(_ text: String) {
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
