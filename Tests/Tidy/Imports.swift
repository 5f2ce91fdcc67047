/// One import line of a Swift file.
struct Import: Equatable {
    let file: String
    let line: Int
    /// The module of the file.
    let importer: String
    /// `CSystemd.Event`
    let name: String

    /// `CSystemd` of `CSystemd.Event`
    var module: String { name.split(separator: ".").first.map(String.init) ?? name }

    static func all(in file: SourceFile) -> [Self] {
        guard file.isSwift, let importer = file.module else { return [] }
        return SwiftCode(file.text).lines.enumerated().compactMap { index, line in
            name(in: line).map { Self(file: file.path, line: index + 1, importer: importer, name: $0) }
        }
    }

    /// The name of the imported module: the word after `import`, or after the kind of an imported declaration.
    private static func name(in line: String) -> String? {
        let words = line.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(of: "import"),
            words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        return words[(place + 1)...].first { !kinds.contains($0) }
    }

    private static let accessLevels: Set = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
}

/// Which module may import which, in addition to the dependencies in Package.swift.
enum Layers {
    /// The floors, lowest first.
    static let floors = ["C", "Core", "Edge", "App", "Programs"]
    static let core = SourceTree.floors["Core"] ?? []
    /// Sources must not link these: they cost megabytes of memory and milliseconds of start.
    static let heavy: Set = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    ]
    /// Modules that only one program may import, apart from the benchmarks.
    static let importers = ["AlertDaemon": "alertd", "AlertClient": "alertctl"]

    /// The invalid imports of a file in Sources.
    static func faults(of file: SourceFile) -> [Fault] {
        Import.all(in: file).compactMap { line in
            advice(on: line).map { Fault(path: line.file, line: line.line, advice: $0) }
        }
    }

    /// C modules, or parts of them, that several modules import.
    static func sharedC(_ imports: [Import], cModules: Set<String>) -> [Fault] {
        let byName = Dictionary(grouping: imports.filter { cModules.contains($0.module) }, by: \.name)
        return byName.keys.sorted().flatMap { name in
            let lines = byName[name] ?? []
            return lines.filter { $0.importer != lines[0].importer }.map {
                Fault(
                    path: $0.file, line: $0.line,
                    advice: "\(name) is for \(lines[0].importer) alone; go through that module, or move the code there")
            }
        }
    }

    private static func floor(of module: String) -> Int? {
        floors.firstIndex { SourceTree.floors[$0]?.contains(module) == true }
    }

    private static func advice(on line: Import) -> String? {
        if heavy.contains(line.module) {
            return "\(line.module) is not linked; use the standard library, Glibc, or module JSON"
        }
        if core.contains(line.importer), !core.contains(line.module) {
            return "\(line.importer) is of the core and imports only other core modules, not \(line.module)"
        }
        if let own = floor(of: line.importer), let other = floor(of: line.module), other > own {
            return "\(line.module) is on a higher floor than \(line.importer); imports point to the same floor or down"
        }
        if let only = importers[line.module], only != line.importer, line.importer != "alertbench" {
            return "\(line.module) is for \(only) alone; move what both need into a lower module"
        }
        return nil
    }
}
