internal import Arguments
internal import Control
internal import Diagnostics

/// `alertctl restore FILE`: replaces the state file with a backup, while the daemon is stopped.
enum RestoreCommand: Command {
    static let specification = CommandLineSpecification(
        "restore", summary: "Restore a backup of the state while the daemon is stopped",
        discussion: [
            "Runs 'alertd --restore', which checks the whole backup and then replaces the state file atomically. The "
                + "previous state file is kept in the same directory under another name. Event numbers that were "
                + "assigned after the backup are not reused. Notifications that were queued at the time of the "
                + "backup are sent again, with the same ids.",
            "If the daemon is running, nothing is changed. This needs the permissions of the daemon's user or of root.",
        ],
        examples: [
            Example("systemctl stop alertd.socket alertd.service", "First stop the daemon."),
            Example("alertctl restore alertd-2026-11-21.db", "Restore the backup."),
            Example("systemctl start alertd", "Then start the daemon again."),
        ],
        options: [
            OptionSpecification(
                "state-dir", value: "DIR", kind: .directory,
                help: "Directory of the saved state (default: that of the service, or your own)"),
            OptionSpecification(
                "config", value: "FILE", kind: .file,
                help: "Settings file, which decides whether the market is simulated"),
            OptionSpecification("force", help: "Restore it even if it is a backup of another daemon's state"),
        ],
        operands: [OperandSpecification("FILE", kind: .file, help: "The backup")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let arguments = context.arguments
        let file = arguments.operands[0]
        var words = ["--restore", file]
        for option in ["state-dir", "config"] {
            if let value = arguments.value(option) { words += ["--\(option)", value] }
        }
        if arguments.has("force") { words.append("--force") }
        guard let result = context.environment.runDaemon(words) else {
            throw .file("cannot run alertd, which restores backups; is it installed next to alertctl?")
        }
        let lines = result.output.split(separator: "\n").map(String.init)
        guard result.code == 0 else {
            let text = result.errors.split(separator: "\n").map(String.init).joined(separator: " ")
            let message = text.hasPrefix("alertd: ") ? String(text.dropFirst("alertd: ".count)) : text
            throw result.code == 4 ? .restoreDenied(message) : .refused(Refused(message: message))
        }
        context.show(
            Report(
                parts: lines.map { .text(visible($0), .none) } + [
                    .fields(key: nil, [Field("file", .text(file)), Field("messages", .list(lines))])
                ]))
        return .success
    }
}
