internal import Control

/// A reason why the daemon is not well, or something that needs attention.
struct HealthCause {
    /// The most serious first: without prices, no alert fires; without a receiver, nobody hears of it; what is not
    /// saved or not in effect is still watched as before.
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

        /// The exit code of `status --check`; nil for a cause that does not keep anything from working as declared.
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

        /// What it means, for the manual; nil without an exit code.
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
    /// What is wrong and what to do.
    let text: String
    /// A few words for a headline; nil for what does not belong there.
    var short: String?
    /// Since when, if it is known.
    var since: String?
}

/// Everything that needs attention, the most serious first: the one list for `status`, `watch` and the page.
struct Health {
    let causes: [HealthCause]

    /// - Parameters:
    ///   - status: The state of the daemon.
    ///   - rates: Its exchange rates; nil if it does not say.
    ///   - silences: Its silences.
    ///   - formatter: How people read times.
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

    /// The silences of the daemon. Without an answer, the other causes are shown.
    static func silences(_ status: DaemonStatus, _ connection: any ControlConnection) -> [SilenceStatus] {
        guard status.silences > 0 else { return [] }
        let reply = try? connection.all(.listSilences, ListSilencesParameters(), returning: ListSilencesReply.self)
        return reply?.silences ?? []
    }

    /// One line each, with advice.
    var lines: [String] { causes.map(\.text) }
    /// Those that a headline names.
    var headlines: [HealthCause] { causes.filter { $0.short != nil } }
    /// The most serious cause with an exit code.
    var worst: HealthCause? { causes.first { $0.kind.exitCode != nil } }

    /// The exit code of `status --check`. People are notified of a firing alert, so whatever may keep the next one from
    /// them is more serious.
    func exitCode(isFiring: Bool) -> ExitCode {
        worst?.kind.exitCode ?? (isFiring ? .firing : .success)
    }
}

extension DaemonStatus {
    /// Whether the prices of any source are stale.
    var isStale: Bool { sources.contains(where: \.stale) }
    /// When the last data of a stale source was received; nil if there was none.
    var lastDataOfStale: String? { sources.first(where: \.stale)?.lastSuccess }
}

/// `1 event`, `2 events`, `16 384 events`
func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// The digits in groups of three, in a text for people: `16 384`.
func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    let groups = digits.enumerated().map { index, digit in
        index > 0 && (digits.count - index) % 3 == 0 ? " \(digit)" : "\(digit)"
    }
    return (number < 0 ? "-" : "") + groups.joined()
}
