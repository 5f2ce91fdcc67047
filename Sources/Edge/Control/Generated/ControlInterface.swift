// Made from org.alertd.Control.varlink by `make generate`; do not edit.

/// The control interface of alertd. Prices, limits and rates are decimal strings, so that nothing is rounded. Times are
/// RFC 3339 in UTC with milliseconds; names that end in `_ms` are durations in milliseconds. Optional fields may be nil
/// or absent. Later versions may add fields, methods and words; they do not remove, rename or redefine any. Clients
/// ignore fields and tolerate words that they do not know.
package enum ControlInterface {
    package static let name = "org.alertd.Control"

    /// The interface in Varlink's interface definition language.
    package static let description = [
        interfaceText,
        wordsText,
        daemonText,
        settingsText,
        leaseText,
        checksText,
        symbolsText,
        rulesAndAlertsText,
        eventsText,
        explanationsText,
        priceHistoryText,
        exchangeRatesText,
        silencesText,
        limitsText,
        receiversText,
    ].joined(separator: "\n")

    /// The methods; the raw values are their names on the wire.
    package enum Method: String, CaseIterable, Sendable {
        /// Returns the state of the daemon.
        case status = "Status"
        /// Reads the settings files again. Only for root, the daemon's own user and its administrators.
        case reload = "Reload"
        /// Polls the exchange now instead of at the next interval. Only for those who may reload.
        case poll = "Poll"
        /// Returns a copy of the state file at this moment. Requires the flag `more`; only for those who may reload.
        /// The first reply has the size, the next ones have the content, and the last one has the checksum.
        case backup = "Backup"
        /// Returns the symbols of the last usable response, in its order; at most 1,000. A response between two pages
        /// may repeat or omit some.
        case listTickers = "ListTickers"
        /// Returns one symbol with its alerts and its price history.
        case getSymbol = "GetSymbol"
        /// Returns the past prices of a coin as its price service has them. They are requested from the service unless
        /// they are stored and recent; each request counts against the plan of the key.
        case getCoinHistory = "GetCoinHistory"
        /// Returns the alerts, in the order of the rules; at most 500. A response or a reload between two pages may
        /// repeat or omit some.
        case listAlerts = "ListAlerts"
        /// Returns the rules, by source and in the order of the settings files; at most 200.
        case listRules = "ListRules"
        /// Acknowledges a firing: its repeat notifications stop until it resolves. The alert is found by the number of
        /// one of its events, or by rule and symbol; without a symbol all alerts of the rule are acknowledged. Only for
        /// those who may reload.
        case acknowledge = "Acknowledge"
        /// Re-arms the alerts of a one-shot rule that have already notified. Only for those who may reload.
        case arm = "Arm"
        /// Returns events that match all given parameters; at most 500.
        case listEvents = "ListEvents"
        /// Returns events as they happen. Requires the flag `more`.
        case monitorEvents = "MonitorEvents"
        /// Sends a test event, marked as such, to all sinks and receivers, or to one. The reply comes when each
        /// receiver has answered, after 20 s at the latest. Only for those who may reload.
        case drill = "Drill"
        /// Explains why the alerts of a rule are in their current state; at most 200 alerts.
        case explain = "Explain"
        /// Returns the prices of a symbol as they were received, oldest first; at most 1,000.
        case listPrices = "ListPrices"
        /// Returns the prices of a symbol in time steps, oldest first; at most 1,000. A step without a price has no
        /// bar.
        case listBars = "ListBars"
        /// Returns the candles of a symbol that were fetched for times without prices, oldest first; at most 1,000.
        /// Minutes without a trade have none. Candles never decide about alerts, except for `touched` events. Fails
        /// with `StoreFailed` while the state file cannot be read.
        case listCandles = "ListCandles"
        /// Returns the prices of many symbols, in the order in which they were received.
        case exportPrices = "ExportPrices"
        /// Adds recorded prices to the history; at most 1,000 prices and 300 symbols a call. Existing prices are kept.
        /// The daemon may process several calls of a connection at once and reports on the prices processed since its
        /// last reply. Only for those who may reload.
        case importPrices = "ImportPrices"
        /// Returns the current reference rates and the state of fetching them. Dates are YYYY-MM-DD.
        case rates = "Rates"
        /// Converts an amount to another currency. Cryptocurrencies are converted at the prices of the last response.
        case convert = "Convert"
        /// Creates a silence, for a duration or until an instant; with `daily` and neither of them, for 366 days. Only
        /// those who may reload.
        case addSilence = "AddSilence"
        /// Returns the silences, by number; at most 200.
        case listSilences = "ListSilences"
        /// Ends silences early, either all or none of those given. Only for those who may reload.
        case expireSilences = "ExpireSilences"
        /// Sets another `min` or `max` for a symbol, which replaces the configured one until it is reset. Only for
        /// those who may reload.
        case setLimit = "SetLimit"
        /// Returns the limits set at run time, including those that are not in effect, in the order in which they were
        /// set.
        case listOverrides = "ListOverrides"
        /// Restores the configured limits of a symbol, of a rule, of both, or all. Only for those who may reload.
        case resetLimits = "ResetLimits"
        /// Returns the receivers in the order of the settings.
        case listReceivers = "ListReceivers"
        /// Returns the events that are queued for a receiver, oldest first; at most 500.
        case listQueue = "ListQueue"
        /// Returns what happened to an event at each receiver that it was meant for.
        case listDeliveries = "ListDeliveries"
        /// Retries queued notifications now. Only for those who may reload.
        case retryQueue = "RetryQueue"
        /// Discards the notifications that are queued for a receiver. Only for those who may reload.
        case dropQueue = "DropQueue"

        /// The name with that of the interface, as a call has it.
        package var qualifiedName: String { "\(ControlInterface.name).\(rawValue)" }
    }

    /// The errors; the raw values are their names on the wire.
    package enum ErrorName: String, CaseIterable, Sendable {
        /// The settings contain errors, and nothing was changed.
        case reloadFailed = "ReloadFailed"
        /// The exchange was polled too recently, or asked to wait.
        case pollTooSoon = "PollTooSoon"
        /// The state file cannot be read or copied now.
        case storeFailed = "StoreFailed"
        /// The request cannot be carried out in the current state.
        case refused = "Refused"
        /// Nothing of that kind has that name.
        case noSuchThing = "NoSuchThing"
        /// The exchange does not list the symbol.
        case noSuchSymbol = "NoSuchSymbol"
        /// There is no rule of that name.
        case noSuchRule = "NoSuchRule"
        /// There is no conversion path from one currency to the other.
        case unconvertible = "Unconvertible"

        /// The name with that of the interface, as a reply has it.
        package var qualifiedName: String { "\(ControlInterface.name).\(rawValue)" }
    }
}
