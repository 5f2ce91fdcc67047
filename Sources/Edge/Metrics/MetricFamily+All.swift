/// All metrics, in the order in which they are written. Metrics of a source of prices have a label for it.
extension MetricFamily {
    package static let all =
        process + polling + [price, limit, alertFiring, alertsTruncated, firingAlerts, rules, silences, events]
        + checks
        + [ratesTime, saving, unsavedEvents, historyPolls, historyBytes, reloadSuccess, reloadTime]
        + sinks + clients + [leaseHeld] + receivers

    // MARK: The program

    package static let build = Self("alertd_build_info", .info, labels: ["version"], "The version of alertd")
    package static let startTime = Self(
        "process_start_time_seconds", .gauge, unit: .seconds, "When the process started")
    package static let cpuTime = Self(
        "process_cpu_seconds_total", .counter, unit: .seconds, "Processor time of the process, user and system")
    package static let memory = Self(
        "process_resident_memory_bytes", .gauge, unit: .bytes, "Resident memory of the process")
    static let process = [build, startTime, cpuTime, memory]

    // MARK: Polling

    package static let polls = Self(
        "alertd_polls_total", .counter, labels: ["source"], "Polls of the source, usable or not")
    package static let pollFailures = Self(
        "alertd_poll_failures_total", .counter, labels: ["source"], "Polls without a usable response")
    package static let lastPoll = Self(
        "alertd_last_poll_timestamp_seconds", .gauge, unit: .seconds, labels: ["source"],
        "When the last usable response was received")
    package static let lastAttempt = Self(
        "alertd_last_poll_attempt_timestamp_seconds", .gauge, unit: .seconds, labels: ["source"],
        "When the last poll began, usable or not")
    package static let pollInterval = Self(
        "alertd_poll_interval_seconds", .gauge, unit: .seconds, labels: ["source"], "The configured time between polls")
    package static let pollPhase = Self(
        "alertd_poll_phase_seconds_total", .counter, unit: .seconds, labels: ["source", "phase"],
        "Time spent in the parts of polls: request, decode, evaluate, commit, deliver")
    package static let feedStale = Self(
        "alertd_feed_stale", .gauge, labels: ["source"], "Whether there has been no usable response for too long")
    package static let symbols = Self(
        "alertd_symbols", .gauge, labels: ["source"], "Symbols in the last usable response")
    package static let badElements = Self(
        "alertd_bad_elements_total", .counter, labels: ["source"], "Elements of responses that were not valid tickers")
    package static let gaps = Self(
        "alertd_gaps", .gauge, labels: ["source"],
        "Gaps in the prices of symbols that have not been looked up in candles yet")
    static let polling = [
        polls, pollFailures, lastPoll, lastAttempt, pollInterval, pollPhase, feedStale, gaps, symbols, badElements,
    ]

    // MARK: Prices and alerts

    package static let price = Self(
        "alertd_price", .gauge, labels: ["source", "symbol", "quote"],
        "The last price in the last usable response, of symbols with rules unless `symbols` is all")
    package static let limit = Self(
        "alertd_limit", .gauge, labels: ["source", "rule", "symbol", "bound", "currency", "edge"],
        "The limit of an alert; both edges of within, and the current threshold of rise and fall")
    package static let alertFiring = Self(
        "alertd_alert_firing", .gauge, labels: ["source", "rule", "symbol", "bound", "severity"],
        "Whether the alert is firing")
    package static let alertsTruncated = Self(
        "alertd_alerts_truncated", .gauge, labels: ["source"],
        "Whether there are more than 5000 alerts, so that some have no samples")
    package static let firingAlerts = Self(
        "alertd_firing_alerts", .gauge, labels: ["source"], "How many alerts are firing")
    package static let rules = Self("alertd_rules", .gauge, "How many rules there are")
    package static let silences = Self("alertd_silences", .gauge, "How many silences are active")
    package static let checkDiverged = Self(
        "alertd_check_diverged", .gauge, labels: ["check"],
        "Whether the prices of the two markets of a check have differed by more than `within` for long enough")
    package static let checkDifference = Self(
        "alertd_check_difference_percent", .gauge, labels: ["check"],
        "The difference of the prices in percent of the second one; none while they cannot be compared")
    package static let checkTime = Self(
        "alertd_check_timestamp_seconds", .gauge, unit: .seconds, labels: ["check"],
        "When the prices were last compared")
    static let checks = [checkDiverged, checkDifference, checkTime]
    package static let events = Self(
        "alertd_events_total", .counter, labels: ["kind"], "Events since the start, notified or not")

