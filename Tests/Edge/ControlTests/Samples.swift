@testable import Control

/// A value of every type with every field filled.
enum Samples {
    static let status = DaemonStatus(
        version: "1.0", pid: 2, started: "t", simulated: true,
        feed: FeedStatus(
            source: "wazirx", url: "u", state: "ok", message: "m", intervalMilliseconds: 2, polls: 2, failures: 2,
            consecutiveFailures: 2, badElements: 2, lastSuccess: "t", lastAttempt: "t", nextPoll: "t", reach: "1",
            stale: false),
        symbols: 2, rules: 2, firing: 2, silences: 2, problems: ["p"], lastEvent: 2, eventReaders: 2,
        eventReadersLimit: 2,
        history: HistoryStatus(
            keepMilliseconds: 2, capacity: 2, polls: 2, bytes: 2, limitBytes: 2, oldest: "t"),
        store: StoreStatus(
            path: "p", state: "degraded", message: "m", since: "t", unsaved: 2, bytes: 2, events: 2, lastSaved: "t"),
        sinks: [SinkStatus(name: "journal", delivered: 2, dropped: 2, failed: 2, message: "m")],
        configuration: ConfigurationStatus(
            files: ["f"], loaded: "t", lastReloadFailed: "t", lastReloadMessage: "m"))

    static let symbol = SymbolStatus(
        symbol: "btcinr", base: "btc", quote: "inr", last: "1", bid: "1", ask: "1", open: "1", high: "1", low: "1",
        volume: "1", changePercent: "0.00", exchangeTime: "t", received: "t", state: "ok", firing: 2, min: "1",
        max: "2")

    static let alert = AlertStatus(
        rule: "r", symbol: "btcinr", bound: "max", state: "firing", note: "n", severity: "warning", limit: "2",
        clear: "1",
        currency: "INR", price: "3", distancePercent: "-1.00", since: "t", event: 2, silence: 2, silenceEnds: "t",
        acknowledgedBy: "u", acknowledged: "t", disarmed: true, override: LimitSamples.override)

    static let window = WindowSummary(
        windowMilliseconds: 2, samples: 2, first: "1", firstTime: "t", last: "1", min: "1", max: "1",
        changePercent: "0.00")

    static let point = PricePoint(time: "t", price: "1")

    static let rule = RuleStatus(
        name: "r", symbols: ["*inr"], condition: "max 2", currency: "INR", severity: "warning", matches: 2,
        firing: 2, limits: [ruleLimit], state: "ok", overrides: [LimitSamples.override])

    static let ruleLimit = RuleLimit(bound: "max", limit: "2", currency: "INR")

    static let event = EventRecord(
        number: 2, time: "t", kind: "fired", rule: "r", symbol: "btcinr", bound: "max", severity: "warning",
        price: "3", limit: "2", currency: "INR", previous: point, exchangeTime: "t", received: "t",
        sampleAgeMilliseconds: 2, notified: true, reason: "after_gap", conversion: conversion, text: "t", silence: 2,
        sink: "journal", details: ExplainSamples.details)

    static let conversion = ConversionRecord(rate: "1", date: "d", source: "s", path: "p")

    static let reload = ReloadResult(
        added: ["a"], removed: ["b"], changed: ["c"], kept: ["d"], needsRestart: ["e"], warnings: ["f"])

    static let poll = PollResult(
        state: "ok", message: "m", symbols: 2, badElements: 2, durationMilliseconds: 2, events: 2)

    static let bar = PriceBar(time: "t", open: "1", high: "2", low: "1", close: "2", samples: 2)

    static let row = PriceRow(time: "t", symbols: ["btcinr"], prices: ["1"])

    static let column = PriceColumn(symbol: "btcinr", times: [2], prices: ["1"])

    static let eventQuery = ListEventsParameters(
        after: 2, before: 2, since: "t", until: "t", rule: "r", symbol: "*", kind: "fired", severity: "info", limit: 2,
        newestFirst: true)

    static let rateStep = RateStep(base: "EUR", quote: "SEK", rate: "1", basis: "reference", date: "d", source: "s")
}
