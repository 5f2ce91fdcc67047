import Testing

/// The documents agree with the project.
struct DocumentTests {
    @Test func eachPackageHasAReason() throws {
        let path = "Scripts/packages.txt"
        let lines = try SourceTree.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        expectNone(
            lines.enumerated().filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
                .filter { !$0.element.contains(/^[a-z0-9][a-z0-9.+-]+ +# \S.{8,}/) }
                .map { Fault(path: path, line: $0.offset + 1, advice: "say after # what the package is needed for") })
    }

    /// Otherwise SwiftPM warns of it with each build. The description of `Control` is for the plugin GenerateInterface.
    @Test func filesAmongSwiftCodeAreExcludedInThePackage() throws {
        let package = try SourceTree.text(of: "Package.swift")
        let folder = { (path: String) in path.split(separator: "/").dropLast().joined(separator: "/") }
        let withCode = Set(SourceTree.swift.map { folder($0.path) })
        expectNone(
            SourceTree.all.filter { file in
                ["Sources/", "Tests/"].contains { file.path.hasPrefix($0) } && !file.isSwift
                    && file.path != "Sources/Edge/Control/org.alertd.Control.varlink"
                    && withCode.contains(folder(file.path))
                    && !package.contains("\(file.path.split(separator: "/").last ?? "")\"")
            }.map { Fault(path: $0.path, line: 1, advice: "exclude it in Package.swift") })
    }

    @Test func theChangeListHasAPlaceForWhatIsNotReleased() throws {
        #expect(try SourceTree.text(of: "CHANGELOG.md").contains("\n## Unreleased\n"))
    }

    @Test func theExampleInTheDocumentsIsTheOneThatIsBuilt() throws {
        let page = try SourceTree.text(of: "docs/library.md")
        let program = try SourceTree.text(of: "Examples/convert/Sources/convert/main.swift")
        let package = try SourceTree.text(of: "Examples/convert/Package.swift")
        let targets = try #require(package.firstMatch(of: /\n    targets: \[\n.*\n    \]\n/.dotMatchesNewlines()))
        #expect(page.contains("```swift\n\(program)```"))
        #expect(page.contains(targets.output))
    }

    @Test func pathsInDocumentsExist() {
        expectNone(
            SourceTree.all.filter { $0.path.hasSuffix(".md") }.flatMap { file in
                file.lines.enumerated().flatMap { index, line in
                    Self.paths(in: line).filter { !SourceTree.exists($0) }.map {
                        Fault(path: file.path, line: index + 1, advice: "there is no \($0)")
                    }
                }
            })
    }

    @Test func aPathInADocumentIsFound() {
        let line =
            "See `Sources/Core/Market/`, `Tests/X/XTests/Y.swift`, `Scripts/a b` and `docs/*.md`; `Scripts/lint -v`."
        #expect(Self.paths(in: line[...]) == ["Sources/Core/Market", "Scripts/a", "Scripts/lint"])
    }

    /// Paths between backticks, without arguments; those with a placeholder are skipped.
    private static func paths(in line: Substring) -> [String] {
        line.matches(of: /`((?:Sources|Tests|Scripts|docs|systemd|etc)\/[^`\s:]*)/).map { String($0.1) }
            .filter { !$0.contains(/[*…<$]|\b[XY](?:Tests)?\b|\bXTests/) }
            .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    @Test func theModuleMapIsComplete() throws {
        let map = try SourceTree.text(of: "ARCHITECTURE.md")
        expectNone(
            SourceTree.modules.sorted().filter { !map.contains("`\($0)`") }.map {
                Fault(path: "ARCHITECTURE.md", advice: "the module map lacks `\($0)`; add its layer and its duty")
            })
    }
}
