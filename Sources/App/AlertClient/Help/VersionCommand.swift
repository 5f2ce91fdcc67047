internal import Arguments
internal import Control

/// `alertctl version`: shows the versions of this program and of the daemon, if it is running.
enum VersionCommand: Command {
    static let specification = CommandLineSpecification(
        "version", summary: "Show the versions of this program and of the daemon")

    /// `alertctl --version`: shows only the version of this program, without asking a daemon.
    static func showOwn(_ context: Context) -> ExitCode {
        context.show(
            Report(parts: [
                .text("alertctl \(Version.current)", .none),
                .fields(key: nil, [Field("alertctl", .text(Version.current))]),
            ]))
        return .success
    }

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let daemon = try? context.connect().status().version
        let daemonText = daemon.map { "alertd \($0)" } ?? "alertd is not running, or cannot be reached"
        context.show(
            Report(parts: [
                .text("alertctl \(Version.current)", .none), .text(daemonText, .none),
                .fields(key: nil, [Field("alertctl", .text(Version.current)), Field("alertd", .text(daemon))]),
            ]))
        return .success
    }
}
