// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The state of the running daemon.
package struct DaemonStatus: Equatable, Sendable {
    package var version: String
    package var pid: Int
    /// When the daemon started.
    package var started: String
    /// Whether prices come from the built-in simulated market.
    package var simulated: Bool
    /// The first source.
    package var feed: FeedStatus
    /// All sources, in the order of the settings.
    package var sources: [FeedStatus]
    /// The number of symbols in the last usable responses of all sources.
    package var symbols: Int
    /// The number of rules.
    package var rules: Int
    /// The number of firing alerts.
    package var firing: Int
    /// The number of active silences.
    package var silences: Int
    /// The rules that are not fully working; at most 20.
    package var problems: [RuleProblem]
    /// The number of the last event; 0 if there has been none.
    package var lastEvent: Int
    /// The number of clients connected to the event socket.
    package var eventReaders: Int
    package var eventReadersLimit: Int
    /// The number of clients that the event socket turned away since the start.
    package var eventReadersRefused: Int
    /// The number of clients connected to the control socket.
    package var clients: Int
    package var clientsLimit: Int
    /// The number of clients that the control socket turned away since the start.
    package var clientsRefused: Int
    package var history: HistoryStatus
    package var store: StoreStatus
    package var sinks: [SinkStatus]
    /// The checks that compare the prices of two sources.
    package var checks: [CheckStatus]?
    /// The receivers that do not accept notifications.
    package var receiversFailing: [FailingReceiver]
    /// Nil without [lease].
    package var lease: LeaseStatus?
    package var configuration: ConfigurationStatus

    package init(
        version: String, pid: Int, started: String, simulated: Bool, feed: FeedStatus, sources: [FeedStatus],
        symbols: Int, rules: Int, firing: Int, silences: Int, problems: [RuleProblem], lastEvent: Int,
        eventReaders: Int, eventReadersLimit: Int, eventReadersRefused: Int, clients: Int, clientsLimit: Int,
        clientsRefused: Int, history: HistoryStatus, store: StoreStatus, sinks: [SinkStatus],
        checks: [CheckStatus]? = nil, receiversFailing: [FailingReceiver], lease: LeaseStatus? = nil,
        configuration: ConfigurationStatus
    ) {
        self.version = version
        self.pid = pid
        self.started = started
        self.simulated = simulated
        self.feed = feed
        self.sources = sources
        self.symbols = symbols
        self.rules = rules
        self.firing = firing
        self.silences = silences
        self.problems = problems
        self.lastEvent = lastEvent
        self.eventReaders = eventReaders
        self.eventReadersLimit = eventReadersLimit
        self.eventReadersRefused = eventReadersRefused
        self.clients = clients
        self.clientsLimit = clientsLimit
        self.clientsRefused = clientsRefused
        self.history = history
        self.store = store
        self.sinks = sinks
        self.checks = checks
        self.receiversFailing = receiversFailing
        self.lease = lease
        self.configuration = configuration
    }
}

extension DaemonStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        version = try object.read("version")
        pid = try object.read("pid")
        started = try object.read("started")
        simulated = try object.read("simulated")
        feed = try object.read("feed")
        sources = try object.read("sources")
        symbols = try object.read("symbols")
        rules = try object.read("rules")
        firing = try object.read("firing")
        silences = try object.read("silences")
        problems = try object.read("problems")
        lastEvent = try object.read("last_event")
        eventReaders = try object.read("event_readers")
        eventReadersLimit = try object.read("event_readers_limit")
        eventReadersRefused = try object.read("event_readers_refused")
        clients = try object.read("clients")
        clientsLimit = try object.read("clients_limit")
        clientsRefused = try object.read("clients_refused")
        history = try object.read("history")
        store = try object.read("store")
        sinks = try object.read("sinks")
        checks = try object.readIfPresent("checks")
        receiversFailing = try object.read("receivers_failing")
        lease = try object.readIfPresent("lease")
        configuration = try object.read("configuration")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("version", version)
        writer.member("pid", pid)
        writer.member("started", started)
        writer.member("simulated", simulated)
        writer.member("feed", feed)
        writer.member("sources", sources)
        writer.member("symbols", symbols)
        writer.member("rules", rules)
        writer.member("firing", firing)
        writer.member("silences", silences)
        writer.member("problems", problems)
        writer.member("last_event", lastEvent)
        writer.member("event_readers", eventReaders)
        writer.member("event_readers_limit", eventReadersLimit)
        writer.member("event_readers_refused", eventReadersRefused)
        writer.member("clients", clients)
        writer.member("clients_limit", clientsLimit)
        writer.member("clients_refused", clientsRefused)
        writer.member("history", history)
        writer.member("store", store)
        writer.member("sinks", sinks)
        writer.member("checks", checks)
        writer.member("receivers_failing", receiversFailing)
        writer.member("lease", lease)
        writer.member("configuration", configuration)
        writer.endObject()
    }
}

