internal import Arguments
internal import Control

/// `alertctl version`: of this program, and of the daemon when it runs.
enum VersionCommand: Command {
    static let specification = CommandLineSpecification(
        "version", summary: "Show the versions of this program and of the daemon")

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let daemon = try? context.connect().status().version
        let words = daemon.map { "alertd \($0)" } ?? "alertd does not run, or cannot be asked"
        context.show(
            Report(parts: [
                .words("alertctl \(Version.current)", .none), .words(words, .none),
                .fields(key: nil, [Field("alertctl", .text(Version.current)), Field("alertd", .text(daemon))]),
            ]))
        return .success
    }
}
