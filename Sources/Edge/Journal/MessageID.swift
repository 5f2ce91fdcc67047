package import Events

/// Names one kind of journal entry for ever: what `journalctl MESSAGE_ID=` finds and what the catalog explains.
package struct MessageID: Hashable, Sendable {
    /// One word for people and options: of an event its kind, `feed_failed`.
    package let name: String
    /// 32 hexadecimal digits.
    package let text: String
    /// What it says, for the manual; without a full stop.
    package let meaning: String
    /// The fields of ours that each such entry has; others it may have.
    package let fields: [JournalField]

    private init(_ name: String, _ text: String, _ meaning: String, _ fields: [JournalField] = []) {
        self.name = name
        self.text = text
        self.meaning = meaning
        self.fields = fields
    }

    // The life of the daemon.
    package static let started = MessageID(
        "started", "2361a8b6ed64412d9f998c01165c70c1", "The daemon has begun to watch prices")
    package static let stopping = MessageID(
        "stopping", "d4a9ccba862b4b72b41f1cf5d1e785c3", "The daemon ends because it was notified to")
    package static let startFailed = MessageID(
        "start_failed", "01e94b1d976b49519c0dfb7132a841fe", "The daemon could not start")
    package static let historySized = MessageID(
        "history_sized", "2cf6874035464add81c718ad94a7c00a", "How much memory the kept prices may take")
    package static let limitTooLow = MessageID(
        "limit_too_low", "220ae9d012c5453082fb78361d37a690",
        "A limit of the system leaves less room than the settings ask for")

    package static let descriptorClosed = MessageID(
        "descriptor_closed", "42b7603858d5436196d03dcc82c85c55",
        "The service manager passed a socket or a file that alertd has no use for")
    package static let proxyUsed = MessageID(
        "proxy_used", "b4366e080886497c861a3504e41b8e12", "Requests go through the proxy of a credential")
    package static let watchdogWithheld = MessageID(
        "watchdog_withheld", "49fb861c67d84a1297f9fed6b5d87301",
        "Polling stands still, and the service manager is no longer notified that all is well")

    // The machine.
    package static let resumed = MessageID(
        "resumed", "9e4016e431c8499ea59aadc823a273c3", "The machine was suspended and goes on")
    package static let clockSet = MessageID(
        "clock_set", "189c9875eb5547acbe674f9d4095cd41", "Somebody set the clock of the machine")

    // Settings.
    package static let reloaded = MessageID(
        "reloaded", "501eace2244b4fdb93e3f0a29d1c0524", "The settings were read again and are in force")
    package static let reloadFailed = MessageID(
        "reload_failed", "9f3495e1be8740228f9b8ca9d013219e", "New settings have an error; those of before stay in force"
    )
    package static let settingsFinding = MessageID(
        "settings_finding", "bf5faf6febe94b72907aa850bc1c43a6", "What is wrong with the settings, and where")

    // Where prices and exchange rates come from.
    package static let feedFailed = MessageID(
        "feed_failed", "cab5c414476647ef9d97950645494b45", "A poll of the exchange failed", [.failure, .count])
    package static let feedWorks = MessageID(
        "feed_works", "7b0f3a1fd04c4e6f8d7b8e9a2c5d6134", "Polls succeed again after failures", [.count])
    package static let ratesFailed = MessageID(
        "rates_failed", "5f1d6d1c0b8a4c53a6f2f5b94d3e7a10", "Exchange rates could not be fetched", [.failure, .count])
    package static let ratesWork = MessageID(
        "rates_work", "d57b09b3a0f5481382d30f0970354527", "Exchange rates can be fetched again after failures", [.count]
    )
    package static let ratesTaken = MessageID(
        "rates_taken", "b0e6c9d2f7314d8e8a5c1e92d46f3b77", "Exchange rates of another day are in force")

    // What people do.
    package static let changedByHand = MessageID(
        "changed_by_hand", "28a1fe4e291e4846bc945d012548dfa4", "Somebody silenced, acknowledged or armed something")

    // The state file.
    package static let storeOpened = MessageID(
        "store_opened", "54265ccab6444cff98b299ea60b67581", "The state file was made, or brought to the present version"
    )
    package static let storeFails = MessageID(
        "store_fails", "d6c73540543b41a092e7a5bf27cac314", "What is wrong with the state file, in detail")

    /// Every id that there is: those of events first.
    package static let all =
        EventKind.allCases.map(of) + [
            started, stopping, startFailed, historySized, limitTooLow, descriptorClosed, proxyUsed, watchdogWithheld,
            resumed, clockSet, reloaded, reloadFailed, settingsFinding,
            feedFailed,
            feedWorks, ratesFailed, ratesWork, ratesTaken, storeOpened, storeFails, changedByHand,
        ]

    /// The id of that kind of event.
    package static func of(_ kind: EventKind) -> MessageID {
        let (text, meaning) = words(for: kind)
        return MessageID(kind.rawValue, text, meaning, [.kind, .number] + fields(of: kind))
    }

    private static func words(for kind: EventKind) -> (id: String, meaning: String) {
        switch kind {
        case .fired: ("905de4d1c9624e7ea3d47c91e82c3708", "An alert fires: a price reached a limit")
        case .resolved: ("93899191115d40e59205beffbe75b2ba", "An alert no longer fires")
        case .repeated: ("22b8c5729ae14b12a45611acfae3ee94", "An alert still fires")
        case .feedStale: ("58700d81e6bc4fab8af66f50f1c12186", "There are no new prices any more")
        case .feedRecovered: ("f49ddf649c194d83a11846f6fc6798a1", "There are new prices again")
        case .symbolFrozen: ("47c29e49be39412183ed578bcd491eb6", "A market that a rule names does not move")
        case .symbolMissing: ("206d7f069be0463d9ce7bb1e970a9592", "The exchange does not list a market of a rule")
        case .symbolReturned: ("1f109557247c4010b0c6b556a72be3fa", "A market that was frozen or missing is back")
        case .rulesChanged: ("23fc4ca044d6460a91471810b5a41495", "Other rules are in force")
        case .storeFailed: ("ed1f6bd35cc04887af6c85a7ccca0b42", "What must outlive the process cannot be saved")
        case .storeRecovered: ("6d2b5ab63540439b81b8f8a6438e3ce8", "What must outlive the process is saved again")
        case .test: ("a21a4a48cafb4a3d85d9fa4553ee8d92", "A drill: nothing happened")
        }
    }

    private static func fields(of kind: EventKind) -> [JournalField] {
        switch kind {
        case .fired, .resolved, .repeated: [.severity, .rule, .symbol, .bound]
        case .symbolFrozen, .symbolMissing, .symbolReturned: [.severity, .symbol]
        case .feedStale, .feedRecovered, .rulesChanged, .storeFailed, .storeRecovered, .test: [.severity]
        }
    }
}
