internal import Arguments
package import Control
package import Diagnostics
package import Journal
internal import Market
package import Time

/// The failure of a command.
package enum ClientError: Error, Equatable, Sendable {
    /// Invalid usage; the text says why and what to do.
    case usage(String)
    /// Nothing is listening on the socket.
    case notRunning(socket: String)
    /// A process still listens on the socket, but the socket file was removed.
    case socketRemoved(socket: String)
    /// The user may not open the socket.
    case socketDenied(socket: String)
    /// The daemon does not allow the user to do this.
    case callDenied
    /// The daemon did not respond within this time.
    case timedOut(Milliseconds)
    /// The awaited event did not occur within this time.
    case noEvent(Milliseconds)
    /// The daemon closed the connection before it responded.
    case closed
    /// The connection failed for the reason in the message.
    case connection(String)
    /// Desktop notifications cannot be shown, for the reason in the message.
    case desktop(String)
    /// The daemon sent a response that this program cannot decode, for the reason in the message.
    case malformed(String)
    /// The daemon returned an error that this program does not know.
    case remote(name: String)
    case noSuchSymbol(NoSuchSymbol)
    case noSuchRule(NoSuchRule)
    case reloadFailed(ReloadFailed)
    case pollTooSoon(PollTooSoon)
    case storeFailed(StoreFailed)
    case unconvertible(Unconvertible)
    case noSuchThing(NoSuchThing)
    case refused(Refused)
    /// A file cannot be read or written; the message begins with its name.
    case file(String)
    /// The user may not replace the state file; with the message of `alertd`.
    case restoreDenied(String)
    /// The user may not change a settings file or folder; with its path.
    case fileDenied(String)
    /// Only root may do this; with the reason.
    case rootNeeded(String)
    /// alertctl has stored no credential with this name; `known` lists those it has stored.
    case noSuchCredential(String, known: [String])
    /// No conversion with that number is kept.
    case noSuchConversion(Int)
    case journal(JournalError)
    /// Files to import have bad lines: messages for the first few, and the total count.
    case badLines([String], count: Int)
    /// Rule or test files have errors.
    case badFiles([Finding])
}

