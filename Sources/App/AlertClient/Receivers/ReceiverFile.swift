internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Glibc
internal import Time

/// A file in `conf.d` with a single receiver, written by `alertctl receivers add`.
struct ReceiverFile {
    /// The beginning of the first line. `alertctl receivers remove` only removes files that begin with it.
    static let mark = "# Written by 'alertctl receivers add'"

    private static let mode: mode_t = 0o644

    let change: RuleChange
    let name: String

    private var environment: ClientEnvironment { change.context.environment }
    private var folderPath: String { SettingsPlace.folder(of: change.place.mainFile) + "conf.d" }
    private var fileName: String { "receiver-\(name).toml" }

    var path: String { "\(folderPath)/\(fileName)" }

    /// The name of the credential that contains the receiver's secret.
    var credential: String { Self.credential(of: name) }

    static func credential(of name: String) -> String { "receiver-\(name)" }

    var comment: String { "\(Self.mark); 'alertctl receivers remove \(name)' removes it." }

    /// True if the settings belong to the system service. alertctl can store credentials only for this service.
    var isOfService: Bool {
        SettingsFolder.isSame(change.place.mainFile, environment.credentialFolders.settings)
    }

    /// Returns the content; nil if the file does not exist.
    ///
    /// - Throws: ``ClientError`` if there is no main settings file, the file cannot be read, or the user may not change
    ///   it.
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

    /// Writes or removes the file, and then makes the rest of the change. If the rest fails, the old content is
    /// restored.
    ///
    /// - Parameters:
    ///   - bytes: the new content; nil removes the file.
    ///   - replaces: true if the file may already exist.
    ///   - rest: the rest of the change, such as a reload of the daemon; returns messages for the user.
    /// - Returns: the messages of `rest`.
    /// - Throws: ``ClientError``, including errors of `rest`.
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
            // The daemon may have loaded the new content although its reply was lost, so reload the old content.
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

    /// Makes the daemon reload its settings.
    ///
    /// - Returns: messages for the user, including warnings about the settings.
    func reload() throws(ClientError) -> [String] {
        guard change.place.connection != nil else { return [change.place.withoutDaemon] }
        let reply = try change.context.connect(waiting: .seconds(30)).call(
            .reload, Nothing(), returning: ReloadReply.self)
        return ["The daemon has reloaded its settings."] + reply.result.warnings.map { "Warning: \($0)" }
    }

    /// Returns the position of the receiver with this name in the settings; nil if there is none.
    static func position(of name: String, in loaded: LoadedSettings) -> SourcePosition? {
        loaded.origins.first { $0.table == "receiver" && $0.key == "name" && $0.name == name }?.position
    }
}
