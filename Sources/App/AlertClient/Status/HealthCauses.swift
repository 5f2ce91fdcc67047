internal import Control

// The causes in each part of the daemon. Each text names the problem, its reason and a remedy.

func feedCauses(_ feed: FeedStatus, _ status: DaemonStatus, _ formatter: HumanFormatter) -> [HealthCause] {
    let isOneOfSeveral = status.hasSeveralSources
    let cause = { (kind: HealthCause.Kind, text: String) in
        HealthCause(kind: kind, text: isOneOfSeveral ? "\(feed.source): \(text)" : text)
    }
    let why = feed.message.map { ": \($0)" } ?? (feed.state == .ok ? "" : ": \(feed.state.text)")
    if feed.stale {
        let since = formatter.age(feed.lastSuccess).map { " for \($0)" } ?? " since the daemon started"
        var stale = cause(.stalePrices, "prices are stale: no usable response\(since)\(why); try 'alertctl poll'")
        stale.short = "prices\(isOneOfSeveral ? " of \(feed.source)" : "") stale"
        stale.since = feed.lastSuccess ?? status.started
        return [stale]
    }
    guard feed.consecutiveFailures == 0 else {
        let polls = feed.consecutiveFailures == 1 ? "poll" : "\(grouped(feed.consecutiveFailures)) polls"
        return [cause(.failedPolls, "the last \(polls) failed\(why)")]
    }
    let messages = [feed.state == .ok ? feed.message : nil, feed.badElementsMessage]
    let note = messages.compactMap(\.self).map { cause(.feedNote, $0) }
    guard let message = feed.gapsMessage, feed.gaps > 0 else { return note }
    let gaps = "\(counted(feed.gaps, "gap")) in the prices not caught up yet: \(message)"
    return note + [cause(.unfilledGaps, gaps)]
}

func receiverCause(_ receiver: FailingReceiver) -> HealthCause {
    let why = receiver.message.map { ": \($0)" } ?? ""
    guard receiver.stopped else {
        return HealthCause(
            kind: .failingReceiver,
            text: "receiver \(receiver.name) does not accept notifications\(why); see 'alertctl receivers'",
            short: "receiver \(receiver.name) failing")
    }
    let remedy =
        receiver.credential.map { "renew the credential '\($0)' and restart alertd" }
        ?? "correct its settings, then run 'alertctl reload'"
    return HealthCause(
        kind: .stoppedReceiver, text: "receiver \(receiver.name) has stopped\(why); \(remedy)",
        short: "receiver \(receiver.name) stopped")
}

func leaseCauses(_ status: DaemonStatus) -> [HealthCause] {
    guard let lease = status.lease, let message = lease.message else { return [] }
    let effect =
        lease.state == .held
        ? "it is held until it expires" : "nothing is sent to receivers until the NATS server can be reached"
    return [
        HealthCause(
            kind: .lostLease, text: "the lease cannot be kept: \(message); \(effect)", short: "lease not kept")
    ]
}

func storeCauses(_ store: StoreStatus, _ formatter: HumanFormatter) -> [HealthCause] {
    guard store.state != .ok else { return [] }
    let since = formatter.age(store.since).map { " for \($0)" } ?? ""
    let why = store.message.map { ": \($0)" } ?? ""
    let text =
        "state has not been saved\(since)\(why); you are still notified of alerts, and every poll tries to save again"
    return [HealthCause(kind: .unsavedState, text: text, short: "state not saved", since: store.since)]
}

func settingsCauses(_ settings: ConfigurationStatus, _ formatter: HumanFormatter) -> [HealthCause] {
    guard let time = settings.lastReloadFailed else { return [] }
    let why = settings.lastReloadMessage.map { ": \($0)" } ?? ""
    let text =
        "the reload at \(formatter.time(time)) failed, so the previous settings stay in effect\(why); "
        + "fix the file, then run 'alertctl reload'"
    return [HealthCause(kind: .failedReload, text: text, short: "reload failed", since: time)]
}

