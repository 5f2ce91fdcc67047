import Testing

/// The compiler accepts `@inlinable` in a type that other modules' code may not name, and then inlines nothing there.
struct InliningTests {
    @Test func whatIsInlinableIsInATypeThatOtherModulesMayUse() {
        let files = SourceTree.swiftCode.filter { $0.file.module != nil }
        #expect(files.contains { $0.code.lines.contains { $0.contains("@inlinable") } })
        expectNone(Self.faults(in: files))
    }

    @Test(arguments: [
        (["package struct Price {", "    @inlinable", "}"], 2),
        (["package struct Price {", "}", "extension Price {", "    @inlinable package var raw: Int { 0 }", "}"], 4),
        (["@usableFromInline", "package struct Price {", "    @inlinable", "}"], nil),
        (["@usableFromInline package struct Price {", "    @inlinable", "}"], nil),
        (["@usableFromInline", "@LoopActor", "package final class Price {", "    @inlinable", "}"], nil),
        (["public struct Price {", "    @inlinable", "}"], nil),
        (["@usableFromInline", "package struct Asset {", "}", "package struct Price {", "    @inlinable", "}"], 5),
        (["@inlinable", "package func price() {", "}"], nil),
    ])
    func inliningWithoutEffectIsFound(lines: [String], fault: Int?) {
        let file = SourceFile(path: "Sources/Core/Market/Price.swift", text: lines.joined(separator: "\n"))
        #expect(Self.faults(in: [(file, SwiftCode(file.text))]).map(\.line) == (fault.map { [$0] } ?? []))
    }

    private static func faults(in files: [(file: SourceFile, code: SwiftCode)]) -> [Fault] {
        let usable = Set(files.flatMap { file, code in usableTypes(of: code).map { [file.module ?? "", $0] } })
        return files.flatMap { file, code in
            inlinable(in: code).filter { !usable.contains([file.module ?? "", $0.type]) }.map {
                Fault(
                    path: file.path, line: $0.line, advice: "no module inlines this; mark \($0.type) @usableFromInline")
            }
        }
    }

    private static func usableTypes(of code: SwiftCode) -> [String] {
        var attributes = ""
        return code.lines.compactMap { line in
            defer { attributes = line.hasPrefix("@") ? attributes + line : "" }
            guard let name = SwiftCode.typeName(in: line), !line.contains("extension ") else { return nil }
            return attributes.contains("@usableFromInline") || line.contains("@usableFromInline ")
                || line.contains("public ") ? name : nil
        }
    }

    private static func inlinable(in code: SwiftCode) -> [(type: String, line: Int)] {
        var type: String?
        return code.lines.enumerated().compactMap { offset, line in
            if let name = SwiftCode.typeName(in: line) { type = name }
            if line.hasPrefix("}") { type = nil }
            guard let type, line.hasPrefix(" "), line.contains("@inlinable") else { return nil }
            return (type, offset + 1)
        }
    }
}
