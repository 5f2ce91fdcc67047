/// How the program ends; the numbers are part of its interface.
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
    case notAllowed = 77

    var meaning: String {
        switch self {
        case .success: "All is well."
        case .failure: "It did not work, for a reason that is said; a test failed; rules differ."
        case .usage: "The command line makes no sense."
        case .notRunning: "The daemon is not running."
        case .noSuchThing: "There is no such symbol, rule, event, silence or sink."
        case .firing: "An alert fires (with --check only)."
        case .badSettings: "There is an error in the settings."
        case .stale: "The prices are stale (with --check only)."
        case .timedOut: "The daemon did not answer in time."
        case .lint: "The settings are good, but something in them is hardly meant ('check' only)."
        case .notAllowed: "You are not allowed to do this."
        }
    }
}
