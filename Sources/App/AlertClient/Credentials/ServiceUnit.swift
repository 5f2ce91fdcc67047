internal import Control
internal import Diagnostics

/// The system service, controlled with systemctl.
struct ServiceUnit {
    private static let name = "alertd.service"
    /// A folder that exists while systemd is running.
    private static let sign = "/run/systemd/system"

    private let environment: ClientEnvironment

    init(_ environment: ClientEnvironment) {
        self.environment = environment
    }

    /// Restarts the service with its changed drop-ins, if it is running or has failed.
    ///
    /// - Returns: a message for people about what was done.
    /// - Throws: ``ClientError/refused(_:)`` if systemctl fails, for example because the service does not start.
    func restart() throws(ClientError) -> String {
        guard environment.exists(Self.sign) else {
            return "systemd is not running here: the change takes effect when it starts the service."
        }
        try run(["daemon-reload"])
        let state = environment.runProgram("systemctl", ["is-active", Self.name], [])?.output ?? ""
        switch state.split(separator: "\n").first.map(String.init) {
        case "inactive", "deactivating", nil:
            return "The service is not running: the change takes effect when it starts."
        // Without this, systemd refuses to start a service that has failed too often.
        case "failed": try run(["reset-failed", Self.name])
        default: break
        }
        try run(["restart", Self.name])
        return "Restarted the service."
    }

    private func run(_ words: [String]) throws(ClientError) {
        let result = environment.runProgram("systemctl", words, [])
        guard result?.code != 0 else { return }
        let said = result?.errors.split(separator: "\n").joined(separator: " ") ?? "it cannot be run"
        throw .refused(
            Refused(
                message: "the change was made, but 'systemctl \(words.joined(separator: " "))' failed: "
                    + "\(visible(said)); 'systemctl status alertd' shows why"))
    }
}