/// Rates that were never fetched because nothing needs them are not a problem.
func rateCauses(_ rates: RatesReply?) -> [HealthCause] {
    guard let rates else { return [] }
    let ignored = rates.ignored.map { HealthCause(kind: .lateRates, text: "exchange rates: \($0)") }
    let failure = rates.message.map { "cannot fetch exchange rates: \($0)" }
    guard let days = rates.ageDays else {
        return failure.map { [HealthCause(kind: .staleRates, text: $0, short: "no exchange rates")] } ?? []
    }
    let age = "\(counted(days, "day")) old"
    let stale = HealthCause(
        kind: .staleRates, text: "exchange rates are stale (\(age)); see 'alertctl rates'",
        short: "exchange rates \(age)")
    return (rates.stale ? [stale] : []) + (failure.map { [HealthCause(kind: .lateRates, text: $0)] } ?? [])
        + ignored
}

func checkCause(_ check: CheckStatus) -> HealthCause? {
    guard check.state == .diverged, let difference = check.differencePercent else { return nil }
    let text =
        "check \(check.name): \(check.first) differs by \(difference)% from \(check.second), more than "
        + "\(check.withinPercent)%; see 'alertctl events --kind diverged'"
    return HealthCause(kind: .divergedCheck, text: text, short: "check \(check.name) diverged")
}

/// Returns a cause for an active silence that matches every alert, because such a silence is easily forgotten.
func silenceCause(_ silence: SilenceStatus, _ status: DaemonStatus, _ formatter: HumanFormatter) -> HealthCause? {
    let hasOtherSources = silence.source.map { name in status.sources.contains { $0.source != name } } ?? false
    let matchesAllSymbols = silence.symbol.map { $0.allSatisfy { $0 == "*" } } ?? true
    guard silence.state == .active, silence.rule == nil, silence.severity == nil, matchesAllSymbols, !hasOtherSources
    else { return nil }
    let text =
        "silence \(silence.number) matches every alert until \(formatter.time(silence.ends)), so nobody is notified; "
        + "'alertctl silence expire \(silence.number)' ends it"
    return HealthCause(kind: .silencedEverything, text: text, short: "everything silenced")
}

func ruleCauses(_ status: DaemonStatus) -> [HealthCause] {
    guard status.rules > 0 else {
        let text =
            "there are no rules, so no alerts will be sent; add one, for example with "
            + "'alertctl rule add btcinr --max 7500000'"
        return [HealthCause(kind: .noRules, text: text)]
    }
    return status.problems.map { HealthCause(kind: .impairedRule, text: "\(text(for: $0)); see 'alertctl rules'") }
}

func sinkCause(_ sink: SinkStatus) -> HealthCause? {
    guard sink.failed > 0 || sink.dropped > 0 else { return nil }
    let why = sink.message.map { ": \($0)" } ?? ""
    let counts = [(sink.failed, "failed"), (sink.dropped, "dropped")].filter { $0.0 > 0 }.map {
        "\(grouped($0.0)) \($0.1)"
    }
    let text = "sink \(sink.name): \(counts.joined(separator: ", "))\(why); 'alertctl events' shows all events"
    return HealthCause(kind: .lossySink, text: text)
}

func readerCauses(_ status: DaemonStatus) -> [HealthCause] {
    guard status.eventReaders >= status.eventReadersLimit else { return [] }
    let limit = grouped(status.eventReadersLimit)
    let text = "the limit of \(limit) event readers is reached; raise event_readers in [sinks]"
    return [HealthCause(kind: .fullEventSocket, text: text)]
}

/// Returns a problem as text: `rule 'btc band': 2 frozen`.
func text(for problem: RuleProblem) -> String {
    "rule '\(problem.rule)': \(ruleStateText(problem.state, problem.problems))"
}
