import Foundation

/// One text file of the project.
struct SourceFile: Sendable {
    /// From the top of the project: `Sources/Core/Market/Price.swift`.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var isSwift: Bool { path.hasSuffix(".swift") }
    var folders: [Substring] { path.split(separator: "/").dropLast() }
    var name: Substring { path.split(separator: "/").last ?? "" }

    /// `Market` of `Sources/Core/Market/Price.swift`; nil for files outside the modules in Sources.
    var module: String? {
        folders.count > 2 && folders[0] == "Sources" ? String(folders[2]) : nil
    }

    /// `Core` of `Sources/Core/Market/Price.swift` and of `Tests/Core/MarketTests/PriceTests.swift`.
    var floor: String? {
        folders.count > 1 && (folders[0] == "Sources" || folders[0] == "Tests") ? String(folders[1]) : nil
    }
}

/// A violation of a rule of style.
struct Fault: CustomStringConvertible, Equatable {
    let path: String
    var line = 1
    /// What is wrong, and what to do.
    let advice: String

    var description: String { "\(path):\(line): \(advice)" }
}

/// The files to check: everything written by hand.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let all: [SourceFile] =
        ["Sources", "Tests", "Examples", "Scripts", "docs", "systemd", "etc", "packaging", ".ci"].flatMap(files(below:))
        + top

    static let sources = all.filter { $0.module != nil }
    static let swift = all.filter(\.isSwift)
    static let swiftCode = swift.map { (file: $0, code: SwiftCode($0.text)) }

    /// The names of all modules in Sources.
    static let modules = Set(sources.compactMap(\.module))

    /// The modules of each floor, by the name of its folder.
    static let floors = Dictionary(grouping: sources, by: \.floor).mapValues { Set($0.compactMap(\.module)) }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static var top: [SourceFile] {
        ["Package.swift", "Makefile", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].compactMap(
            file)
    }

    private static func files(below folder: String) -> [SourceFile] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (found?.compactMap { $0 as? String } ?? []).sorted().compactMap { file("\(folder)/\($0)") }
    }

    private static func file(_ path: String) -> SourceFile? {
        (try? text(of: path)).map { SourceFile(path: path, text: $0) }
    }
}
