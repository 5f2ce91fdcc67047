internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Glibc
internal import Time

/// The file in `conf.d` that has one receiver, as `alertctl receivers add` writes it.
struct ReceiverFile {
    /// The beginning of the first line.
    static let mark = "# Written by 'alertctl receivers add'"

    private static let mode: mode_t = 0o644

    let change: RuleChange
    let name: String

    private var environment: ClientEnvironment { change.context.environment }
    private var folderPath: String { SettingsPlace.folder(of: change.place.mainFile) + "conf.d" }
    private var fileName: String { "receiver-\(name).toml" }

    var path: String { "\(folderPath)/\(fileName)" }

    /// The name of the credential with its secret.
    var credential: String { Self.credential(of: name) }

    static func credential(of name: String) -> String { "receiver-\(name)" }

    var comment: String { "\(Self.mark); 'alertctl receivers remove \(name)' removes it." }

    /// Whether the settings are those of the system service, whose credentials alertctl can store.
    var isOfService: Bool {
        SettingsFolder.isSame(change.place.mainFile, environment.credentialFolders.settings)
    }

    /// The content; nil if there is no such file.
    ///
    /// - Throws: ``ClientError`` if it cannot be read, or the user may not change it.
    func contents() throws(ClientError) -> [UInt8]? {
        guard environment.exists(change.place.mainFile) else {
            throw .file("\(change.place.mainFile): no such file; name the main settings file with --config")
        }
        let writes = !change.context.arguments.has("dry-run")
        guard environment.exists(folderPath) else {
            _ = try SettingsFolder(parent, writes: writes)
            return nil
        }
        return try SettingsFolder(folderPath, writes: writes).contents(
            of: fileName, limit: SettingsLoader.maximumFileBytes)
    }

    private var parent: String {
        let folder = SettingsPlace.folder(of: change.place.mainFile)
        if folder.isEmpty { return "." }
        return folder.count > 1 ? String(folder.dropLast()) : folder
    }

    /// Gives the file another content, or removes it with nil, and then does the rest of the change. If that fails, the
    /// file is as it was.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - replaces: whether there may be such a file.
    ///   - rest: what makes the daemon use it.
    /// - Returns: what the rest of the change says.
    /// - Throws: ``ClientError``, also that of the rest.
    func replace(
        with bytes: [UInt8]?, replaces: Bool, then rest: () throws(ClientError) -> [String]
    ) throws(ClientError) -> [String] {
        if bytes != nil { try SettingsFolder.create(folderPath, in: parent) }
        let folder = try SettingsFolder(folderPath)
        try folder.lock(pause: environment.pause)
        let old = try folder.contents(of: fileName, limit: SettingsLoader.maximumFileBytes)
        guard replaces || old == nil else { throw .file("\(path): already exists; --force replaces it") }
        try Self.write(bytes, to: folder, fileName)
        do throws(ClientError) {
            return try rest()
        } catch {
            try Self.write(old, to: folder, fileName)
            // It may have loaded the change without saying so.
            _ = try? reload()
            change.context.warn("alertctl: \(path) was restored because the daemon has not loaded the change")
            throw error
        }
    }

    private static func write(_ bytes: [UInt8]?, to folder: SettingsFolder, _ name: String) throws(ClientError) {
        if let bytes {
            try folder.replace(name, with: bytes, mode: mode)
        } else {
            try folder.remove(name)
        }
    }

    /// Has the daemon load the settings.
    ///
    /// - Returns: what happened, for people.
    func reload() throws(ClientError) -> [String] {
        guard change.place.connection != nil else { return [change.place.withoutDaemon] }
        let reply = try change.context.connect(waiting: .seconds(30)).call(
            .reload, Nothing(), returning: ReloadReply.self)
        return ["The daemon has reloaded its settings."] + reply.result.warnings.map { "Warning: \($0)" }
    }

    /// Where a receiver of that name is in the settings; nil if it is nowhere.
    static func position(of name: String, in loaded: LoadedSettings) -> SourcePosition? {
        loaded.origins.first { $0.table == "receiver" && $0.key == "name" && $0.name == name }?.position
    }
}
