package import Arguments
internal import Control
internal import Glibc

/// What `alertd` is called with.
package struct DaemonOptions: Equatable, Sendable {
    /// The settings file when none is named.
    package static let defaultConfiguration = "/etc/alertd/\(configurationName)"
    private static let configurationName = "alertd.toml"

    package var configuration: String
    package var runtimeFolder: String
    package var stateFolder: String
    /// The folder with the secrets that the service manager hands over; nil without one.
    package var credentialsFolder: String?

    /// Reads the options; folders that are not named are those that systemd made for the service, or those of the user,
    /// or for root the usual ones of the system.
    ///
    /// - Parameters:
    ///   - arguments: what was typed.
    ///   - environment: gives the value of an environment variable.
    ///   - isRoot: whether the process may use the folders of the system.
    ///   - exists: whether there is such a file.
    package init(
        _ arguments: ParsedArguments, environment: (String) -> String?, isRoot: Bool = geteuid() == 0,
        exists: (String) -> Bool = { path in unsafe access(path, F_OK) == 0 }
    ) {
        let user = isRoot ? UserFolders() : UserFolders(environment)
        func service(_ name: String) -> String? { Self.firstFolder(environment(name)) }
        let ownSettings = user.settings.map { "\($0)/\(Self.configurationName)" }.flatMap { exists($0) ? $0 : nil }
        configuration =
            arguments.value("config") ?? service("CONFIGURATION_DIRECTORY").map { "\($0)/\(Self.configurationName)" }
            ?? ownSettings ?? Self.defaultConfiguration
        runtimeFolder = arguments.value("runtime-dir") ?? service("RUNTIME_DIRECTORY") ?? user.runtime ?? "/run/alertd"
        credentialsFolder = environment("CREDENTIALS_DIRECTORY")
        stateFolder = arguments.value("state-dir") ?? service("STATE_DIRECTORY") ?? user.state ?? "/var/lib/alertd"
    }

    package var controlSocket: String { "\(runtimeFolder)/\(ControlInterface.name)" }
    package var eventSocket: String { "\(runtimeFolder)/\(Self.eventSocketName)" }

    /// The file name of the socket with the event stream.
    package static let eventSocketName = "events.sock"

    /// systemd joins several folders by colons.
    private static func firstFolder(_ value: String?) -> String? {
        value?.split(separator: ":").first.map(String.init)
    }

    /// The command line of `alertd`.
    package static let commandLine = CommandLineSpecification(
        "alertd", summary: "Watch the prices of a crypto exchange and tell when one reaches a limit",
        discussion: [
            "alertd polls the exchange, holds each price against the rules of its settings, and tells what happens "
                + "to the journal, to standard output and to a Unix socket. It stays in the foreground. SIGTERM and "
                + "SIGINT end it in order, SIGHUP reloads the settings; a settings file with an error changes nothing."
        ],
        examples: [
            Example("alertd --check", "say whether the settings are good, and where they are not"),
            Example("alertd --config ./alertd.toml --runtime-dir ./run --state-dir ./state", "run here, without root"),
        ],
        options: [
            OptionSpecification(
                "config", short: "c", value: "FILE", kind: .file,
                help: "Settings file (default: \(defaultConfiguration))",
                details: "Rules may also stand in rules.d/*.toml beside it. For a user other than root the default is "
                    + "~/.config/alertd/alertd.toml, if there is one."),
            OptionSpecification("check", help: "Check the settings and exit: 0 when they are good, 6 when not"),
            OptionSpecification(
                "runtime-dir", value: "DIR", kind: .directory, help: "Folder of the sockets (default: /run/alertd)",
                details: "As a service: the folder in $RUNTIME_DIRECTORY. For a user other than root: "
                    + "$XDG_RUNTIME_DIR/alertd."),
            OptionSpecification(
                "state-dir", value: "DIR", kind: .directory,
                help: "Folder of what outlives the process (default: /var/lib/alertd)",
                details:
                    "As a service: the folder in $STATE_DIRECTORY. For a user other than root: "
                    + "~/.local/state/alertd. Events, alerts and prices are in alertd.db there; "
                    + "those of the simulated market in a folder of their own, simulated."),
            OptionSpecification("version", help: "Show the version and exit"),
            .help,
        ],
        exitCodes: [
            (0, "ended in order, or the settings are good"),
            (1, "could not start, for instance because a socket is in use"),
            (2, "the command line makes no sense"), (4, "could not start for want of permission"),
            (6, "the settings have an error"),
        ])
}

/// The folders of a user by the XDG Base Directory Specification; nil where nothing says where they are.
private struct UserFolders {
    var settings: String?
    var state: String?
    var runtime: String?

    init() {}

    init(_ environment: (String) -> String?) {
        // A path that is not absolute is to be ignored.
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("HOME")
        settings = (folder("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }).map { "\($0)/alertd" }
        state = (folder("XDG_STATE_HOME") ?? home.map { "\($0)/.local/state" }).map { "\($0)/alertd" }
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/alertd" }
    }
}
