internal import Arguments
internal import Control

/// `alertctl reload`: has the daemon read its settings again, and says what that changed.
enum ReloadCommand: Command {
    static let specification = CommandLineSpecification(
        "reload", summary: "Have the daemon read its settings again",
        discussion: ["When the settings have an error, nothing is changed, and all errors are shown."],
        examples: [Example("alertctl reload", "After the settings were edited.")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let reply = try context.connect().call(.reload, Nothing(), returning: ReloadReply.self)
        let result = reply.result
        let counts =
            "\(result.added.count) added, \(result.removed.count) removed, \(result.changed.count) changed, "
            + "\(result.kept.count) kept"
        context.show(
            Report(parts: [
                .words("Settings reloaded. Rules: \(counts).", .none),
                .lines(key: "added", title: "Added", result.added),
                .lines(key: "removed", title: "Removed", result.removed),
                .lines(key: "changed", title: "Changed", result.changed),
                .lines(key: "kept", title: nil, result.kept),
                .lines(key: "needs_restart", title: "In force after 'systemctl restart alertd'", result.needsRestart),
                .lines(key: "warnings", title: "Warnings", result.warnings),
            ]))
        return .success
    }
}
