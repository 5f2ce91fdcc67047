internal import Foundation

/// Programs of Tests/Terminal that tests compare with.
package enum TerminalTools {
    /// The interpreter with the packages of `Scripts/terminal-tools`; nil where only `make test` would have set it up.
    package static let python = ProcessInfo.processInfo.environment["ALERTD_TERMINAL_PYTHON"]

    /// What an emulator shows.
    package struct Screen: Decodable, Equatable {
        /// Without trailing blanks.
        package var lines: [String]
        /// The colours and styles of the cells in each line; empty where the emulator does not say.
        package var attributes: [String]
    }

    /// What is written to an emulator, and what it then has to show.
    package struct Frame: Encodable {
        package var text: String
        package var expected: [String]

        package init(_ text: String, expected: [String]) {
            self.text = text
            self.expected = expected
        }
    }

    package enum Emulator: String, CaseIterable, Sendable {
        case pyte
        case tmux
    }

    private struct Script: Encodable {
        var width: Int
        var height: Int
        var frames: [Frame]
    }

    /// What the emulator shows after each frame.
    package static func screens(
        _ emulator: Emulator, width: Int, height: Int, _ frames: [Frame]
    ) throws -> [Screen] {
        let script = try JSONEncoder().encode(Script(width: width, height: height, frames: frames))
        return try withFile(script) { path in
            try JSONDecoder().decode([Screen].self, from: run("emulator.py", [emulator.rawValue, path]))
        }
    }

    /// The columns that all characters take, in runs of code points with the same number; -1 for those that a terminal
    /// does not show.
    package static func characterWidths() throws -> [(scalars: ClosedRange<UInt32>, width: Int)] {
        try lines(run("widths.py", [])).compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            return (UInt32(numbers[0])...UInt32(numbers[1]), numbers[2])
        }
    }

    /// The columns that each text takes.
    package static func textWidths(_ texts: [String]) throws -> [Int] {
        try withFile(Data(texts.joined(separator: "\n").utf8)) { path in
            try lines(run("widths.py", [path])).compactMap { Int($0) }
        }
    }

    private static func lines(_ output: Data) -> [Substring] {
        String(decoding: output, as: UTF8.self).split(separator: "\n")
    }

    /// What tests say where ``python`` is missing.
    package static let missing = "ALERTD_TERMINAL_PYTHON is not set: not compared with pyte, tmux and wcwidth"

    private static func run(_ name: String, _ arguments: [String]) throws -> Data {
        let script = packageFolder.appending(path: "Tests/Terminal/\(name)").path
        let (code, output) = try ChildProcess.run(required(python), [script] + arguments)
        guard code == 0 else { throw ChildProcess.Failure(description: "\(name) failed") }
        return Data(output)
    }

    private static func withFile<Result>(_ data: Data, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "terminal-\(UInt64.random(in: 0 ... .max))")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}
