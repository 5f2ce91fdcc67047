/// An entry point for bytes from outside. The fuzzer tries millions of inputs on it (`make fuzz`), and an ordinary test
/// its seeds.
///
/// To add one, add a file next to this one and list it in ``all``.
package struct FuzzEntry: Sendable {
    /// Its name on the command line.
    package let name: String
    /// Valid inputs that the fuzzer starts with.
    package let seeds: @Sendable () -> [[UInt8]]
    /// The most bytes of an input, where longer ones would only be slower.
    package var longest = 8_192
    /// Uses the bytes in every way that the program does; returns whether they were accepted.
    package let run: @Sendable ([UInt8]) -> Bool

    package static let all: [FuzzEntry] = [
        .historyBlock, .rateXML, .rateCSV, .decimal, .settingNumber, .ruleFile, .ruleTests, .json, .varlink, .tickers,
        .clientReplies, .controlValues, .time, .importedPrices, .amount, .engineState, .openRows, .candles,
        .receiverReplies, .nats,
    ]

    package static func named(_ name: String) -> FuzzEntry? {
        all.first { $0.name == name }
    }
}