    // MARK: State and settings

    package static let ratesTime = Self(
        "alertd_rates_timestamp_seconds", .gauge, unit: .seconds,
        "When the reference rates were fetched, or last found to be unchanged")
    package static let saving = Self("alertd_state_saved", .gauge, "Whether changes reach the state file")
    package static let unsavedEvents = Self("alertd_unsaved_events", .gauge, "Events waiting to be saved")
    package static let historyPolls = Self("alertd_history_polls", .gauge, "Polls in the price history")
    package static let historyBytes = Self(
        "alertd_history_bytes", .gauge, unit: .bytes, "Memory of the price history")
    package static let reloadSuccess = Self(
        "alertd_config_last_reload_successful", .gauge, "Whether the last reload of the settings succeeded")
    package static let reloadTime = Self(
        "alertd_config_last_reload_success_timestamp_seconds", .gauge, unit: .seconds,
        "When the settings in effect were loaded")

    // MARK: Sinks and clients

    package static let sinkDeliveries = Self(
        "alertd_sink_deliveries_total", .counter, labels: ["sink"], "Events that a sink delivered")
    package static let sinkDropped = Self(
        "alertd_sink_dropped_total", .counter, labels: ["sink"],
        "Events that a sink dropped because its queue or that of a reader was full")
    package static let sinkFailures = Self(
        "alertd_sink_failures_total", .counter, labels: ["sink"], "Events that a sink could not deliver")
    package static let sinkQueue = Self(
        "alertd_sink_queue_length", .gauge, labels: ["sink"],
        "Events waiting for a sink, or for the slowest reader of the event socket")
    static let sinks = [sinkDeliveries, sinkDropped, sinkFailures, sinkQueue]

    package static let eventReaders = Self("alertd_event_readers", .gauge, "Connected readers of the event socket")
    package static let eventReadersRefused = Self(
        "alertd_event_readers_refused_total", .counter, "Readers of the event socket that were turned away")
    package static let controlClients = Self(
        "alertd_control_clients", .gauge, "Connected clients of the control socket")
    package static let controlClientsRefused = Self(
        "alertd_control_clients_refused_total", .counter, "Clients of the control socket that were turned away")
    static let clients = [eventReaders, eventReadersRefused, controlClients, controlClientsRefused]

    // MARK: Receivers

    package static let leaseHeld = Self(
        "alertd_lease_held", .gauge, "Whether this daemon holds the lease and notifies; no sample without [lease]")
    package static let receiverUp = receiver("alertd_receiver_up", .gauge, "Whether the receiver accepts notifications")
    package static let receiverQueue = receiver(
        "alertd_receiver_queue_length", .gauge, "Events waiting for the receiver")
    package static let receiverOldest = receiver(
        "alertd_receiver_oldest_queued_timestamp_seconds", .gauge, unit: .seconds,
        "The time of the oldest waiting event")
    package static let receiverDelivered = receiver(
        "alertd_receiver_delivered_total", .counter, "Events that the receiver accepted")
    package static let receiverRefused = receiver(
        "alertd_receiver_refused_total", .counter, "Events that the receiver permanently refused")
    package static let receiverExpired = receiver(
        "alertd_receiver_expired_total", .counter, "Events that could not be delivered within max_age")
    package static let receiverDropped = receiver(
        "alertd_receiver_dropped_total", .counter,
        "Events that were dropped by a user, or because the queue was full")
    package static let receiverAttempts = receiver(
        "alertd_receiver_attempts_total", .counter, "Attempts to deliver a notification")
    package static let receiverFailures = receiver(
        "alertd_receiver_attempt_failures_total", .counter, "Attempts that failed")
    package static let receiverLastSuccess = receiver(
        "alertd_receiver_last_success_timestamp_seconds", .gauge, unit: .seconds,
        "When the receiver last accepted a notification")
    static let receivers = [
        receiverUp, receiverQueue, receiverOldest, receiverDelivered, receiverRefused, receiverExpired,
        receiverDropped, receiverAttempts, receiverFailures, receiverLastSuccess,
    ]

    private static func receiver(
        _ name: StaticString, _ kind: Kind, unit: Unit? = nil, _ help: StaticString
    ) -> Self {
        Self(name, kind, unit: unit, labels: ["receiver", "type"], help)
    }
}
