package import Diagnostics

/// The findings about a settings file and all files that belong to it.
package struct SettingsCheck: Sendable {
    /// The findings, in the order of the files and of their positions.
    package var findings: [Finding]
    /// The settings, or nil if one of the findings is an error.
    package var loaded: LoadedSettings?

    /// Creates a check. Without settings, at least one finding must be an error.
    package init(findings: [Finding], loaded: LoadedSettings? = nil) {
        self.findings = findings
        self.loaded = loaded
    }
}

extension SettingsLoader {
    /// Checks several files.
    ///
    /// A directory is checked as ``loadRules(_:)-(String)`` reads it.
    ///
    /// A file in a `conf.d` directory is checked with the `alertd.toml` next to that directory, if there is one. A
    /// file in a `rules.d` directory has rules only. Such a file is checked with the given main file that reads it,
    /// or else together with the other given files of rules.
    ///
    /// - Parameter paths: The files and directories.
    /// - Returns: One check for each main file, and one for the remaining files of rules.
    package func check(_ paths: [String]) -> [SettingsCheck] {
        var mainFiles: [String] = []
        for path in paths where !Self.isRuleFile(path) {
            let file = mainFile(of: path)
            if !mainFiles.contains(file) { mainFiles.append(file) }
        }
        var checks = mainFiles.map { path in
            check { () throws(SettingsError) in try loadRules(path) }
        }
        let read = Set(checks.flatMap(\.files))
        let rest = paths.filter { Self.isRuleFile($0) && !read.contains($0) }
        if !rest.isEmpty { checks.append(check { () throws(SettingsError) in try loadRules(rest) }) }
        return checks.map(\.check)
    }

    /// Returns the main file that a drop-in or a directory of drop-ins adds to, or else the path itself.
    private func mainFile(of path: String) -> String {
        let parts = path.split(separator: "/")
        let depth = parts.last == "conf.d" ? 1 : parts.dropLast().last == "conf.d" ? 2 : 0
        guard depth > 0 else { return path }
        let parent = parts.dropLast(depth) + ["alertd.toml"]
        let file = (path.hasPrefix("/") ? "/" : "") + parent.joined(separator: "/")
        guard case .missing = files.contents(of: file, limit: SettingsLoader.maximumFileBytes) else { return file }
        return path
    }

    private static func isRuleFile(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().last == "rules.d"
    }

    private func check(
        _ load: () throws(SettingsError) -> LoadedSettings
    ) -> (check: SettingsCheck, files: [String]) {
        do throws(SettingsError) {
            let loaded = try load()
            return (SettingsCheck(findings: loaded.warnings, loaded: loaded), loaded.files)
        } catch {
            return (SettingsCheck(findings: error.findings), error.files)
        }
    }
}
