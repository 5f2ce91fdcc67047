import Testing

/// Limits on the length of files, functions and lines.
struct LengthTests {
    private static let mostLinesOfFile = 600
    private static let mostColumns = 120
    private static let mostLinesOfFunction = 70
    /// With its extensions in the same module, and comments.
    private static let mostLinesOfType = 450

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

    /// A larger type is usually several in one, so ARCHITECTURE.md has to say why it is not split.
    @Test func typesAreSmall() throws {
        let table = try SourceTree.text(of: "ARCHITECTURE.md").matches(of: /(?m)^\| `(\w+\.\w+)` \|/).map {
            String($0.1)
        }
        var counts: [String: Int] = [:]
        for (file, code) in SourceTree.swiftCode {
            guard let module = file.module else { continue }
            for type in code.types { counts["\(module).\(type.name)", default: 0] += type.lineCount }
        }
        let large = counts.filter { $0.value > Self.mostLinesOfType }
        let unexplained = large.filter { !table.contains($0.key) }.sorted { $0.key < $1.key }
        expectNone(
            unexplained.map { name, count in
                let advice =
                    "\(name) has \(count) lines with its extensions; split it, or add it to the table of large types"
                return Fault(path: "ARCHITECTURE.md", advice: advice)
            }
                + table.filter { large[$0] == nil }.map {
                    Fault(path: "ARCHITECTURE.md", advice: "\($0) is small; take it out of the table of large types")
                })
    }

    /// Bytes are counted, as many tools do that know nothing of characters.
    private static func isWide(_ line: Substring) -> Bool { line.utf8.count > mostColumns }

    /// Hand-written code; prose and data may be wider.
    private static let code = SourceTree.all.filter { file in
        let endings = [".swift", ".h", ".c", ".cpp", ".py", ".sh", "Makefile"]
        return endings.contains { file.path.hasSuffix($0) } || file.text.hasPrefix("#!")
    }
}