/// The state of polling the exchange.
package struct FeedStatus: Equatable, Sendable {
    /// The name of the source.
    package var source: String
    /// What kind of source it is, such as `wazirx` or `simulator`.
    package var type: String
    /// The number of symbols in its last usable response, and of its rules and firing alerts.
    package var symbols: Int
    package var rules: Int
    package var firing: Int
    /// Nil for the simulated market.
    package var url: String?
    package var state: ControlInterface.FetchState
    /// The last failure, or a note that there are too many alerts, and what to do about it; nil if there is neither.
    package var message: String?
    package var intervalMilliseconds: Int
    package var polls: Int
    package var failures: Int
    package var consecutiveFailures: Int
    /// The number of unusable elements in responses since the start.
    package var badElements: Int
    /// When the last usable response was received.
    package var lastSuccess: String?
    package var lastAttempt: String?
    package var nextPoll: String?
    /// Until when the exchange asked not to be polled; nil if it did not.
    package var notBefore: String?
    /// The last eight polls, newest last: 1 for a usable response, 0 for a failure.
    package var reach: String
    /// Whether there has been no usable response for three intervals.
    package var stale: Bool
    /// The number of gaps in the prices of symbols that are still to be looked up in candles.
    package var gaps: Int
    /// Why the last lookup failed; nil if it did not.
    package var gapsMessage: String?

    package init(
        source: String, type: String, symbols: Int, rules: Int, firing: Int, url: String? = nil,
        state: ControlInterface.FetchState, message: String? = nil, intervalMilliseconds: Int, polls: Int,
        failures: Int, consecutiveFailures: Int, badElements: Int, lastSuccess: String? = nil,
        lastAttempt: String? = nil, nextPoll: String? = nil, notBefore: String? = nil, reach: String, stale: Bool,
        gaps: Int, gapsMessage: String? = nil
    ) {
        self.source = source
        self.type = type
        self.symbols = symbols
        self.rules = rules
        self.firing = firing
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
        self.notBefore = notBefore
        self.reach = reach
        self.stale = stale
        self.gaps = gaps
        self.gapsMessage = gapsMessage
    }
}

extension FeedStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        source = try object.read("source")
        type = try object.read("type")
        symbols = try object.read("symbols")
        rules = try object.read("rules")
        firing = try object.read("firing")
        url = try object.readIfPresent("url")
        state = try object.read("state")
        message = try object.readIfPresent("message")
        intervalMilliseconds = try object.read("interval_ms")
        polls = try object.read("polls")
        failures = try object.read("failures")
        consecutiveFailures = try object.read("consecutive_failures")
        badElements = try object.read("bad_elements")
        lastSuccess = try object.readIfPresent("last_success")
        lastAttempt = try object.readIfPresent("last_attempt")
        nextPoll = try object.readIfPresent("next_poll")
        notBefore = try object.readIfPresent("not_before")
        reach = try object.read("reach")
        stale = try object.read("stale")
        gaps = try object.read("gaps")
        gapsMessage = try object.readIfPresent("gaps_message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", source)
        writer.member("type", type)
        writer.member("symbols", symbols)
        writer.member("rules", rules)
        writer.member("firing", firing)
        writer.member("url", url)
        writer.member("state", state)
        writer.member("message", message)
        writer.member("interval_ms", intervalMilliseconds)
        writer.member("polls", polls)
        writer.member("failures", failures)
        writer.member("consecutive_failures", consecutiveFailures)
        writer.member("bad_elements", badElements)
        writer.member("last_success", lastSuccess)
        writer.member("last_attempt", lastAttempt)
        writer.member("next_poll", nextPoll)
        writer.member("not_before", notBefore)
        writer.member("reach", reach)
        writer.member("stale", stale)
        writer.member("gaps", gaps)
        writer.member("gaps_message", gapsMessage)
        writer.endObject()
    }
}

