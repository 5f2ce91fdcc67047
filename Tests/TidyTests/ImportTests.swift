import Testing

/// The layers, as far as import lines show them.
struct ImportTests {
    @Test func importsObeyTheLayers() {
        expectNone(SourceTree.sources.flatMap(Layers.faults))
    }

    @Test func eachCModuleHasOneImporter() {
        let imports = SourceTree.sources.flatMap(Import.all)
        let cModules = SourceTree.modules.filter(isC)
        #expect(cModules.isSuperset(of: ["CSystemd", "CCurl", "CTOML", "CSimdJSON"]))
        expectNone(Layers.sharedC(imports, cModules: cModules))
    }

    @Test(arguments: [
        ("Market", "internal import Glibc", "core"),
        ("Rules", "package import FoundationEssentials", "core"),
        ("History", "import CSystemd.Event", "core"),
        ("Feeds", "internal import Foundation", "not linked"),
        ("HTTP", "@preconcurrency internal import FoundationNetworking", "not linked"),
        ("AlertClient", "internal import AlertDaemon", "alertd alone"),
    ])
    func anImportAgainstTheLayersIsFound(module: String, line: String, words: String) {
        let file = SourceFile(path: "Sources/\(module)/A.swift", text: "// import\n\(line)\n")
        let faults = Layers.faults(of: file)
        #expect(faults.count == 1)
        #expect(faults.first?.line == 2)
        #expect(faults.first?.advice.contains(words) == true)
    }

    @Test func aSharedCModuleIsFound() {
        let files = ["EventLoop", "EventLoop", "Delivery"].enumerated().map { index, module in
            SourceFile(path: "Sources/\(module)/\(index).swift", text: "internal import CSystemd.Event\n")
        }
        let faults = Layers.sharedC(files.flatMap(Import.all), cModules: ["CSystemd"])
        #expect(faults.map(\.path) == ["Sources/Delivery/2.swift"])
    }

    private func isC(_ module: String) -> Bool {
        SourceTree.sources.contains { $0.module == module && $0.path.hasSuffix(".h") }
    }
}