extension ClientError {
    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .notRunning, .socketRemoved: .notRunning
        case .socketDenied, .callDenied, .fileDenied, .restoreDenied, .rootNeeded, .journal(.denied): .notAllowed
        case .timedOut, .noEvent: .timedOut
        case .closed, .connection, .desktop, .malformed, .remote, .pollTooSoon, .storeFailed, .unconvertible, .refused,
            .file, .badLines, .journal:
            .failure
        case .noSuchSymbol, .noSuchRule, .noSuchThing, .noSuchCredential, .noSuchConversion: .noSuchThing
        case .reloadFailed, .badFiles: .badSettings
        }
    }

    /// True if the daemon answered, or was not called, so that its connection can be used for further calls.
    var leavesConnection: Bool {
        switch self {
        case .callDenied, .noSuchSymbol, .noSuchRule, .noSuchThing, .reloadFailed, .pollTooSoon, .storeFailed,
            .unconvertible, .refused, .usage, .remote:
            true
        default: false
        }
    }

    /// The problem and its remedy, for standard error. Control characters are escaped.
    var message: String {
        switch self {
        case .usage(let text): visibleLines(text)
        case .notRunning(let socket): Self.notRunningText(visible(socket))
        case .socketRemoved(let socket): Self.socketRemovedText(visible(socket))
        case .socketDenied(let socket): Self.socketDeniedText(visible(socket))
        case .callDenied:
            "not allowed: only root, the user alertd and members of the group alertd-admin may change anything"
        case .timedOut(let length): "the daemon did not respond within \(length); try again, or use a longer --timeout"
        case .noEvent(let length): "no such event within \(length)"
        case .closed: "the daemon closed the connection; 'alertctl status' shows whether it is still running"
        case .connection(let text): "cannot talk to the daemon: \(visible(text))"
        case .desktop(let text): "cannot show notifications: \(visible(text))"
        case .malformed(let text): "the daemon's response cannot be understood: \(visible(text))"
        case .remote(let name):
            "the daemon returned the error \(visible(name)), which this version of alertctl does not know"
        case .noSuchSymbol(let what): Self.noSuchSymbolText(what)
        case .noSuchRule(let what): Self.noSuchRuleText(what)
        case .reloadFailed(let what): Self.reloadFailedText(what)
        case .storeFailed(let what): visible(what.message)
        case .unconvertible(let what): visible(what.message) + "; 'alertctl rates' shows the available rates"
        case .noSuchThing(let what): Self.noSuchThingText(what)
        case .refused(let what): visible(what.message)
        case .file(let text): visible(text)
        case .restoreDenied(let text): "\(visible(text)); run the command as root, for example with sudo"
        case .fileDenied(let path):
            "not allowed to change \(visible(path)); run the command as root, for example with sudo"
        case .rootNeeded(let reason): "not allowed: \(reason); run the command as root, for example with sudo"
        case .noSuchCredential(let name, let known): Self.noSuchCredentialText(name, known)
        case .noSuchConversion(let number):
            "no conversion \(number) is kept; 'alertctl convert --history' lists those that are"
        case .journal(let error): error.message
        case .badLines(let lines, let count): Self.badLinesText(lines, count)
        case .badFiles(let findings):
            "nothing was done because the files contain errors:\n"
                + String(FindingRenderer().render(findings).dropLast())
        case .pollTooSoon(let what): Self.pollTooSoonText(what)
        }
    }

    private static func pollTooSoonText(_ what: PollTooSoon) -> String {
        let milliseconds = what.retryAfterMilliseconds
        // Rounded up so that the user does not try again too early.
        let seconds = max(1, milliseconds / 1_000 + (milliseconds % 1_000 > 0 ? 1 : 0))
        guard let until = what.notBefore else {
            return "the source was polled a moment ago; try again in \(seconds)s"
        }
        let rest = Milliseconds.seconds(Int64(min(seconds, 1 << 32))).approximate
        return "the source asked not to be polled until \(visible(until)), for \(rest); "
            + "'alertctl poll --force' polls anyway"
    }

    private static func notRunningText(_ socket: String) -> String {
        """
        the daemon is not running: nothing is listening on \(socket)
        Start it with 'systemctl start alertd', or in the foreground with 'alertd --config FILE'.
        If it uses another socket, specify it with --socket PATH or in ALERTD_SOCKET.
        """
    }

    private static func socketRemovedText(_ socket: String) -> String {
        """
        the socket file \(socket) was removed, but a process is still listening on it
        A running alertd recreates it with its next poll, or immediately with 'systemctl reload alertd'.
        If it belongs to alertd.socket, run 'systemctl stop alertd.socket alertd.service', and then
        'systemctl start alertd.socket alertd.service'.
        """
    }

    private static func socketDeniedText(_ socket: String) -> String {
        """
        not allowed to open \(socket)
        Join a group that is allowed: 'sudo usermod --append --groups alertd "$USER"', then log in again.
        """
    }

    private static func noSuchSymbolText(_ what: NoSuchSymbol) -> String {
        let meant = what.suggestion.map { "did you mean \(visible($0))?" } ?? "'alertctl list' shows all symbols"
        return "there is no symbol '\(visible(what.symbol))'; \(meant)"
    }

    private static func noSuchRuleText(_ what: NoSuchRule) -> String {
        let meant = what.suggestion.map { "did you mean '\(visible($0))'?" } ?? "'alertctl rules' shows all rules"
        return "there is no rule '\(visible(what.rule))'; \(meant)"
    }

    private static func noSuchThingText(_ what: NoSuchThing) -> String {
        let lists: [ControlInterface.ThingKind: String] = [
            .event: "'alertctl events' lists events", .silence: "'alertctl silence list --all' lists silences",
        ]
        let advice =
            what.suggestion.map { "did you mean '\(visible($0))'?" }
            ?? what.known.map { Self.knownText($0, what.kind) } ?? lists[what.kind]
        return "there is no \(visible(what.kind.rawValue)) '\(visible(what.name))'" + (advice.map { "; \($0)" } ?? "")
    }

    private static func noSuchCredentialText(_ name: String, _ known: [String]) -> String {
        let meant = nearest(to: name, among: known).map { "did you mean '\(visible($0))'?" }
        let advice = meant ?? "'alertctl credential list' shows all credentials"
        return "no credential '\(visible(name))' is stored; \(advice)"
    }

    private static func knownText(_ names: [String], _ kind: ControlInterface.ThingKind) -> String {
        guard names.isEmpty else { return "known: " + names.map { visible($0) }.joined(separator: ", ") }
        return kind == .receiver ? "the settings have no [[receiver]]" : "there are none"
    }

    private static func badLinesText(_ lines: [String], _ count: Int) -> String {
        let rest = count > lines.count ? ["… and \(count - lines.count) more"] : []
        return
            (["nothing was imported because of \(counted(count, "bad line")):"] + lines.map(visible)
            + rest + ["Fix them, or skip them with --skip-bad."]).joined(separator: "\n")
    }

    private static func reloadFailedText(_ what: ReloadFailed) -> String {
        (["nothing was changed because the settings contain errors:"] + what.findings.map(visible)).joined(
            separator: "\n")
    }
}

extension JournalError {
    fileprivate var message: String {
        switch self {
        case .missing:
            "this machine has no journal; alertd writes to standard error instead, and 'alertctl events' shows past "
                + "events"
        case .denied:
            """
            not allowed to read the service's journal entries
            Join a group that is allowed: 'sudo usermod --append --groups systemd-journal "$USER"', then log in again.
            """
        case .failed(let number): "the journal cannot be read: \(describe(number))"
        }
    }
}
