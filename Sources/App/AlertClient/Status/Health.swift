internal import Control

/// A problem of the daemon, or something else that needs attention.
struct HealthCause {
    /// The kinds of causes, the most serious first. Without prices, no alert fires. Without a receiver, nobody is
    /// notified. If the state is not saved or new settings are not in effect, alerts are still evaluated as before.
    enum Kind: CaseIterable {
        case stalePrices
        case stoppedReceiver
        case failingReceiver
        case lostLease
        case unsavedState
        case failedReload
        case staleRates
        case divergedCheck
        case silencedEverything
        case noRules
        case impairedRule
        case failedPolls
        case lateRates
        case unfilledGaps
        case feedNote
        case lossySink
        case fullEventSocket

        /// The exit code of `status --check`; nil for a cause that does not prevent anything from working as
        /// configured.
        var exitCode: ExitCode? {
            switch self {
            case .stalePrices, .staleRates: .stale
            case .stoppedReceiver, .failingReceiver, .lostLease: .notNotifying
            case .unsavedState: .notSaved
            case .failedReload: .badSettings
            case .divergedCheck: .firing
            default: nil
            }
        }

        /// The description in the manual; nil without an exit code.
        var meaning: String? {
            switch self {
            case .stalePrices: "the prices of a source are stale"
            case .stoppedReceiver: "a receiver has stopped"
            case .failingReceiver: "a receiver does not accept notifications"
            case .lostLease: "the lease cannot be kept"
            case .unsavedState: "the state is not saved"
            case .failedReload: "the last reload failed"
            case .staleRates: "exchange rates are stale or missing"
            case .divergedCheck: "a check has diverged"
            default: nil
            }
        }
    }

    let kind: Kind
    /// The problem and its remedy.
    let text: String
    /// A few words for a headline; nil if the cause is too minor for one.
    var short: String?
    /// The time when the problem began; nil if unknown.
    var since: String?
}

/// Everything that needs attention, the most serious first. `status`, `watch` and the web page all show this list.
struct Health {
    let causes: [HealthCause]

    /// - Parameters:
    ///   - status: The daemon's status.
    ///   - rates: The daemon's exchange rates; nil if it does not report them.
    ///   - silences: The daemon's silences.
    ///   - formatter: The formatter for times.
    init(_ status: DaemonStatus, rates: RatesReply?, silences: [SilenceStatus], _ formatter: HumanFormatter) {
        let found =
            status.sources.flatMap { feedCauses($0, status, formatter) }
            + status.receiversFailing.map(receiverCause) + leaseCauses(status) + storeCauses(status.store, formatter)
            + settingsCauses(status.configuration, formatter) + rateCauses(rates)
            + (status.checks ?? []).compactMap(checkCause)
            + silences.compactMap { silenceCause($0, status, formatter) } + ruleCauses(status)
            + status.sinks.compactMap(sinkCause) + readerCauses(status)
        causes = HealthCause.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
    }

    /// Requests the daemon's silences. Errors are ignored so that other causes are still shown.
    static func silences(_ status: DaemonStatus, _ connection: any ControlConnection) -> [SilenceStatus] {
        guard status.silences > 0 else { return [] }
        let reply = try? connection.all(.listSilences, ListSilencesParameters(), returning: ListSilencesReply.self)
        return reply?.silences ?? []
    }

    /// The texts of all causes.
    var lines: [String] { causes.map(\.text) }
    /// The causes with a text for a headline.
    var headlines: [HealthCause] { causes.filter { $0.short != nil } }
    /// The most serious cause with an exit code.
    var worst: HealthCause? { causes.first { $0.kind.exitCode != nil } }

    /// Returns the exit code of `status --check`. People already know about a firing alert, so anything that could
    /// prevent the next notification is more serious.
    func exitCode(isFiring: Bool) -> ExitCode {
        worst?.kind.exitCode ?? (isFiring ? .firing : .success)
    }
}

extension DaemonStatus {
    var isStale: Bool { sources.contains(where: \.stale) }
    /// The time of the last data of the first stale source; nil if it has received none.
    var lastDataOfStale: String? { sources.first(where: \.stale)?.lastSuccess }
}

/// Returns a number with a noun: `1 event`, `2 events`, `16 384 events`.
func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// Returns a number with its digits in groups of three, for people: `16 384`.
func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    let groups = digits.enumerated().map { index, digit in
        index > 0 && (digits.count - index) % 3 == 0 ? " \(digit)" : "\(digit)"
    }
    return (number < 0 ? "-" : "") + groups.joined()
}
