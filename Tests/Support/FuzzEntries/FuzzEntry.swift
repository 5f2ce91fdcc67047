/// A way into the program for bytes from outside. The fuzzer tries millions of inputs on it (`make fuzz`), and an
/// ordinary test those that it begins with.
///
/// A new one is a file beside this, and its place in ``all``.
package struct FuzzEntry: Sendable {
    /// What it is called on the command line.
    package let name: String
    /// Valid inputs that the fuzzer begins with.
    package let seeds: @Sendable () -> [[UInt8]]
    /// Uses the bytes in every way that the program may; says whether they were accepted.
    package let run: @Sendable ([UInt8]) -> Bool

    package static let all: [FuzzEntry] = [
        .historyBlock, .rateXML, .rateCSV, .decimal, .settingNumber, .ruleFile, .ruleTests, .json, .varlink,
    ]

    package static func named(_ name: String) -> FuzzEntry? {
        all.first { $0.name == name }
    }
}
