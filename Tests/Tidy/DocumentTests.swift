import Testing

/// What the documents promise.
struct DocumentTests {
    @Test func eachPackageHasAReason() throws {
        let path = "Scripts/packages.txt"
        let lines = try SourceTree.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        expectNone(
            lines.enumerated().filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
                .filter { !$0.element.contains(/^[a-z0-9][a-z0-9.+-]+ +# \S.{8,}/) }
                .map { Fault(path: path, line: $0.offset + 1, advice: "say after # what the package is needed for") })
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

    @Test func theModuleMapIsComplete() throws {
        let map = try SourceTree.text(of: "ARCHITECTURE.md")
        expectNone(
            SourceTree.modules.sorted().filter { !map.contains("`\($0)`") }.map {
                Fault(path: "ARCHITECTURE.md", advice: "the module map lacks `\($0)`; add its layer and its duty")
            })
    }
}
