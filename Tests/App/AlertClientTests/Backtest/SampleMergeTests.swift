import Market
import TestSupport
import Testing
import Time
import Trials

@testable import AlertClient

struct SampleMergeTests {
    private func stream(_ text: String, of symbol: String) throws -> SampleStream {
        let file = try TemporaryFile(text)
        var faults = FaultList()
        let options = ImportOptions(symbol: Symbol(symbol), now: Sample.now)
        return try withExtendedLifetime(file) {
            try SampleStream(ScannedFile(InputFile(file.path, standardInput: -1), options, &faults))
        }
    }

    /// The second of each time, and its prices.
    private func merged(_ streams: [SampleStream]) throws -> [String] {
        var merge = SampleMerge(streams)
        var moments: [String] = []
        while let time = try merge.next() {
            let prices = merge.prices.map { "\($0.symbol)=\($0.price)" }
            moments.append("\(time.milliseconds / 1_000 % 100) " + prices.joined(separator: " "))
        }
        return moments
    }

    @Test func aTimeHasEachSymbolOnce() throws {
        let first = try stream("1735603200,1\n1735603200,2\n1735603201,3\n", of: "btcusdt")
        let second = try stream("1735603200,7\n1735603202,8\n", of: "ethusdt")
        let third = try stream("1735603200,4\n", of: "btcusdt")
        #expect(
            try merged([first, second, third]) == [
                "0 btcusdt=1 ethusdt=7", "0 btcusdt=2", "0 btcusdt=4", "1 btcusdt=3", "2 ethusdt=8",
            ])
    }

    /// Many files have more prices than are kept.
    @Test(arguments: [false, true]) func pricesThatAreNotKeptAreReadAgain(areWhole: Bool) throws {
        let text = (0..<50).map { "\(1_735_603_200 + 60 * $0),\(100 + $0),\(110 + $0),\(90 + $0),\(101 + $0),5\n" }
        let file = try TemporaryFile("open_time,open,high,low,close,volume\n" + text.joined() + "nonsense\n")
        var faults = FaultList()
        var options = ImportOptions(symbol: Symbol("btcusdt"), now: Sample.now)
        options.takesWholeKlines = areWhole
        var scanned = try ScannedFile(InputFile(file.path, standardInput: -1), options, &faults)
        let kept = try Self.prices(scanned)
        scanned.forgetSamples()
        #expect(kept.count == (areWhole ? 200 : 50))
        #expect(try Self.prices(scanned) == kept)
        #expect(faults.count == 1)
    }

    private static func prices(_ scanned: ScannedFile) throws -> [String] {
        var (stream, prices) = (try SampleStream(scanned), [String]())
        while let sample = try stream.next() { prices.append("\(sample.milliseconds) \(sample.price)") }
        return prices
    }
}
