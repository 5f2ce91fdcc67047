internal import Control

/// The problems of the daemon, one per line, each with advice.
func healthLines(of status: DaemonStatus, _ formatter: HumanFormatter) -> [String] {
    status.sources.flatMap { source in
        feedHealth(source, formatter).map { status.sources.count > 1 ? "\(source.source): \($0)" : $0 }
    } + storeHealth(status.store, formatter)
        + settingsHealth(status.configuration, formatter) + rulesHealth(status)
        + status.problems.map { "\(text(for: $0)); see 'alertctl rules'" } + status.sinks.compactMap(sinkHealth)
        + readerHealth(status) + (status.checks ?? []).compactMap(checkHealth)
        + status.receiversFailing.map(receiverHealth) + leaseHealth(status)
}

private func leaseHealth(_ status: DaemonStatus) -> [String] {
    guard let lease = status.lease, let message = lease.message else { return [] }
    let effect =
        lease.state == .held
        ? "it is still held for a moment" : "nothing is sent to receivers until the NATS server can be asked"
    return ["the lease cannot be kept: \(message); \(effect)"]
}

private func checkHealth(_ check: CheckStatus) -> String? {
    guard check.state == .diverged, let difference = check.differencePercent else { return nil }
    return "check \(check.name): \(check.first) differs by \(difference)% from \(check.second), more than "
        + "\(check.withinPercent)%; see 'alertctl events --kind diverged'"
}

private func receiverHealth(_ receiver: FailingReceiver) -> String {
    let why = receiver.message.map { ": \($0)" } ?? ""
    guard receiver.stopped else {
        return "receiver \(receiver.name) does not accept notifications\(why); see 'alertctl receivers'"
    }
    let remedy =
        receiver.credential.map { "renew the credential '\($0)' and restart alertd" }
        ?? "correct its settings, then run 'alertctl reload'"
    return "receiver \(receiver.name) has stopped\(why); \(remedy)"
}

private func feedHealth(_ feed: FeedStatus, _ formatter: HumanFormatter) -> [String] {
    let why = feed.message.map { ": \($0)" } ?? (feed.state == .ok ? "" : ": \(feed.state.text)")
    if feed.stale {
        let since = formatter.age(feed.lastSuccess).map { " for \($0)" } ?? " since the daemon started"
        return ["prices are stale: no usable response\(since)\(why); try 'alertctl poll'"]
    }
    guard feed.consecutiveFailures > 0 else {
        return (feed.state == .ok ? [feed.message].compactMap(\.self) : []) + gapHealth(feed)
    }
    return ["the last \(feed.consecutiveFailures == 1 ? "poll" : "\(feed.consecutiveFailures) polls") failed\(why)"]
}

private func gapHealth(_ feed: FeedStatus) -> [String] {
    guard let message = feed.gapsMessage, feed.gaps > 0 else { return [] }
    let gaps = feed.gaps == 1 ? "1 gap" : "\(feed.gaps) gaps"
    return ["\(gaps) in the prices not caught up yet: \(message)"]
}

private func storeHealth(_ store: StoreStatus, _ formatter: HumanFormatter) -> [String] {
    guard store.state != .ok else { return [] }
    let since = formatter.age(store.since).map { " for \($0)" } ?? ""
    let why = store.message.map { ": \($0)" } ?? ""
    return [
        "state has not been saved\(since)\(why); you are still notified of alerts, and every poll tries to save again"
    ]
}

private func settingsHealth(_ settings: ConfigurationStatus, _ formatter: HumanFormatter) -> [String] {
    guard let time = settings.lastReloadFailed else { return [] }
    let why = settings.lastReloadMessage.map { ": \($0)" } ?? ""
    return [
        "the reload at \(formatter.time(time)) failed, so the previous settings stay in effect\(why); "
            + "fix the file, then run 'alertctl reload'"
    ]
}

private func rulesHealth(_ status: DaemonStatus) -> [String] {
    guard status.rules == 0 else { return [] }
    return [
        "there are no rules, so no alerts will be sent; add one, as with 'alertctl rule add btcinr --max 7500000'"
    ]
}

/// Problems with exchange rates. Rates that were never fetched because nothing needs them are not one.
func rateHealth(_ rates: RatesReply?) -> [String] {
    guard let rates else { return [] }
    let age = rates.ageDays.map { "exchange rates are stale (\(counted($0, "day")) old); see 'alertctl rates'" }
    let failure = rates.message.map { "cannot fetch exchange rates: \($0)" }
    return [rates.stale ? age : nil, failure].compactMap(\.self)
}

private func sinkHealth(_ sink: SinkStatus) -> String? {
    guard sink.failed > 0 || sink.dropped > 0 else { return nil }
    let why = sink.message.map { ": \($0)" } ?? ""
    let counts = [(sink.failed, "failed"), (sink.dropped, "dropped")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "sink \(sink.name): \(counts.joined(separator: ", "))\(why); 'alertctl events' shows all events"
}

private func readerHealth(_ status: DaemonStatus) -> [String] {
    guard status.eventReaders >= status.eventReadersLimit else { return [] }
    return ["the limit of \(status.eventReadersLimit) event readers is reached; raise event_readers in [sinks]"]
}

extension DaemonStatus {
    /// Whether the prices of any source are stale.
    var isStale: Bool { sources.contains(where: \.stale) }
    /// When the last data of a stale source was received; nil if there was none.
    var lastDataOfStale: String? { sources.first(where: \.stale)?.lastSuccess }
}

/// `rule 'btc band': 2 frozen`
func text(for problem: RuleProblem) -> String {
    "rule '\(problem.rule)': \(ruleStateText(problem.state, problem.problems))"
}

/// `1 event`, `2 events`
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
