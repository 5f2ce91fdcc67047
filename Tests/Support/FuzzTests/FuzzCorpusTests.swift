import Foundation
import FuzzEntries
import TestSupport
import Testing

/// The inputs in `Tests/Support/FuzzCorpus` were found by the fuzzer: together they reach all code that it has reached.
@Suite(.timeLimit(.minutes(10))) struct FuzzCorpusTests {
    @Test(arguments: FuzzEntry.all.map(\.name))
    func theCorpusIsSurvived(name: String) throws {
        let entry = try #require(FuzzEntry.named(name))
        let inputs = try Self.corpus(name)
        #expect(!inputs.isEmpty)
        // An entry ends the process when what it reads does harm.
        for input in inputs { _ = entry.run(input) }
    }

    /// One input a line, in base64.
    private static func corpus(_ name: String) throws -> [[UInt8]] {
        let file = packageFolder.appending(path: "Tests/Support/FuzzCorpus/\(name).txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try lines.map { Array(try required(Data(base64Encoded: String($0)))) }
    }
}
