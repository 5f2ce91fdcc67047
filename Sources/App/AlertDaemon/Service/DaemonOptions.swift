package import Arguments
internal import Control
internal import Glibc

/// The options of `alertd`.
package struct DaemonOptions: Equatable, Sendable {
    /// The settings file if none is given.
    package static let defaultConfiguration = "/etc/alertd/\(configurationName)"
    private static let configurationName = "alertd.toml"

    /// The path of the settings file.
    package var configuration: String
    /// The directory of the sockets, without a slash at its end. It is absolute, because the kernel lists sockets by
    /// the paths that they were bound to, and `alertctl` searches that list for a socket whose file was removed.
    package var runtimeFolder: String
    /// The directory of the state file.
    package var stateFolder: String
    /// The folder with the credentials from the service manager; nil without one.
    package var credentialsFolder: String?

    /// Reads the options. The default folders are those that systemd created for the service, else the user's folders
    /// or, for root, the system's folders.
    ///
    /// - Parameters:
    ///   - arguments: the parsed arguments.
    ///   - environment: reads an environment variable.
    ///   - isRoot: whether to use the folders of the system.
    ///   - currentFolder: the absolute path of the working directory; nil if it is unknown.
    ///   - exists: returns true if there is a file at a path.
    package init(
        _ arguments: ParsedArguments, environment: (String) -> String?, isRoot: Bool = geteuid() == 0,
        currentFolder: String? = workingFolder(),
        exists: (String) -> Bool = { path in unsafe access(path, F_OK) == 0 }
    ) {
        let user = isRoot ? UserFolders() : UserFolders(environment)
        func service(_ name: String) -> String? { Self.firstFolder(environment(name)) }
        let ownSettings = user.settings.map { "\($0)/\(Self.configurationName)" }.flatMap { exists($0) ? $0 : nil }
        configuration =
            arguments.value("config") ?? service("CONFIGURATION_DIRECTORY").map { "\($0)/\(Self.configurationName)" }
            ?? ownSettings ?? Self.defaultConfiguration
        let runtime = arguments.value("runtime-dir") ?? service("RUNTIME_DIRECTORY") ?? user.runtime ?? "/run/alertd"
        runtimeFolder = Self.absolute(runtime, in: currentFolder)
        credentialsFolder = environment("CREDENTIALS_DIRECTORY")
        stateFolder = arguments.value("state-dir") ?? service("STATE_DIRECTORY") ?? user.state ?? "/var/lib/alertd"
    }

    package var controlSocket: String { "\(runtimeFolder)/\(ControlInterface.name)" }
    package var eventSocket: String { "\(runtimeFolder)/\(Self.eventSocketName)" }

    /// The file name of the socket with the event stream.
    package static let eventSocketName = "events.sock"

    /// Returns the absolute path. A path that would be too long for a socket stays relative.
    private static func absolute(_ path: String, in folder: String?) -> String {
        guard let folder, !path.hasPrefix("/") else { return path }
        let names = path.split(separator: "/").filter { $0 != "." }
        let whole = ([folder == "/" ? "" : folder] + names.map(String.init)).joined(separator: "/")
        let longest = whole.utf8.count + 1 + max(ControlInterface.name.utf8.count, eventSocketName.utf8.count)
        return longest <= longestSocketPath ? whole : path
    }

    /// The longest path of a socket, in bytes.
    private static let longestSocketPath = 107

    /// Returns the first folder of a variable; systemd joins several folders with colons.
    private static func firstFolder(_ value: String?) -> String? {
        value?.split(separator: ":").first.map(String.init)
    }

    package static let commandLine = CommandLineSpecification(
        "alertd", summary: "Watch crypto prices and send alerts when they reach a limit",
        discussion: [
            "alertd polls exchanges and other sources of prices, and checks each price against the rules in its "
                + "settings. It writes events to the journal, to standard output and to a Unix socket, and sends "
                + "notifications to receivers. It stays in the foreground. SIGTERM and SIGINT shut it down cleanly; "
                + "SIGHUP reloads the settings. If they contain an error, nothing changes."
        ],
        examples: [
            Example("alertd --check", "Check the settings."),
            Example(
                "alertd --config ./alertd.toml --runtime-dir ./run --state-dir ./state",
                "Run in this directory, without root."),
        ],
        options: [
            OptionSpecification(
                "config", short: "c", value: "FILE", kind: .file,
                help: "Settings file (default: \(defaultConfiguration))",
                details: "conf.d/*.toml and rules.d/*.toml next to it are read as well. For a user other than root "
                    + "the default is ~/.config/alertd/alertd.toml, if it exists."),
            OptionSpecification("check", help: "Check the settings and exit with 0 if they are valid, else with 6"),
            OptionSpecification(
                "runtime-dir", value: "DIR", kind: .directory, help: "Directory of the sockets (default: /run/alertd)",
                details: "As a service: the directory in $RUNTIME_DIRECTORY. For a user other than root: "
                    + "$XDG_RUNTIME_DIR/alertd."),
            OptionSpecification(
                "state-dir", value: "DIR", kind: .directory,
                help: "Directory of the saved state (default: /var/lib/alertd)",
                details:
                    "As a service: the directory in $STATE_DIRECTORY. For a user other than root: "
                    + "~/.local/state/alertd. It contains alertd.db with events, alerts and prices; "
                    + "those of the simulated market are in the subdirectory simulated."),
            OptionSpecification(
                "restore", value: "FILE", kind: .file,
                help: "Replace the saved state with a backup and exit; the daemon must be stopped",
                details: "FILE is a copy made by 'alertctl backup'. It is checked before anything is changed. The "
                    + "previous alertd.db is kept in the state directory under another name."),
            OptionSpecification("force", help: "With --restore: accept a backup of another daemon's state"),
            OptionSpecification("version", help: "Show the version and exit"),
            .help,
        ],
        exitCodes: [
            (0, "Shut down cleanly, the settings are valid, or the backup was restored."),
            (1, "Failed to start, for example because a socket is in use, or failed to restore a backup."),
            (2, "Invalid usage."), (4, "Permission denied."),
            (6, "The settings contain errors."),
        ])
}

/// Returns the absolute path of the working directory; nil if it was removed.
package func workingFolder() -> String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
}

/// The folders of a user according to the XDG Base Directory Specification; nil if they are not known.
private struct UserFolders {
    var settings: String?
    var state: String?
    var runtime: String?

    init() {}

    init(_ environment: (String) -> String?) {
        // The specification says to ignore relative paths.
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("HOME")
        settings = (folder("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }).map { "\($0)/alertd" }
        state = (folder("XDG_STATE_HOME") ?? home.map { "\($0)/.local/state" }).map { "\($0)/alertd" }
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/alertd" }
    }
}
