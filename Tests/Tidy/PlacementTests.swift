import Testing

/// Files are where one would look for them.
struct PlacementTests {
    /// Folders of tests that do not correspond to a floor of modules.
    private static let ownFolders: Set = ["Tidy", "EndToEnd", "System", "Support", "Simulation"]

    @Test func testsMirrorTheModules() {
        expectNone(
            SourceTree.swift.filter(Self.isTestFile).compactMap { file in
                guard let floor = file.floor, !Self.ownFolders.contains(floor) else { return nil }
                let folder = file.folders.count > 2 ? String(file.folders[2]) : ""
                guard !Self.isModuleFolder(folder, of: floor) else { return nil }
                return Fault(
                    path: file.path, advice: "no module \(folder.dropLast(5)) on this floor; put tests of X into XTests"
                )
            })
    }

    @Test func filesWithTestsAreNamedSo() {
        expectNone(
            SourceTree.swiftCode.filter { Self.isTestFile($0.file) }.compactMap { file, code in
                let hasTests = file.text.contains("@Test") && code.lines.contains { $0.contains("@Test") }
                guard hasTests != file.name.hasSuffix("Tests.swift") else { return nil }
                return Fault(path: file.path, advice: hasTests ? "name it YTests.swift" : "it holds no test; rename it")
            })
    }

    @Test func noPlaceholderIsLeftBehind() {
        let swift = Dictionary(grouping: SourceTree.swift, by: \.folders)
        expectNone(
            SourceTree.swift.filter { $0.name == "Empty.swift" && (swift[$0.folders]?.count ?? 0) > 1 }.map {
                Fault(path: $0.path, advice: "the module has other files now; delete this one")
            })
    }

    private static func isTestFile(_ file: SourceFile) -> Bool {
        file.path.hasPrefix("Tests/") && file.name != "Empty.swift"
    }

    private static func isModuleFolder(_ folder: String, of floor: String) -> Bool {
        folder.hasSuffix("Tests") && SourceTree.floors[floor]?.contains(String(folder.dropLast(5))) == true
    }
}
