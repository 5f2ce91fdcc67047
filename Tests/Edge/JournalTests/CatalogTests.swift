import Foundation
import TestSupport
import Testing

@testable import Journal

/// One entry of a message catalog.
private struct CatalogEntry {
    var id: String
    var headers: [String: String] = [:]
    var text: [Substring] = []

    /// The names between at signs: `@ALERTD_RULE@`.
    var fields: Set<String> {
        let all = headers.values.joined(separator: "\n") + text.joined(separator: "\n")
        return Set(all.matches(of: /@([A-Z_]+)@/).map { String($0.1) })
    }
}

struct CatalogTests {
    private static let folder = packageFolder.appending(path: "systemd")
    private static let files = ["alertd.catalog", "alertd.sv.catalog"]

    private static func entries(_ file: String) throws -> [CatalogEntry] {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        var entries: [CatalogEntry] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !line.hasPrefix("#") {
            if line.hasPrefix("-- ") {
                entries.append(CatalogEntry(id: String(line.dropFirst(3))))
            } else if var entry = entries.popLast() {
                let header = line.prefixMatch(of: /([A-Z][A-Za-z-]*): (.+)/)
                if entry.text.isEmpty, let header {
                    entry.headers[String(header.1)] = String(header.2)
                } else {
                    entry.text.append(line)
                }
                entries.append(entry)
            }
        }
        return entries
    }

    @Test(arguments: files) func eachKindOfEntryIsExplainedOnce(file: String) throws {
        let ids = try Self.entries(file).map(\.id)
        #expect(ids.sorted() == MessageID.all.map(\.text).sorted())
    }

    @Test(arguments: files) func eachSaysWhatItIsAndWhereMoreStands(file: String) throws {
        for entry in try Self.entries(file) {
            #expect(Set(entry.headers.keys) == ["Subject", "Defined-By", "Support", "Documentation"], "\(entry.id)")
            #expect(entry.headers["Defined-By"] == "alertd")
            #expect(entry.headers["Documentation"]?.hasPrefix("man:alert") == true, "\(entry.id)")
            let words = entry.text.joined(separator: "\n")
            #expect(words.contains("\n    alertctl ") || words.contains("\n    systemctl "), "a command: \(words)")
            #expect(entry.text.allSatisfy { $0.count <= 90 }, "\(words)")
        }
    }

    /// A field that an entry lacks would be shown by its bare name.
    @Test(arguments: files) func onlyFieldsThatAreAlwaysThereAreShown(file: String) throws {
        for entry in try Self.entries(file) {
            let id = try #require(MessageID.all.first { $0.text == entry.id })
            #expect(entry.fields.isSubset(of: id.fields.map(\.rawValue)), "\(id.name): \(entry.fields)")
        }
    }

    @Test func theTranslationShowsTheSameFieldsAndCommands() throws {
        let swedish = Dictionary(uniqueKeysWithValues: try Self.entries("alertd.sv.catalog").map { ($0.id, $0) })
        for entry in try Self.entries("alertd.catalog") {
            let other = try #require(swedish[entry.id])
            #expect(other.fields == entry.fields, "\(entry.id)")
            #expect(other.headers["Documentation"] == entry.headers["Documentation"])
            #expect(other.headers["Subject"] != entry.headers["Subject"])
            let commands = { (entry: CatalogEntry) in
                entry.text.filter { $0.hasPrefix("    ") }.map { $0.replacing(" FIL", with: " FILE").prefix(40) }
            }
            #expect(commands(other).count == commands(entry).count, "\(entry.id)")
        }
    }

    /// journalctl accepts the files without a message, and finds every entry afterwards.
    @Test(
        .enabled("needs journalctl") { FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl") },
        arguments: files)
    func journalctlTakesTheFile(file: String) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("usr/lib/systemd/catalog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("var/lib/systemd/catalog"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.folder.appendingPathComponent(file), to: folder.appendingPathComponent("alertd.catalog"))
        #expect(try journalctl(["--root=\(root.path)", "--update-catalog"]) == "")
        let lines = try journalctl(["--root=\(root.path)", "--list-catalog"]).split(separator: "\n")
        #expect(lines.count == MessageID.all.count, "\(lines)")
    }

    /// Its output on both streams.
    private func journalctl(_ arguments: [String]) throws -> String {
        let (code, output) = try ChildProcess.run("/usr/bin/journalctl", arguments, mergesErrors: true)
        #expect(code == 0)
        return String(decoding: output, as: UTF8.self)
    }
}