/// How much price history is kept.
package struct HistoryStatus: Equatable, Sendable {
    package var keepMilliseconds: Int
    /// The largest number of polls that are kept.
    package var capacity: Int
    package var polls: Int
    /// The memory in use, and the most that may be used.
    package var bytes: Int
    package var limitBytes: Int
    /// When the oldest kept poll was received.
    package var oldest: String?

    package init(keepMilliseconds: Int, capacity: Int, polls: Int, bytes: Int, limitBytes: Int, oldest: String? = nil) {
        self.keepMilliseconds = keepMilliseconds
        self.capacity = capacity
        self.polls = polls
        self.bytes = bytes
        self.limitBytes = limitBytes
        self.oldest = oldest
    }
}

extension HistoryStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        keepMilliseconds = try object.read("keep_ms")
        capacity = try object.read("capacity")
        polls = try object.read("polls")
        bytes = try object.read("bytes")
        limitBytes = try object.read("limit_bytes")
        oldest = try object.readIfPresent("oldest")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("keep_ms", keepMilliseconds)
        writer.member("capacity", capacity)
        writer.member("polls", polls)
        writer.member("bytes", bytes)
        writer.member("limit_bytes", limitBytes)
        writer.member("oldest", oldest)
        writer.endObject()
    }
}

/// The state file.
package struct StoreStatus: Equatable, Sendable {
    /// The path of the file.
    package var path: String
    package var state: ControlInterface.StoreState
    /// Why it is degraded and what to do about it; nil while it is not.
    package var message: String?
    /// Since when it has been degraded.
    package var since: String?
    /// The number of events that are not saved yet.
    package var unsaved: Int
    /// The size of the file and its log on disk.
    package var bytes: Int
    /// The number of saved events.
    package var events: Int
    /// When something was last saved.
    package var lastSaved: String?

    package init(
        path: String, state: ControlInterface.StoreState, message: String? = nil, since: String? = nil, unsaved: Int,
        bytes: Int, events: Int, lastSaved: String? = nil
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

extension StoreStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        path = try object.read("path")
        state = try object.read("state")
        message = try object.readIfPresent("message")
        since = try object.readIfPresent("since")
        unsaved = try object.read("unsaved")
        bytes = try object.read("bytes")
        events = try object.read("events")
        lastSaved = try object.readIfPresent("last_saved")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("path", path)
        writer.member("state", state)
        writer.member("message", message)
        writer.member("since", since)
        writer.member("unsaved", unsaved)
        writer.member("bytes", bytes)
        writer.member("events", events)
        writer.member("last_saved", lastSaved)
        writer.endObject()
    }
}

/// What a sink has done since the start.
package struct SinkStatus: Equatable, Sendable {
    /// `journal`, `stdout` or `socket`.
    package var name: String
    package var delivered: Int
    /// The number of events dropped because a queue was full.
    package var dropped: Int
    package var failed: Int
    /// The last failure; nil if there has been none.
    package var message: String?

    package init(name: String, delivered: Int, dropped: Int, failed: Int, message: String? = nil) {
        self.name = name
        self.delivered = delivered
        self.dropped = dropped
        self.failed = failed
        self.message = message
    }
}

extension SinkStatus: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        name = try object.read("name")
        delivered = try object.read("delivered")
        dropped = try object.read("dropped")
        failed = try object.read("failed")
        message = try object.readIfPresent("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("delivered", delivered)
        writer.member("dropped", dropped)
        writer.member("failed", failed)
        writer.member("message", message)
        writer.endObject()
    }
}

/// The result of a poll on request.
package struct PollResult: Equatable, Sendable {
    package var state: ControlInterface.FetchState
    /// The failure and what to do about it; nil if there was none.
    package var message: String?
    package var symbols: Int
    package var badElements: Int
    package var durationMilliseconds: Int
    /// The number of events that the poll caused.
    package var events: Int

    package init(
        state: ControlInterface.FetchState, message: String? = nil, symbols: Int, badElements: Int,
        durationMilliseconds: Int, events: Int
    ) {
        self.state = state
        self.message = message
        self.symbols = symbols
        self.badElements = badElements
        self.durationMilliseconds = durationMilliseconds
        self.events = events
    }
}

extension PollResult: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        state = try object.read("state")
        message = try object.readIfPresent("message")
        symbols = try object.read("symbols")
        badElements = try object.read("bad_elements")
        durationMilliseconds = try object.read("duration_ms")
        events = try object.read("events")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("state", state)
        writer.member("message", message)
        writer.member("symbols", symbols)
        writer.member("bad_elements", badElements)
        writer.member("duration_ms", durationMilliseconds)
        writer.member("events", events)
        writer.endObject()
    }
}
