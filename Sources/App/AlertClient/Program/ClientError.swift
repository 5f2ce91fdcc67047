internal import Arguments
package import Control
package import Diagnostics
package import Journal
internal import Market
package import Time

/// Why a command did not do what it was notified.
package enum ClientError: Error, Equatable, Sendable {
    /// The command line makes no sense; the text says why and what to do.
    case usage(String)
    /// Nobody listens at the socket.
    case notRunning(socket: String)
    /// The user may not open the socket.
    case socketDenied(socket: String)
    /// The daemon does not let the user do this.
    case callDenied
    case timedOut(Milliseconds)
    /// The daemon closed the connection before it had answered.
    case closed
    /// The connection failed in another way; in words.
    case connection(String)
    /// The daemon answered something that this program does not understand; in words.
    case malformed(String)
    /// An error of the daemon that this program does not know.
    case remote(name: String)
    case noSuchSymbol(NoSuchSymbol)
    case noSuchRule(NoSuchRule)
    case reloadFailed(ReloadFailed)
    case pollTooSoon(PollTooSoon)
    case storeFailed(StoreFailed)
    case unconvertible(Unconvertible)
    case noSuchThing(NoSuchThing)
    case refused(Refused)
    /// A file cannot be read or written; in words, which begin with its name.
    case file(String)
    case journal(JournalError)
    /// Files that were to be imported have bad lines: what is wrong with the first of them, and how many there are.
    case badLines([String], count: Int)
    /// Files that a command was given, of rules or of tests, have errors.
    case badFiles([Finding])
}

extension ClientError {
    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notRunning: .notRunning
        case .socketDenied, .callDenied, .journal(.denied): .notAllowed
        case .timedOut: .timedOut
        case .closed, .connection, .malformed, .remote, .pollTooSoon, .storeFailed, .unconvertible, .refused, .file,
            .badLines, .journal:
            .failure
        case .noSuchSymbol, .noSuchRule, .noSuchThing: .noSuchThing
        case .reloadFailed, .badFiles: .badSettings
        }
    }

    /// What went wrong and what to do, for the error stream; holds nothing that a terminal would act on.
    var message: String {
        switch self {
        case .usage(let text): text
        case .notRunning(let socket): Self.notRunningText(visible(socket))
        case .socketDenied(let socket): Self.socketDeniedText(visible(socket))
        case .callDenied: "not allowed; only root, the user alertd and the group alertd-admin may change something"
        case .timedOut(let length): "the daemon did not answer within \(length); try again, or --timeout with more"
        case .closed: "the daemon closed the connection; 'alertctl status' tells whether it still runs"
        case .connection(let words): "cannot talk to the daemon: \(visible(words))"
        case .malformed(let words): "the daemon's answer cannot be understood: \(visible(words))"
        case .remote(let name): "the daemon answered with the error \(visible(name)); its version may be another"
        case .noSuchSymbol(let what): Self.noSuchSymbolText(what)
        case .noSuchRule(let what): Self.noSuchRuleText(what)
        case .reloadFailed(let what): Self.reloadFailedText(what)
        case .storeFailed(let what): visible(what.message)
        case .unconvertible(let what): visible(what.message) + "; 'alertctl rates' shows what there is"
        case .noSuchThing(let what): Self.noSuchThingText(what)
        case .refused(let what): visible(what.message)
        case .file(let words): visible(words)
        case .journal(let error): error.message
        case .badLines(let lines, let count): Self.badLinesText(lines, count)
        case .badFiles(let findings):
            "nothing was done, because of errors in what was to be read:\n"
                + String(FindingRenderer().render(findings).dropLast())
        case .pollTooSoon(let what):
            "the exchange was asked a moment ago; try again in \(Self.wholeSeconds(what.retryAfterMilliseconds))s"
        }
    }

    /// Rounded up, so that nobody tries too soon again.
    private static func wholeSeconds(_ milliseconds: Int) -> Int {
        max(1, milliseconds / 1_000 + (milliseconds % 1_000 > 0 ? 1 : 0))
    }

    private static func notRunningText(_ socket: String) -> String {
        """
        the daemon is not running: nobody listens at \(socket)
        Start it with 'systemctl start alertd', or in the foreground with 'alertd --config FILE'.
        If it uses another socket, name it with --socket PATH or in ALERTD_SOCKET.
        """
    }

    private static func socketDeniedText(_ socket: String) -> String {
        """
        not allowed to open \(socket)
        Join the group that may: 'sudo usermod --append --groups alertd "$USER"', then log in again.
        """
    }

    private static func noSuchSymbolText(_ what: NoSuchSymbol) -> String {
        let meant = what.suggestion.map { "did you mean \(visible($0))?" } ?? "'alertctl list' shows all there are"
        return "the exchange lists no symbol '\(visible(what.symbol))'; \(meant)"
    }

    private static func noSuchRuleText(_ what: NoSuchRule) -> String {
        let meant = what.suggestion.map { "did you mean '\(visible($0))'?" } ?? "'alertctl rules' shows all there are"
        return "no rule in force is called '\(visible(what.rule))'; \(meant)"
    }

    private static func noSuchThingText(_ what: NoSuchThing) -> String {
        let lists: [ControlInterface.ThingKind: String] = [.event: "events", .silence: "silence list --all"]
        let advice =
            what.suggestion.map { "did you mean '\(visible($0))'?" }
            ?? what.known.map { "there are: " + $0.map { visible($0) }.joined(separator: ", ") }
            ?? lists[what.kind].map { "'alertctl \($0)' shows all there are" }
        return "there is no \(visible(what.kind.rawValue)) '\(visible(what.name))'" + (advice.map { "; \($0)" } ?? "")
    }

    private static func badLinesText(_ lines: [String], _ count: Int) -> String {
        let rest = count > lines.count ? ["… and \(count - lines.count) more"] : []
        return
            (["nothing was imported, because of \(count) bad line\(count == 1 ? "" : "s"):"] + lines.map(visible)
            + rest + ["Mend them, or leave them out with --skip-bad."]).joined(separator: "\n")
    }

    private static func reloadFailedText(_ what: ReloadFailed) -> String {
        (["the settings have errors, so nothing was changed:"] + what.findings.map(visible)).joined(separator: "\n")
    }
}

extension JournalError {
    fileprivate var message: String {
        switch self {
        case .missing:
            "this machine keeps no journal; without one alertd writes to standard error, and 'alertctl events' knows "
                + "what happened"
        case .denied:
            """
            not allowed to read the service's entries of the journal
            Join the group that may: 'sudo usermod --append --groups systemd-journal "$USER"', then log in again.
            """
        case .failed(let number): "the journal cannot be read: \(describe(number))"
        }
    }
}
