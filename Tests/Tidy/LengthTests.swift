import Testing

/// Limits on the length of files, functions and lines.
struct LengthTests {
    private static let mostLinesOfFile = 600
    private static let mostColumns = 120
    private static let mostLinesOfFunction = 70

    @Test func filesAreShort() {
        expectNone(
            Self.code.filter { $0.lines.count > Self.mostLinesOfFile + 1 }.map {
                Fault(path: $0.path, advice: "longer than \(Self.mostLinesOfFile) lines; split it by what its parts do")
            })
    }

    @Test func linesAreShort() {
        expectNone(
            Self.code.flatMap { file in
                file.lines.enumerated().filter { Self.isWide($0.element) }.map {
                    Fault(
                        path: file.path, line: $0.offset + 1, advice: "longer than \(Self.mostColumns) columns; wrap it"
                    )
                }
            })
    }

    @Test func functionsAreShort() {
        expectNone(
            SourceTree.swiftCode.flatMap { file, code in
                code.functions.filter { $0.lineCount > Self.mostLinesOfFunction }.map {
                    Fault(
                        path: file.path, line: $0.firstLine,
                        advice: "\($0.name) has \($0.lineCount) lines, more than \(Self.mostLinesOfFunction); split it")
                }
            })
    }

    /// A character takes at least one byte, and counting bytes is fast.
    private static func isWide(_ line: Substring) -> Bool {
        line.utf8.count > mostColumns && line.count > mostColumns
    }

    /// Hand-written code; prose and data may be wider.
    private static let code = SourceTree.all.filter { file in
        let endings = [".swift", ".h", ".c", ".cpp", ".py", ".sh", "Makefile"]
        return endings.contains { file.path.hasSuffix($0) } || file.text.hasPrefix("#!")
    }
}
