internal import Arguments
internal import Control
internal import Market

/// `alertctl status`: shows the state of the daemon, in the style of systemctl.
enum StatusCommand: Command {
    static let specification = CommandLineSpecification(
        "status", summary: "Show the state of the daemon and its feed",
        examples: [
            Example("alertctl status", "The complete state, with advice on problems."),
            Example("alertctl status --check -q", "For scripts: exit code 0 if all is well."),
            Example("alertctl status --healthy -q", "For health checks, which ignore firing alerts."),
        ],
        options: [
            OptionSpecification(
                "check", help: "Exit with a code for the most serious problem, or 5 if an alert is firing",
                details: "The most serious problem decides: \(codes). The section Health of the output lists all "
                    + "problems and what to do about each. Those that do not affect the exit code, such as a single "
                    + "poll that failed, a frozen market or a silence, are listed after the others."),
            OptionSpecification("healthy", help: "Like --check, but firing alerts do not count; for health checks"),
        ])

    /// The exit codes for the help text, the most serious first: `7 if the prices of a source are stale, else 10 if a
    /// receiver has stopped, …`
    private static var codes: String {
        let known = HealthCause.Kind.allCases.compactMap { kind in
            kind.exitCode.flatMap { code in kind.meaning.map { (code.rawValue, $0) } }
        }
        var codes: [(code: Int32, meanings: [String])] = []
        for (code, meaning) in known {
            if codes.last?.code != code { codes.append((code, [])) }
            codes[codes.count - 1].meanings.append(meaning)
        }
        return codes.map { "\($0.code) if \($0.meanings.joined(separator: ", or "))" }.joined(separator: ", else ")
            + ", or an alert is firing"
    }

    /// The amount of detail to show.
    private struct Extent {
        var length: StatusReport.Length
        /// The maximum number of firing alerts.
        var firing: Int
        /// The maximum number of problems.
        var problems = Int.max
    }

    /// The largest number of problems to try when fitting the status to the screen.
    private static let mostProblems = 100

    /// Returns the longest form of the report that fits the screen. Details that rarely change are omitted first, then
    /// firing alerts, then the least serious problems. The most serious problem is always shown.
    private static func fitting(
        _ report: (Extent) -> Report, most: Int, _ lengths: (full: StatusReport.Length, compact: StatusReport.Length),
        _ context: Context
    ) -> Report {
        var extents = [Extent(length: lengths.full, firing: most)]
        extents += (1...most).reversed().map { Extent(length: lengths.compact, firing: $0) }
        extents += (1...mostProblems).reversed().map {
            Extent(length: lengths.compact, firing: 1, problems: $0)
        }
        let fits = extents.lazy.map(report).first(where: context.fitsScreen)
        return fits ?? report(extents[extents.count - 1])
    }

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: false)
    }

    /// The short form, shown if no command is given.
    static func runShort(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, isShort: true)
    }

    private static func run(_ context: Context, isShort: Bool) throws(ClientError) -> ExitCode {
        let connection = try context.connect()
        let status = try connection.status()
        // A daemon of an earlier version does not know the method.
        let rates = try? connection.call(.rates, Nothing(), returning: RatesReply.self)
        let health = Health(
            status, rates: rates, silences: Health.silences(status, connection), context.formatter)
        let several = status.sources.count > 1
        let firing =
            status.firing > 0
            ? FiringLines(connection, context, isShort: isShort, hasSeveralSources: several) : nil
        let report = { (extent: Extent) in
            StatusReport(
                status, health, rates, context, firing: firing?.lines(extent.firing) ?? [],
                mostHealthLines: extent.problems, length: extent.length
            ).report
        }
        let lengths: (StatusReport.Length, StatusReport.Length) = isShort ? (.short, .short) : (.full, .compact)
        context.show(fitting(report, most: firing?.limit ?? 1, lengths, context))
        if context.arguments.has("check") { return health.exitCode(isFiring: status.firing > 0) }
        return context.arguments.has("healthy") ? health.exitCode(isFiring: false) : .success
    }
}
