extension SettingsLoader {
    /// Reads rules from a settings file as ``load(_:)`` does, or from a directory: from its `alertd.toml`, or else
    /// from all its files `*.toml`.
    ///
    /// - Throws: ``SettingsError`` if any of the files cannot be read or is wrong.
    package func loadRules(_ path: String) throws(SettingsError) -> LoadedSettings {
        let folder = String(path.reversed().drop { $0 == "/" }.reversed())
        guard case .found(let names) = files.names(in: folder) else { return try load(path) }
        if names.contains("alertd.toml") { return try load(folder + "/alertd.toml") }
        var load = SettingsLoad(files: files)
        for file in load.ruleFiles(in: folder) { load.readEither(file) }
        return try load.finish(mainFile: folder)
    }
}
