package import Arguments
internal import Control
internal import Glibc

/// What `alertd` is called with.
package struct DaemonOptions: Equatable, Sendable {
    /// The settings file when none is named.
    package static let defaultConfiguration = "/etc/alertd/alertd.toml"

    package var configuration: String
    package var runtimeFolder: String
    package var stateFolder: String

    /// Reads the options; folders that are not named are those that systemd made for the service, or the usual ones.
    ///
    /// - Parameters:
    ///   - arguments: what was typed.
    ///   - environment: gives the value of an environment variable.
    package init(_ arguments: ParsedArguments, environment: (String) -> String?) {
        configuration = arguments.value("config") ?? Self.defaultConfiguration
        runtimeFolder =
            arguments.value("runtime-dir") ?? Self.firstFolder(environment("RUNTIME_DIRECTORY")) ?? "/run/alertd"
        stateFolder =
            arguments.value("state-dir") ?? Self.firstFolder(environment("STATE_DIRECTORY")) ?? "/var/lib/alertd"
    }

    package var controlSocket: String { "\(runtimeFolder)/\(ControlInterface.name)" }
    package var eventSocket: String { "\(runtimeFolder)/events.sock" }

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
                details: "Rules may also stand in rules.d/*.toml beside it."),
            OptionSpecification("check", help: "Check the settings and exit: 0 when they are good, 6 when not"),
            OptionSpecification(
                "runtime-dir", value: "DIR", kind: .directory, help: "Folder of the sockets (default: /run/alertd)",
                details: "As a service: the folder in $RUNTIME_DIRECTORY."),
            OptionSpecification(
                "state-dir", value: "DIR", kind: .directory,
                help: "Folder of what outlives the process (default: /var/lib/alertd)",
                details:
                    "As a service: the folder in $STATE_DIRECTORY. Events, alerts and prices are in alertd.db there; "
                    + "those of the simulated market in a folder of their own, simulated."),
            OptionSpecification("version", help: "Show the version and exit"),
            .help,
        ],
        exitCodes: [
            (0, "ended in order, or the settings are good"),
            (1, "could not start, for instance because a socket is in use"),
            (2, "the command line makes no sense"), (6, "the settings have an error"),
        ])
}
