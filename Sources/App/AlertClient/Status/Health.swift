internal import Control

/// What is not well, each in one line with what to do about it.
func healthLines(of status: DaemonStatus, _ formatter: HumanFormatter) -> [String] {
    feedHealth(status.feed, formatter) + storeHealth(status.store, formatter)
        + settingsHealth(status.configuration, formatter)
        + status.problems.map { "\(text(for: $0)); see 'alertctl rules'" } + status.sinks.compactMap(sinkHealth)
        + readerHealth(status)
}

private func feedHealth(_ feed: FeedStatus, _ formatter: HumanFormatter) -> [String] {
    let why = feed.message.map { ": \($0)" } ?? (feed.state == .ok ? "" : ": \(feed.state)")
    if feed.stale {
        let since = formatter.age(feed.lastSuccess).map { " for \($0)" } ?? " since the start"
        return ["prices are stale, no usable response\(since)\(why); try 'alertctl poll'"]
    }
    guard feed.consecutiveFailures > 0 else { return [] }
    return ["\(counted(feed.consecutiveFailures, "poll")) in a row failed\(why)"]
}

private func storeHealth(_ store: StoreStatus, _ formatter: HumanFormatter) -> [String] {
    guard store.state != .ok else { return [] }
    let since = formatter.age(store.since).map { " for \($0)" } ?? ""
    let why = store.message.map { ": \($0)" } ?? ""
    return [
        "state is not saved\(since)\(why); alerts are notified all the same, and the daemon tries again with each poll"
    ]
}

private func settingsHealth(_ settings: ConfigurationStatus, _ formatter: HumanFormatter) -> [String] {
    guard let time = settings.lastReloadFailed else { return [] }
    let why = settings.lastReloadMessage.map { ": \($0)" } ?? ""
    return [
        "the reload at \(formatter.time(time)) failed, so the settings before it are in force\(why); "
            + "mend the file, then 'alertctl reload'"
    ]
}

/// Rates that were never fetched because nobody wants them are well.
func rateHealth(_ rates: RatesReply?) -> [String] {
    guard let rates else { return [] }
    let age = rates.ageDays.map { "exchange rates are stale, \(counted($0, "day")) old; see 'alertctl rates'" }
    let failure = rates.message.map { "exchange rates cannot be fetched: \($0)" }
    return [rates.stale ? age : nil, failure].compactMap(\.self)
}

private func sinkHealth(_ sink: SinkStatus) -> String? {
    guard sink.failed > 0 || sink.dropped > 0 else { return nil }
    let why = sink.message.map { ": \($0)" } ?? ""
    let counts = [(sink.failed, "failed"), (sink.dropped, "dropped")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "sink \(sink.name): \(counts.joined(separator: ", "))\(why); 'alertctl tail --after 0' shows what there was"
}

private func readerHealth(_ status: DaemonStatus) -> [String] {
    guard status.eventReaders >= status.eventReadersLimit else { return [] }
    return ["all \(status.eventReadersLimit) places for event readers are taken; raise event_readers in [sinks]"]
}

/// `rule 'btc band': 2 frozen`
func text(for problem: RuleProblem) -> String {
    "rule '\(problem.rule)': \(ruleStateText(problem.state, problem.problems))"
}

/// `1 event`, `2 events`
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
