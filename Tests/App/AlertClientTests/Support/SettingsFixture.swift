import Control
import Foundation

@testable import AlertClient

/// A folder with a main settings file, which a fake daemon uses.
final class SettingsFixture {
    let path = NSTemporaryDirectory() + "alertctl-\(UUID().uuidString.prefix(8))"
    var settings: String { path + "/alertd.toml" }
    var ruleFile: String { path + "/rules.d/alertctl.toml" }
    /// What the sample reply to a reload adds to the output of a change.
    let others =
        "The reload also applied other changes: new, btc band.\nTakes effect after 'systemctl restart alertd':\n"
        + "  feed.source\n"

    init() {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try? write("", to: "alertd.toml")
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        try? FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: settings)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file below the folder.
    func write(_ text: String, to name: String) throws {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// The content of `rules.d/alertctl.toml`; nil if it does not exist.
    var rules: String? { try? String(contentsOfFile: ruleFile, encoding: .utf8) }

    /// All files of `rules.d`.
    var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/rules.d")) ?? []).sorted()
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// A run with a daemon that uses the settings.
    func run(settings: String? = nil) -> Run {
        let run = Run()
        run.environment.exists = { FileManager.default.fileExists(atPath: $0) }
        run.daemon.replies[.status] = Sample.status { [path] in
            $0.configuration.files = [settings ?? path + "/alertd.toml"]
        }
        run.daemon.replies[.exportPrices] = ExportPricesReply(simulated: false, source: "wazirx", rows: [])
        return run
    }
}
