import Configuration
import Diagnostics
import Foundation

/// Files that exist only here; a folder is a path that others begin with.
struct MemoryFiles: SettingsFiles {
    var files: [String: [UInt8]] = [:]
    var failures: [String: String] = [:]

    init(_ files: [String: String] = [:], failures: [String: String] = [:]) {
        self.files = files.mapValues { Array($0.utf8) }
        self.failures = failures
    }

    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
        if let reason = failures[path] { return .failed(reason) }
        guard let bytes = files[path] else { return .missing }
        return bytes.count > limit ? .failed("it is larger than \(limit) bytes") : .found(bytes)
    }

    func names(in folder: String) -> FileAnswer<[String]> {
        if let reason = failures[folder] { return .failed(reason) }
        let names = (Array(files.keys) + failures.keys).filter { $0.hasPrefix(folder + "/") }
            .map { String($0.dropFirst(folder.count + 1)) }
        return names.isEmpty ? .missing : .found(names)
    }
}

/// A file of a time zone, which is an hour and a half ahead of UTC.
let timeZone: [UInt8] = {
    var part = [UInt8]("TZif2".utf8)
    part += [UInt8](repeating: 0, count: 15)
    for count in [0, 0, 0, 0, 1, 1] as [UInt8] { part += [0, 0, 0, count] }
    part += [UInt8](repeating: 0, count: 7)
    return part + part + [UInt8]("\n<X>-1:30\n".utf8)
}()

/// Loads one text as the main file.
func load(_ text: String, as name: String = "alertd.toml") throws -> LoadedSettings {
    try SettingsLoader(files: MemoryFiles([name: text])).load(name)
}

/// What a load of the bytes has to say, as a person reads it; empty when all is well.
func rendered(_ bytes: [UInt8], as name: String = "alertd.toml") -> String {
    var files = MemoryFiles()
    files.files[name] = bytes
    return rendered(files, main: name)
}

func rendered(_ files: MemoryFiles, main: String = "alertd.toml") -> String {
    do throws(SettingsError) {
        return FindingRenderer().render(try SettingsLoader(files: files).load(main).warnings)
    } catch {
        return FindingRenderer().render(error.findings)
    }
}

/// The folder of files that tests read.
let dataFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")

/// The names of the settings files of a folder, sorted.
func settingsFiles(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".toml") }.sorted()
}
