/// What `Status` answers: what a person wants to know of a running daemon. Times are RFC 3339 in UTC.
package struct DaemonStatus: Codable, Equatable, Sendable {
    package var version: String
    package var pid: Int
    package var started: String
    /// Whether prices come from the built-in simulated market.
    package var simulated: Bool
    package var feed: FeedStatus
    package var symbols: Int
    package var rules: Int
    package var firing: Int
    /// Rules that cannot do their work now, each a line: no such symbol, frozen, unconvertible.
    package var problems: [String]
    package var lastEvent: Int
    package var eventReaders: Int
    package var eventReadersLimit: Int
    package var history: HistoryStatus
    package var sinks: [SinkStatus]
    package var configuration: ConfigurationStatus
}

package struct FeedStatus: Codable, Equatable, Sendable {
    package var source: String
    package var url: String?
    /// `ok`, `starting`, or the word for what went wrong last: `refused`, `timeout`, `rate_limited` …
    package var state: String
    /// The last failure in words, with what to do; nil while all is well.
    package var message: String?
    package var interval_ms: Int
    package var polls: Int
    package var failures: Int
    package var consecutiveFailures: Int
    package var badElements: Int
    /// The last response that was usable.
    package var lastSuccess: String?
    package var lastAttempt: String?
    package var nextPoll: String?
    /// The last eight polls, newest last: `1` for a usable response, `0` for a failure.
    package var reach: String
    package var stale: Bool
}

package struct HistoryStatus: Codable, Equatable, Sendable {
    package var keep_ms: Int
    /// The most polls that are kept.
    package var capacity: Int
    package var polls: Int
    package var bytes: Int
    package var limitBytes: Int
    package var oldest: String?
}

package struct SinkStatus: Codable, Equatable, Sendable {
    package var name: String
    package var delivered: Int
    package var dropped: Int
    package var failed: Int
    /// The last failure in words; nil when there was none.
    package var message: String?
}

package struct ConfigurationStatus: Codable, Equatable, Sendable {
    package var files: [String]
    package var loaded: String
    /// When the last reload failed, and why; nil when it succeeded.
    package var lastReloadFailed: String?
    package var lastReloadMessage: String?
}

/// One symbol as the daemon sees it. Numbers are decimal strings, so that nothing is rounded.
package struct SymbolState: Codable, Equatable, Sendable {
    package var symbol: String
    package var base: String?
    package var quote: String?
    package var last: String?
    package var bid: String?
    package var ask: String?
    package var open: String?
    package var high: String?
    package var low: String?
    package var volume: String?
    /// Of `last` against `open`, in per cent with two digits; nil when it cannot be said.
    package var change_percent: String?
    package var exchange_time: String?
    package var received: String
    /// `ok`, `frozen`, `missing` (not in the last response) or `unusable` (no positive price).
    package var state: String
    /// How many alerts of this symbol fire.
    package var firing: Int
    /// The limits nearest to the price on either side.
    package var min: String?
    package var max: String?
}

/// The prices of a symbol over a time.
package struct WindowSummary: Codable, Equatable, Sendable {
    package var window_ms: Int
    package var samples: Int
    package var first: String
    package var first_time: String
    package var last: String
    package var min: String
    package var max: String
    package var change_percent: String?
}

/// One rule on one symbol and bound.
package struct AlertState: Codable, Equatable, Sendable {
    package var rule: String
    package var symbol: String
    package var bound: String
    /// `inactive`, `firing`, or why it cannot say: `waiting` (no usable sample yet), `frozen`, `missing`, `unusable`,
    /// `unconvertible`.
    package var state: String
    package var severity: String
    package var limit: String
    /// Where it clears, when that is not the limit itself.
    package var clear: String?
    package var currency: String?
    package var price: String?
    /// How far the price is from the limit, in per cent of the price; positive while the limit is not reached.
    package var distance_percent: String?
    /// Since when it has been in its state.
    package var since: String?
    /// The number of the event that told of it last.
    package var event: Int?
}

/// One rule of the settings files.
package struct RuleState: Codable, Equatable, Sendable {
    package var name: String
    package var symbols: [String]
    /// The condition in words: `min 4800000 max 7500000 hysteresis 0.5%`.
    package var condition: String
    package var currency: String?
    package var severity: String
    /// How many symbols of the exchange it matches now.
    package var matches: Int
    package var firing: Int
    /// `ok`, or what keeps it from its work: `matches nothing`, `2 frozen`, `1 missing`, `1 unconvertible`.
    package var state: String
}

/// What happened; the keys and their order are those of the event stream.
package struct EventRecord: Codable, Equatable, Sendable {
    package struct Previous: Codable, Equatable, Sendable {
        package var price: String
        package var time: String
    }

    package var number: Int
    package var time: String
    package var event: String
    package var rule: String?
    package var symbol: String?
    package var bound: String?
    package var severity: String
    package var price: String?
    package var limit: String?
    package var currency: String?
    package var previous: Previous?
    package var exchange_time: String?
    package var received: String?
    package var sample_age_ms: Int?
    package var told: Bool
    package var reason: String?
    package var text: String
}

/// What a reload changed, by rule name.
package struct ReloadResult: Codable, Equatable, Sendable {
    package var added: [String]
    package var removed: [String]
    package var changed: [String]
    package var kept: [String]
    /// Settings that a reload cannot change, each a key: they need a restart.
    package var needs_restart: [String]
    package var warnings: [String]
}

/// What a poll on request brought.
package struct PollResult: Codable, Equatable, Sendable {
    /// `ok` or the word for what went wrong.
    package var state: String
    package var message: String?
    package var symbols: Int
    package var bad_elements: Int
    package var duration_ms: Int
    /// Events that the poll gave rise to.
    package var events: Int
}
