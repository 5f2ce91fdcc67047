internal import Arguments
internal import Configuration
internal import Control

/// The settings that a command changes, and the daemon that uses them.
struct SettingsPlace {
    /// The main settings file.
    let mainFile: String
    /// The connection to the daemon that uses this file; nil if it is not running, or uses other settings.
    let connection: (any ControlConnection)?
    /// The status of that daemon.
    let status: DaemonStatus?
    /// The message for the user if no daemon is reloaded.
    let withoutDaemon: String

    /// The file that alertctl adds rules to.
    var ruleFile: String { ruleFolder + "/" + Self.ruleFileName }
    var ruleFolder: String { Self.folder(of: mainFile) + "rules.d" }

    private static let ruleFileName = "alertctl.toml"

    /// Finds the settings: the file that `--config` names, else the file of the running daemon, else the file that a
    /// daemon would start with.
    init(_ context: Context) throws(ClientError) {
        let named = context.arguments.value("config")
        do throws(ClientError) {
            let connection = try context.connect()
            let status = try connection.status()
            let used = try Self.mainFile(of: status, context)
            mainFile = named ?? used
            let isUsed = named.map { SettingsFolder.isSame($0, used) } ?? true
            self.connection = isUsed ? connection : nil
            self.status = isUsed ? status : nil
            withoutDaemon = "The running daemon uses \(used), so it was not reloaded."
        } catch {
            guard error.exitCode == .notRunning || named != nil else { throw error }
            mainFile = named ?? Self.usualFile(context)
            (connection, status) = (nil, nil)
            withoutDaemon =
                error.exitCode == .notRunning
                ? "The daemon is not running: this takes effect when it starts."
                : "The daemon cannot be reached: this takes effect when it reloads its settings."
        }
    }

    /// Returns the main settings file of a running daemon.
    static func mainFile(of status: DaemonStatus, _ context: Context) throws(ClientError) -> String {
        guard let file = status.configuration.files.first else { return usualFile(context) }
        guard !file.hasPrefix("/") else { return file }
        guard let folder = context.environment.workingFolder(status.pid) else {
            throw .file("\(file): the daemon's settings file has a relative path; name it with --config FILE")
        }
        return "\(folder)/\(file)"
    }

    /// Returns the settings file that `alertd` reads without options.
    private static func usualFile(_ context: Context) -> String {
        guard let folder = context.environment.userFolder else { return CheckCommand.defaultFile }
        let own = Self.folder(of: folder) + "alertd/alertd.toml"
        return context.environment.exists(own) ? own : CheckCommand.defaultFile
    }

    /// Returns the folder of a path, with a trailing slash; empty for a bare file name.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
