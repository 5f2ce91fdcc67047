internal import Control
internal import Diagnostics
internal import JSON
internal import Journal

extension ClientError {
    /// The error as one line of JSON, with its line end, for programs.
    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.beginObject()
        writer.member("code", code)
        writer.member("exit_code", Int(exitCode.rawValue))
        writer.member("message", message)
        if let suggestion { writer.member("suggestion", suggestion) }
        writer.endObject()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    /// The identifier of the kind of error; a stable part of the program's interface.
    var code: String {
        switch self {
        case .usage: "usage"
        case .notRunning: "not_running"
        case .socketRemoved: "socket_removed"
        case .socketDenied, .callDenied, .fileDenied, .restoreDenied, .rootNeeded, .journal(.denied): "not_allowed"
        case .timedOut: "timed_out"
        case .noEvent: "no_event"
        case .closed: "connection_closed"
        case .connection: "connection_failed"
        case .desktop: "desktop_failed"
        case .malformed: "malformed_reply"
        case .remote: "unknown_error"
        case .noSuchSymbol: "no_such_symbol"
        case .noSuchRule: "no_such_rule"
        case .noSuchCredential: "no_such_credential"
        case .noSuchConversion: "no_such_conversion"
        case .noSuchThing(let what): "no_such_\(what.kind.rawValue)"
        case .reloadFailed, .badFiles: "bad_settings"
        case .pollTooSoon: "poll_too_soon"
        case .storeFailed: "store_failed"
        case .unconvertible: "unconvertible"
        case .refused: "refused"
        case .file: "file"
        case .badLines: "bad_lines"
        case .journal: "journal"
        }
    }

    /// The name that the user probably meant.
    private var suggestion: String? {
        switch self {
        case .noSuchSymbol(let what): what.suggestion
        case .noSuchRule(let what): what.suggestion
        case .noSuchThing(let what): what.suggestion
        default: nil
        }
    }
}
