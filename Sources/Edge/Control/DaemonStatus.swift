/// What `Status` answers: what a person wants to know of a running daemon. Times are RFC 3339 in UTC.
package struct DaemonStatus: Codable, Equatable, Sendable {
    package var version: String
    package var pid: Int
    package var started: String
    /// Whether prices come from the built-in simulated market.
    package var simulated: Bool
    package var feed: FeedStatus
    /// How many symbols the last usable response had.
    package var symbols: Int
    package var rules: Int
    /// How many alerts fire.
    package var firing: Int
    /// How many silences are in force.
    package var silences: Int
    /// Rules that cannot do their work now, each a line: no such symbol, frozen, unconvertible.
    package var problems: [String]
    /// The number of the last event; 0 when there was none.
    package var lastEvent: Int
    /// Readers of the event socket that are connected.
    package var eventReaders: Int
    package var eventReadersLimit: Int
    package var history: HistoryStatus
    package var store: StoreStatus
    package var sinks: [SinkStatus]
    package var configuration: ConfigurationStatus

    enum CodingKeys: String, CodingKey, CaseIterable {
        case version, pid, started, simulated, feed, symbols, rules, firing, silences, problems
        case lastEvent = "last_event"
        case eventReaders = "event_readers"
        case eventReadersLimit = "event_readers_limit"
        case history, store, sinks, configuration
    }

    package init(
        version: String, pid: Int, started: String, simulated: Bool, feed: FeedStatus, symbols: Int, rules: Int,
        firing: Int, silences: Int, problems: [String], lastEvent: Int, eventReaders: Int, eventReadersLimit: Int,
        history: HistoryStatus, store: StoreStatus, sinks: [SinkStatus], configuration: ConfigurationStatus
    ) {
        self.version = version
        self.pid = pid
        self.started = started
        self.simulated = simulated
        self.feed = feed
        self.symbols = symbols
        self.rules = rules
        self.firing = firing
        self.silences = silences
        self.problems = problems
        self.lastEvent = lastEvent
        self.eventReaders = eventReaders
        self.eventReadersLimit = eventReadersLimit
        self.history = history
        self.store = store
        self.sinks = sinks
        self.configuration = configuration
    }
}

/// How polling the exchange goes.
package struct FeedStatus: Codable, Equatable, Sendable {
    /// `wazirx` or `simulator`.
    package var source: String
    /// Nil when there is no request: the simulated market.
    package var url: String?
    /// `ok`, `starting`, or the word for what went wrong last: `refused`, `timeout`, `rate_limited` …
    package var state: String
    /// The last failure in words, with what to do; nil while all is well.
    package var message: String?
    package var intervalMilliseconds: Int
    package var polls: Int
    package var failures: Int
    package var consecutiveFailures: Int
    /// Elements of responses that could not be used, since the start.
    package var badElements: Int
    /// The last response that was usable.
    package var lastSuccess: String?
    package var lastAttempt: String?
    package var nextPoll: String?
    /// The last eight polls, newest last: `1` for a usable response, `0` for a failure.
    package var reach: String
    /// Whether there was no usable response for three intervals.
    package var stale: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case source, url, state, message
        case intervalMilliseconds = "interval_ms"
        case polls, failures
        case consecutiveFailures = "consecutive_failures"
        case badElements = "bad_elements"
        case lastSuccess = "last_success"
        case lastAttempt = "last_attempt"
        case nextPoll = "next_poll"
        case reach, stale
    }

    package init(
        source: String, url: String? = nil, state: String, message: String? = nil, intervalMilliseconds: Int,
        polls: Int, failures: Int, consecutiveFailures: Int, badElements: Int, lastSuccess: String? = nil,
        lastAttempt: String? = nil, nextPoll: String? = nil, reach: String, stale: Bool
    ) {
        self.source = source
        self.url = url
        self.state = state
        self.message = message
        self.intervalMilliseconds = intervalMilliseconds
        self.polls = polls
        self.failures = failures
        self.consecutiveFailures = consecutiveFailures
        self.badElements = badElements
        self.lastSuccess = lastSuccess
        self.lastAttempt = lastAttempt
        self.nextPoll = nextPoll
        self.reach = reach
        self.stale = stale
    }
}

/// How much is kept of past prices.
package struct HistoryStatus: Codable, Equatable, Sendable {
    package var keepMilliseconds: Int
    /// The most polls that are kept.
    package var capacity: Int
    package var polls: Int
    /// What it takes in memory now, and the most that it may take.
    package var bytes: Int
    package var limitBytes: Int
    /// When the oldest poll that is kept was received.
    package var oldest: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case keepMilliseconds = "keep_ms"
        case capacity, polls, bytes
        case limitBytes = "limit_bytes"
        case oldest
    }

    package init(keepMilliseconds: Int, capacity: Int, polls: Int, bytes: Int, limitBytes: Int, oldest: String? = nil) {
        self.keepMilliseconds = keepMilliseconds
        self.capacity = capacity
        self.polls = polls
        self.bytes = bytes
        self.limitBytes = limitBytes
        self.oldest = oldest
    }
}

/// Whether what has to outlive the process is saved.
package struct StoreStatus: Codable, Equatable, Sendable {
    /// The file.
    package var path: String
    /// `ok`, or `degraded`: the daemon polls and tells, but cannot save what it knows.
    package var state: String
    /// Why it is degraded, with what to do; nil while all is well.
    package var message: String?
    /// Since when it is degraded.
    package var since: String?
    /// Events that are not saved yet.
    package var unsaved: Int
    /// What the file and its log take on disk.
    package var bytes: Int
    /// How many events are saved.
    package var events: Int
    /// When something was last saved.
    package var lastSaved: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case path, state, message, since, unsaved, bytes, events
        case lastSaved = "last_saved"
    }

    package init(
        path: String, state: String, message: String? = nil, since: String? = nil, unsaved: Int, bytes: Int,
        events: Int, lastSaved: String? = nil
    ) {
        self.path = path
        self.state = state
        self.message = message
        self.since = since
        self.unsaved = unsaved
        self.bytes = bytes
        self.events = events
        self.lastSaved = lastSaved
    }
}

/// What a sink has done since the start.
package struct SinkStatus: Codable, Equatable, Sendable {
    /// `journal`, `stdout` or `socket`.
    package var name: String
    package var delivered: Int
    /// Events that a bound did not leave room for.
    package var dropped: Int
    package var failed: Int
    /// The last failure in words; nil when there was none.
    package var message: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, delivered, dropped, failed, message
    }

    package init(name: String, delivered: Int, dropped: Int, failed: Int, message: String? = nil) {
        self.name = name
        self.delivered = delivered
        self.dropped = dropped
        self.failed = failed
        self.message = message
    }
}

/// Where the settings in force come from.
package struct ConfigurationStatus: Codable, Equatable, Sendable {
    /// The files in the order in which they were read.
    package var files: [String]
    package var loaded: String
    /// When the last reload failed, and why; nil when it succeeded.
    package var lastReloadFailed: String?
    package var lastReloadMessage: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case files, loaded
        case lastReloadFailed = "last_reload_failed"
        case lastReloadMessage = "last_reload_message"
    }

    package init(files: [String], loaded: String, lastReloadFailed: String? = nil, lastReloadMessage: String? = nil) {
        self.files = files
        self.loaded = loaded
        self.lastReloadFailed = lastReloadFailed
        self.lastReloadMessage = lastReloadMessage
    }
}
