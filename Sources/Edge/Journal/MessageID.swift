package import Events

/// A permanent identifier of one kind of journal entry. `journalctl MESSAGE_ID=` finds it, and the catalog explains
/// it.
package struct MessageID: Hashable, Sendable {
    /// A name for people and options, such as `feed_failed`; for an event, its kind.
    package let name: String
    /// The id: 32 hexadecimal digits.
    package let text: String
    /// The meaning of such an entry, for the manual; without a full stop.
    package let meaning: String
    /// The fields of alertd that every such entry has. An entry may have more.
    package let fields: [JournalField]

    private init(_ name: String, _ text: String, _ meaning: String, _ fields: [JournalField] = []) {
        self.name = name
        self.text = text
        self.meaning = meaning
        self.fields = fields
    }

    // The life of the daemon.
    package static let started = MessageID(
        "started", "2361a8b6ed64412d9f998c01165c70c1", "The daemon has started and is watching prices")
    package static let stopping = MessageID(
        "stopping", "d4a9ccba862b4b72b41f1cf5d1e785c3", "The daemon is shutting down as requested")
    package static let startFailed = MessageID(
        "start_failed", "01e94b1d976b49519c0dfb7132a841fe", "The daemon could not start")
    package static let historySized = MessageID(
        "history_sized", "2cf6874035464add81c718ad94a7c00a", "How much memory the price history may use")
    package static let limitTooLow = MessageID(
        "limit_too_low", "220ae9d012c5453082fb78361d37a690",
        "A limit of the system is lower than the settings require")

    package static let descriptorClosed = MessageID(
        "descriptor_closed", "42b7603858d5436196d03dcc82c85c55",
        "The service manager passed a file descriptor that alertd does not use")
    package static let socketRemoved = MessageID(
        "socket_removed", "29af9e969d6d4384a8d9a8ee7d6577b7",
        "The file of a socket was removed while the daemon was running")
    package static let proxyUsed = MessageID(
        "proxy_used", "b4366e080886497c861a3504e41b8e12", "Requests go through the proxy set by a credential")
    package static let watchdogWithheld = MessageID(
        "watchdog_withheld", "49fb861c67d84a1297f9fed6b5d87301",
        "Polling has stalled, and the watchdog keep-alive is withheld")

    // The machine.
    package static let resumed = MessageID(
        "resumed", "9e4016e431c8499ea59aadc823a273c3", "The machine has resumed from suspend")
    package static let clockSet = MessageID(
        "clock_set", "189c9875eb5547acbe674f9d4095cd41", "The system clock was set")

    // Settings.
    package static let reloaded = MessageID(
        "reloaded", "501eace2244b4fdb93e3f0a29d1c0524", "The settings were reloaded")
    package static let reloadFailed = MessageID(
        "reload_failed", "9f3495e1be8740228f9b8ca9d013219e",
        "The new settings contain errors; the previous ones stay in effect")
    package static let settingsFinding = MessageID(
        "settings_finding", "bf5faf6febe94b72907aa850bc1c43a6",
        "An error or a warning in the settings, with its position")

    // Sources of prices and of exchange rates.
    package static let feedFailed = MessageID(
        "feed_failed", "cab5c414476647ef9d97950645494b45", "A poll of a source failed", [.failure, .count])
    package static let feedWorks = MessageID(
        "feed_works", "7b0f3a1fd04c4e6f8d7b8e9a2c5d6134", "Polling has recovered after failures", [.count])
    package static let elementsIgnored = MessageID(
        "elements_ignored", "3c8f5e07d1a94b62b0e7f6a92d485c1b",
        "Elements of a response are ignored because they are not valid tickers", [.count])
    package static let candlesFailed = MessageID(
        "candles_failed", "5b9d1c3a7e6f4d0f8a2465c0de91b7f3",
        "Candles of a gap in the prices could not be fetched", [.failure])
    package static let caughtUp = MessageID(
        "caught_up", "e27c4b90f81d4a6ab3d5960f1c7e2a58",
        "The candles of all gaps in the prices were read", [.count])
    package static let ratesFailed = MessageID(
        "rates_failed", "5f1d6d1c0b8a4c53a6f2f5b94d3e7a10", "Exchange rates could not be fetched", [.failure, .count])
    package static let ratesWork = MessageID(
        "rates_work", "d57b09b3a0f5481382d30f0970354527", "Fetching exchange rates has recovered after failures",
        [.count])
    package static let ratesIgnored = MessageID(
        "rates_ignored", "84d0b2f7c9a6415e9b3d6e1f0a572c48",
        "A file of exchange rates has currencies that cannot be used")
    package static let ratesTaken = MessageID(
        "rates_taken", "b0e6c9d2f7314d8e8a5c1e92d46f3b77", "Exchange rates of a new date are in effect")

    // Monitoring.
    package static let metricsFailed = MessageID(
        "metrics_failed", "968504ab820243bf95f569137f1b4619", "The file with metrics could not be written")
    package static let metricsWritten = MessageID(
        "metrics_written", "c3b3f9a5f6f24f6c9a0c6ed1f9d5b0e7", "The file with metrics can be written again")
    package static let heartbeatFailed = MessageID(
        "heartbeat_failed", "7b02ee35b3f54065a6e3c94b31687795", "The monitoring service could not be reached")
    package static let heartbeatWorks = MessageID(
        "heartbeat_works", "30487259f00140c99ed082e41b3a5a34", "The monitoring service can be reached again")

    // Several daemons.
    package static let leaseHeld = MessageID(
        "lease_held", "64a1c0f57ea44083bdd0c6181ce33503", "This daemon holds the lease and notifies")
    package static let leaseStandby = MessageID(
        "lease_standby", "70ebbcd1eab54fa5a348830fe55eda81", "Another daemon holds the lease; this one stands by")
    package static let leaseFailed = MessageID(
        "lease_failed", "75bf30445de44a759b12bb49de6e05ae", "The lease could not be read or renewed")

    // Changes by users.
    package static let changedByHand = MessageID(
        "changed_by_hand", "28a1fe4e291e4846bc945d012548dfa4",
        "A user changed something, such as a silence, an acknowledgement or a limit")

    // The state file.
    package static let storeOpened = MessageID(
        "store_opened", "54265ccab6444cff98b299ea60b67581", "The state file was created or recovered")
    package static let storeFails = MessageID(
        "store_fails", "d6c73540543b41a092e7a5bf27cac314", "The details of a problem with the state file")

    /// All ids; the ids of events are first.
    package static let all =
        EventKind.allCases.map(of) + [
            started, stopping, startFailed, historySized, limitTooLow, descriptorClosed, socketRemoved, proxyUsed,
            watchdogWithheld, resumed, clockSet, reloaded, reloadFailed, settingsFinding, feedFailed, feedWorks,
            elementsIgnored, candlesFailed, caughtUp, ratesFailed, ratesWork, ratesIgnored,
            ratesTaken, storeOpened, storeFails, metricsFailed, metricsWritten, heartbeatFailed, heartbeatWorks,
            leaseHeld, leaseStandby, leaseFailed, changedByHand,
        ]

    /// Returns the id of a kind of event.
    package static func of(_ kind: EventKind) -> MessageID {
        let (text, meaning) = entry(for: kind)
        return MessageID(kind.rawValue, text, meaning, [.kind, .number] + fields(of: kind))
    }

    private static func entry(for kind: EventKind) -> (id: String, meaning: String) {
        switch kind {
        case .fired: ("905de4d1c9624e7ea3d47c91e82c3708", "An alert fires: a price reached a limit")
        case .resolved: ("93899191115d40e59205beffbe75b2ba", "An alert is no longer firing")
        case .repeated: ("22b8c5729ae14b12a45611acfae3ee94", "An alert is still firing")
        case .touched:
            ("d0a8e6f3b47c4e5c9b21a7c35f6e8d14", "Candles show that a price reached a limit during a gap")
        case .feedStale: ("58700d81e6bc4fab8af66f50f1c12186", "There are no new prices from a source")
        case .feedRecovered: ("f49ddf649c194d83a11846f6fc6798a1", "There are new prices again after an outage")
        case .symbolFrozen: ("47c29e49be39412183ed578bcd491eb6", "A market that a rule names is frozen")
        case .symbolMissing: ("206d7f069be0463d9ce7bb1e970a9592", "The source does not list a market of a rule")
        case .symbolReturned: ("1f109557247c4010b0c6b556a72be3fa", "A market that was frozen or missing is back")
        case .rulesChanged: ("23fc4ca044d6460a91471810b5a41495", "The rules have changed")
        case .storeFailed: ("ed1f6bd35cc04887af6c85a7ccca0b42", "The state cannot be saved")
        case .storeRecovered: ("6d2b5ab63540439b81b8f8a6438e3ce8", "The state is saved again")
        case .receiverFailed: ("0f6f3a3b1f0a4c7b9a53c1d5e86a2f41", "A receiver does not accept notifications")
        case .receiverRecovered: ("c5b7d2e49a3f4d0c8e61b7f0a9d4e352", "A receiver accepts notifications again")
        case .diverged: ("5d0f6a1b7c2e4f83a9b4d6e8f0a1c2d3", "The prices of two sources differ by more than allowed")
        case .converged: ("c8e4b2a09f6d4c71b3a5e7d9f1c3b5a8", "The prices of two sources are close to each other again")
        case .test: ("a21a4a48cafb4a3d85d9fa4553ee8d92", "A test event: no price has reached a limit")
        }
    }

    private static func fields(of kind: EventKind) -> [JournalField] {
        switch kind {
        case .fired, .resolved, .repeated, .touched: [.severity, .rule, .symbol, .bound]
        case .symbolFrozen, .symbolMissing, .symbolReturned: [.severity, .symbol]
        case .diverged, .converged: [.severity, .source, .symbol]
        case .feedStale, .feedRecovered, .rulesChanged, .storeFailed, .storeRecovered, .receiverFailed,
            .receiverRecovered, .test:
            [.severity]
        }
    }
}
