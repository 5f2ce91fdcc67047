internal import Arguments
internal import Control

/// `alertctl reload`: makes the daemon reload its settings, and reports what changed.
enum ReloadCommand: Command {
    static let specification = CommandLineSpecification(
        "reload", summary: "Make the daemon reload its settings",
        discussion: ["If the settings contain errors, nothing is changed, and all errors are shown.", accessText],
        examples: [Example("alertctl reload", "After editing the settings.")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let reply = try context.connect().call(.reload, Nothing(), returning: ReloadReply.self)
        let result = reply.result
        let counts =
            "\(result.added.count) added, \(result.removed.count) removed, \(result.changed.count) changed, "
            + "\(result.kept.count) kept"
        context.show(
            Report(parts: [
                .text("Settings reloaded. Rules: \(counts).", .none),
                .lines(key: "added", title: "Added", result.added),
                .lines(key: "removed", title: "Removed", result.removed),
                .lines(key: "changed", title: "Changed", result.changed),
                .lines(key: "kept", title: nil, result.kept),
                .lines(
                    key: "needs_restart", title: "Takes effect after 'systemctl restart alertd'", result.needsRestart),
                .lines(key: "warnings", title: "Warnings", result.warnings),
            ]))
        return .success
    }
}
