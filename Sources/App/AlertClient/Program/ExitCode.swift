/// The exit codes of alertctl; the numbers are a stable part of its interface.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case usage = 2
    case notRunning = 3
    case noSuchThing = 4
    case firing = 5
    case badSettings = 6
    case stale = 7
    case timedOut = 8
    case lint = 9
    case notNotifying = 10
    case notSaved = 11
    case notAllowed = 77

    var meaning: String {
        switch self {
        case .success: "Success."
        case .failure: "Failed; see the message. Also: a test failed, rules differ, or a rule was not evaluated."
        case .usage: "Invalid usage."
        case .notRunning: "The daemon is not running."
        case .noSuchThing: "No such symbol, rule, event, silence, sink, receiver, source, credential or conversion."
        case .firing: "An alert is firing, or a check of prices has diverged (with --check only)."
        case .badSettings: "The settings contain errors, or the last reload failed ('status --check')."
        case .stale: "Prices or exchange rates are stale (with --check only)."
        case .timedOut: "The daemon did not respond in time, or no event came in time ('wait' only)."
        case .lint: "The settings are valid, but contain likely mistakes ('check' only)."
        case .notNotifying: "Notifications do not reach a receiver ('status --check' only)."
        case .notSaved: "The state is not saved ('status --check' only)."
        case .notAllowed: "Not allowed."
        }
    }
}
