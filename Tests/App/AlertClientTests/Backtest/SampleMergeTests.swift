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
}
