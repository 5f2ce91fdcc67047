import Testing

/// The layers, as far as imports show them.
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
        ("Core/Market", "internal import Glibc", "core"),
        ("Core/Rules", "package import Configuration", "core"),
        ("Core/Trials", "package import Configuration", "core"),
        ("Core/History", "import CSystemd.Event", "core"),
        ("Edge/Feeds", "internal import Foundation", "not linked"),
        ("Edge/Control", "internal import FoundationEssentials", "not linked"),
        ("Edge/HTTP", "@preconcurrency internal import FoundationNetworking", "not linked"),
        ("Edge/Feeds", "internal import AlertDaemon", "higher floor"),
        ("App/AlertClient", "internal import AlertDaemon", "alertd alone"),
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
            SourceFile(path: "Sources/Edge/\(module)/\(index).swift", text: "internal import CSystemd.Event\n")
        }
        let faults = Layers.sharedC(files.flatMap(Import.all), cModules: ["CSystemd"])
        #expect(faults.map(\.path) == ["Sources/Edge/Delivery/2.swift"])
    }

    private func isC(_ module: String) -> Bool {
        SourceTree.sources.contains { $0.module == module && $0.path.hasSuffix(".h") }
    }
}
