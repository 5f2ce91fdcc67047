import Control
import Foundation
import Testing
import Time

@testable import AlertClient

/// Conversions that are kept: `convert --history`, `--again` and `--forget`.
struct KeptConversionsTests {
    private let home = Home()

    private func run(_ line: String, width: Int? = nil, _ change: (Run) -> Void = { _ in }) -> Run {
        let run = Run(width: width)
        run.environment.userFolder = home.folder
        change(run)
        run(line)
        return run
    }

    private func rows() -> [[String]] {
        run("convert --history --plain").output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test func conversionsAreKeptForTheUserAlone() throws {
        #expect(run("convert --history").output.contains("No conversions are kept"))
        for _ in 0..<2 { #expect(run("convert 1000 SEK INR").errors.isEmpty) }
        #expect(rows().map { $0[0] } == ["1", "2"])
        #expect(
            rows()[0] == [
                "1", Sample.now.description, "1000", "SEK", "10011.6599339", "INR", "false", "2026-11-20", "false",
                "false", "false",
            ])
        let attributes = try FileManager.default.attributesOfItem(atPath: home.file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let shown = run("convert --history", width: 100).output.replacing("\u{A0}", with: " ")
        #expect(shown.contains("1 000,00 kr") && shown.contains("₹10,011.66") && shown.contains("2026-11-20"))
        #expect(!shown.contains("SIMULATED"))
    }

    /// What a script asks for is not the user's.
    @Test(arguments: ["--json", "--plain", "--csv", "--quiet", "--no-keep"])
    func whatIsNotShownToPeopleIsNotKept(option: String) {
        #expect(run("convert 1000 SEK INR \(option)").errors.isEmpty)
        #expect(rows().isEmpty && !home.hasFile)
    }

    @Test func aSimulatedMarketIsMarked() {
        var conversion = Sample.conversion
        (conversion.simulated, conversion.pegged, conversion.stale) = (true, true, true)
        _ = run("convert 1 BTC INR") { $0.daemon.replies[.convert] = conversion }
        let shown = run("convert --history", width: 120).output
        #expect(shown.contains("SIMULATED") && shown.contains("yes") && shown.contains("₹10,011.66*!"))
        #expect(shown.contains("* includes a peg") && shown.contains("! the rates were stale"))
        #expect(rows()[0].suffix(3) == ["true", "true", "true"])
    }

    @Test func programsGetTheHistoryAsEverywhere() {
        _ = run("convert 1000 SEK INR")
        let csv = run("convert --history --csv").output.split(separator: "\n")
        #expect(csv[0] == "number,time,amount,from,result,to,exact,date,stale,pegged,simulated" && csv.count == 2)
        #expect(run("convert --history --json").output.hasPrefix(#"{"conversions":[{"number":1,"time":"2026-11-21T"#))
        #expect(run("convert --forget 1 --json").output.contains(#""amount":"1000""#))
    }

    @Test func theOldestMakeRoom() throws {
        _ = run("convert 1000 SEK INR")
        let replies = [ConvertReply](repeating: Sample.conversion, count: KeptConversions.limit)
        try KeptConversions.keep(replies, run("version").environment)
        #expect(rows().count == 500 && rows().first?[0] == "2" && rows().last?[0] == "501")
    }

    @Test func againShowsThenAndNow() {
        _ = run("convert 1000 SEK INR")
        var conversion = Sample.conversion
        (conversion.result, conversion.date) = ("10512.2429306", "2026-11-21")
        let again = run("convert --again 1", width: 100) { $0.daemon.replies[.convert] = conversion }
        let shown = again.output.replacing("\u{A0}", with: " ")
        #expect(shown.contains("1 000,00 kr ≈ ₹10,512.24"), "\(shown)")
        #expect(shown.contains("Then: ₹10,011.66 (07:20:00, rates of 2026-11-20)"), "\(shown)")
        #expect(shown.contains("Now: ₹10,512.24 (rates of 2026-11-21)"), "\(shown)")
        #expect(shown.contains("Difference: +₹500.58 (+5.00%)"), "\(shown)")
        #expect(
            again.daemon.parameters.last as? ConvertParameters
                == ConvertParameters(amount: "1000", from: "SEK", to: "INR"))
        #expect(rows().count == 2, "it is a conversion like any other")
        let json = run("convert --again 1 --json") { $0.daemon.replies[.convert] = conversion }.output
        #expect(json.contains(#""difference":"500.5829967","difference_percent":"5.00","then":{"number":1,"#))
        #expect(rows().count == 2)
    }

    @Test(arguments: [
        ("10011.6599339", "Difference: none"), ("9010.49394051", "Difference: -₹1,001.17 (-10.00%)"),
    ])
    func theDifferenceHasASign(result: String, expected: String) {
        _ = run("convert 1000 SEK INR")
        var conversion = Sample.conversion
        conversion.result = result
        let shown = run("convert --again 1 --no-keep") { $0.daemon.replies[.convert] = conversion }.output
        #expect(shown.contains(expected), "\(shown)")
    }

    /// A price of a made-up market is not comparable with a real one.
    @Test func againSaysThatOnlyOneWasSimulated() {
        var conversion = Sample.conversion
        conversion.simulated = true
        _ = run("convert 1 BTC INR") { $0.daemon.replies[.convert] = conversion }
        #expect(run("convert --again 1").output.contains("rates of 2026-11-20, SIMULATED)"))
    }

    @Test func forgettingIsAllOrNothing() {
        for _ in 0..<4 { _ = run("convert 1000 SEK INR") }
        let missing = run("convert --forget 2,9")
        #expect(missing.errors.hasPrefix("alertctl: no conversion 9 is kept; 'alertctl convert --history' lists"))
        #expect(rows().count == 4)
        #expect(run("convert --forget 2,3").output == "Forgot 2 conversions.\n")
        #expect(rows().map { $0[0] } == ["1", "4"])
        #expect(run("convert --forget all").output == "Forgot 2 conversions.\n" && rows().isEmpty)
        #expect(run("convert --forget all").output == "There was no conversion to forget.\n")
        #expect(run("convert --again 1").errors.contains("no conversion 1 is kept"))
    }

    /// Nothing in a damaged file is lost: the conversion is shown, the file stays, and every command says what to do.
    @Test(arguments: [
        "{\"number\":1}", "junk", #"{"number":2,"time":"x","amount":"1","from":"SEK"}"#, "\u{0}", "[]",
        String(repeating: "9", count: 3_000),
    ])
    func aDamagedFileIsLeftAlone(line: String) throws {
        _ = run("convert 1000 SEK INR")
        let damaged = try home.content() + line + "\n"
        try home.write(damaged)
        let converted = run("convert 1000 SEK INR")
        #expect(converted.output.contains("₹10,011.66"))
        #expect(converted.errors.hasPrefix("alertctl: the conversion was not kept: \(home.file):2: not a kept"))
        for command in ["--history", "--again 1", "--forget 1"] {
            let refused = run("convert \(command)")
            #expect(refused.output.isEmpty && refused.errors.contains("remove the line, or start a new list with"))
        }
        #expect(try home.content() == damaged)
        #expect(run("convert --forget all").errors.isEmpty && rows().isEmpty)
        _ = run("convert 1000 SEK INR")
        #expect(rows().count == 1)
    }

    @Test func numbersThatDoNotRiseAreDamage() throws {
        _ = run("convert 1000 SEK INR")
        try home.write(home.content() + home.content())
        #expect(run("convert --history").errors.contains("conversions:2: not a kept conversion"))
    }

    @Test func aDaemonsReplyThatCouldNotBeReadAgainIsNotKept() {
        var conversion = Sample.conversion
        conversion.result = "many"
        let run = run("convert 1000 SEK INR") { $0.daemon.replies[.convert] = conversion }
        #expect(run.output.contains("many") && run.errors.contains("was not kept"))
        #expect(!home.hasFile)
    }

    @Test func withoutAHomeNothingIsKept() {
        let run = Run()
        #expect(run("convert 1000 SEK INR") == 0 && run.errors.isEmpty)
        #expect(run("convert --history") == 0 && run("convert --forget all") == 0 && run("convert --again 1") == 4)
    }

    @Test(arguments: [
        ("--history --again 1", "--history and --again cannot be combined"),
        ("--history 5 SEK INR", "--history takes no amount, but got '5'"),
        ("--again x", "--again takes a number that 'alertctl convert --history' shows, not 'x'"),
        ("--forget 1,", "--forget takes a number that 'alertctl convert --history' shows, or 'all', not ''"),
        ("--forget 0", "--forget takes a number"), ("--again -1", "--again takes a number"),
    ])
    func wrongUseIsNamed(line: String, message: String) {
        let run = Run()
        run.environment.userFolder = home.folder
        #expect(run("convert \(line)") == 2 && run.errors.contains(message), "\(run.errors)")
    }

    @Test func completionOffersTheNewestFirst() {
        for _ in 0..<2 { _ = run("convert 1000 SEK INR") }
        let offers = run("__complete convert --again ").output
        #expect(run("__complete convert --forget 1").output.contains("1\t1000 SEK = 10011.6599339 INR"), "\(offers)")
    }
}

/// The folder of a user's own files, which is removed at the end.
private final class Home: Sendable {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "convert-\(UInt64.random(in: 0 ... .max))/alertctl").path

    var file: String { "\(folder)/conversions" }
    var hasFile: Bool { FileManager.default.fileExists(atPath: file) }

    func content() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
