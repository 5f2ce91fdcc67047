import Testing

/// Phrases that are banned from comments, messages and documents.
struct BannedPhraseTests {
    @Test func noBannedPhraseIsUsed() throws {
        let swift = try SourceTree.swiftCode.flatMap { try BannedPhrase.faults(in: $0.file, prose: $0.code.prose) }
        // Licences of others have the words of these.
        let others = try SourceTree.all.filter { !$0.isSwift && $0.path != "packaging/debian/copyright" }.flatMap {
            try BannedPhrase.faults(in: $0, prose: $0.lines.map(String.init))
        }
        expectNone(swift + others)
    }

    @Test(arguments: [
        ("Sources/Core/Market/A.swift", "// Makes it anew.", [1]),
        ("Sources/Core/Market/A.swift", "let anew = 1\nlet b = \"anew\"", [2]),
        ("Sources/Core/Market/A.swift", "let a = \"price \\(anew)\"", []),
        ("Sources/Core/Market/A.swift", "/// What\n/// becomes\n/// of it.", [2]),
        ("Sources/Core/Market/A.swift", "let a = \"fell \\(size) % or more, \\(b % or)\"", [1]),
        ("Sources/Core/Market/A.swift", "let a = b % count\nlet c = \"by \\(a)%, or CHANGE % is \\(b % or)\"", []),
        ("Sources/Core/Market/A.swift", "// Tells them apart.\n// It tells.", [2]),
        ("README.md", "It was Told.\n", [1]),
        ("systemd/alertd.service", "# Over a restart\n[Unit]\n", [1]),
    ])
    func aBannedPhraseIsFound(path: String, text: String, lines: [Int]) throws {
        let file = SourceFile(path: path, text: text)
        let prose = file.isSwift ? SwiftCode(text).prose : file.lines.map(String.init)
        #expect(try BannedPhrase.faults(in: file, prose: prose).map(\.line) == lines)
    }
}
