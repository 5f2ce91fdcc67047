import Control
import JSON
import Market
import Time

/// A small market at 2026-11-21 06:20:00 UTC.
enum Sample {
    static let now = WallTime(rfc3339: "2026-11-21T06:20:00.000Z") ?? WallTime(milliseconds: 0)
    static let received = "2026-11-21T06:19:48.000Z"

    static let status = DaemonStatus(
        version: "0.1.0", pid: 4_711, started: "2026-11-21T04:05:00.000Z", simulated: false, feed: feed,
        sources: [feed], symbols: 4,
        rules: 3, firing: 1, silences: 0, problems: [RuleProblem(rule: "gone", state: .matchesNothing, problems: [])],
        lastEvent: 12,
        eventReaders: 2,
        eventReadersLimit: 1_024, eventReadersRefused: 0, clients: 1, clientsLimit: 128, clientsRefused: 0,
        history: HistoryStatus(
            keepMilliseconds: 86_400_000, capacity: 2_880, polls: 270, bytes: 4_300_000, limitBytes: 67_108_864,
            oldest: "2026-11-21T04:05:01.000Z"),
        store: StoreStatus(
            path: "/var/lib/alertd/alertd.db", state: .ok, unsaved: 0, bytes: 5_400_000, events: 12,
            lastSaved: received),
        sinks: [
            SinkStatus(name: "journal", delivered: 12, dropped: 0, failed: 0),
            SinkStatus(name: "socket", delivered: 10, dropped: 2, failed: 0, message: "a slow reader"),
        ],
        receiversFailing: [],
        configuration: ConfigurationStatus(
            files: ["/etc/alertd/alertd.toml", "/etc/alertd/rules.d/a.toml"], loaded: "2026-11-21T04:05:00.000Z"))

    static let feed = FeedStatus(
        source: "wazirx", type: "wazirx", symbols: 4, rules: 3, firing: 1, url: "https://api.wazirx.com/sapi/v1",
        state: .ok, intervalMilliseconds: 30_000, polls: 270,
        failures: 3, consecutiveFailures: 0, badElements: 1, lastSuccess: received, lastAttempt: received,
        nextPoll: "2026-11-21T06:20:18.000Z", reach: "11101111", stale: false, gaps: 0)

    static let symbols = [
        SymbolStatus(
            source: "wazirx", symbol: "btcinr", base: "btc", quote: "inr", last: "7513000.5", bid: "7512000.0",
            ask: "7514000.0",
            open: "7400000.0", high: "7600000.0", low: "7300000.0", volume: "1.25", changePercent: "1.53",
            exchangeTime: received, received: received, state: .ok, firing: 1, min: "4800000", max: "7500000"),
        SymbolStatus(
            source: "wazirx", symbol: "shibinr", base: "shib", quote: "inr", last: "0.00000041", bid: "0.0000004",
            ask: "0.00000042",
            open: "0.00000042", high: "0.00000043", low: "0.0000004", volume: "1234567.0", changePercent: "-2.38",
            exchangeTime: received, received: received, state: .ok, firing: 0),
        SymbolStatus(
            source: "wazirx", symbol: "ethusdt", base: "eth", quote: "usdt", last: "3100.10", bid: "3100.0",
            ask: "3100.2",
            open: "3100.10", high: "3150.0", low: "3050.0", volume: "10.0", changePercent: "0.00",
            exchangeTime: received, received: received, state: .ok, firing: 0),
        SymbolStatus(
            source: "wazirx", symbol: "deadinr", base: "dead", quote: "inr", received: received, state: .frozen,
            firing: 0),
    ]

    static let alerts = [
        AlertStatus(
            rule: "btc band", source: "wazirx", symbol: "btcinr", bound: .min, state: .inactive, severity: .warning,
            limit: "4800000",
            currency: "INR", price: "7513000.5", distancePercent: "36.11", since: "2026-11-21T04:05:01.000Z",
            disarmed: false),
        AlertStatus(
            rule: "btc band", source: "wazirx", symbol: "btcinr", bound: .max, state: .firing, severity: .warning,
            limit: "7500000",
            clear: "7462500", currency: "INR", price: "7513000.5", distancePercent: "-0.17",
            since: "2026-11-20T20:00:01.000Z", event: 12, disarmed: false),
    ]

    static let window = WindowSummary(
        windowMilliseconds: 8_100_000, samples: 8, first: "7400000", firstTime: "2026-11-21T04:05:01.000Z",
        last: "7513000.5", min: "7390000", max: "7520000", changePercent: "1.53")

    static let prices = ["7400000", "7390000", "7420000", "7450000", "7480000", "7500000", "7520000", "7513000.5"]

    /// A number of minutes after 05:00 UTC.
    static func minute(_ minutes: Int) -> String {
        WallTime(milliseconds: 1_795_237_200_000 + Int64(minutes) * 60_000).description
    }

    static let event = EventRecord(
        number: 13, time: "2026-11-21T06:19:48.250Z", kind: .fired, rule: "btc band", symbol: "btcinr", bound: .max,
        severity: .warning, price: "7513000.5", limit: "7500000", currency: "INR",
        previous: PricePoint(time: "2026-11-21T06:19:18.000Z", price: "7499000"), received: received,
        sampleAgeMilliseconds: 250, notified: true, text: "btcinr at 7513000.5 INR, max 7500000")

    static let resolved = EventRecord(
        number: 14, time: "2026-11-21T06:20:18.000Z", kind: .resolved, rule: "eth low", symbol: "ethusdt",
        bound: .min, severity: .info, notified: false, reason: .silenced, text: "ethusdt is back", silence: 3)

    static let rates = RatesReply(
        base: "EUR", date: "2026-11-20", source: "European Central Bank", ageDays: 1, stale: false, staleAfterDays: 6,
        rates: [
            ReferenceRate(currency: "USD", rate: "1.1684"), ReferenceRate(currency: "IDR", rate: "20082.05"),
        ], pegs: [CurrencyPeg(currency: "USDT", countsAs: "USD")], state: .ok, ignored: [],
        url: "https://www.ecb.europa.eu/r.xml", fetched: "2026-11-21T04:20:00.000Z",
        lastAttempt: "2026-11-21T04:20:00.000Z",
        nextFetch: "2026-11-21T08:25:00.000Z", markets: [])

    static let conversion = ConvertReply(
        amount: "1000", from: "SEK", to: "INR", result: "10011.6599339", exact: false, date: "2026-11-20",
        stale: false, pegged: false, official: false, simulated: false, path: "SEK>EUR>INR",
        fetched: "2026-11-21T04:20:00.000Z",
        steps: [
            RateStep(
                base: "EUR", quote: "SEK", rate: "10.8920", basis: .reference, date: "2026-11-20",
                source: "European Central Bank"),
            RateStep(base: "USDT", quote: "USD", rate: "1", basis: .peg),
            RateStep(base: "BTC", quote: "INR", rate: "7522957", basis: .market, source: "btcinr"),
        ])

    static func tickers(isStale: Bool = false) -> ListTickersReply {
        ListTickersReply(
            simulated: false, source: "wazirx", received: received, stale: isStale, symbols: symbols)
    }

    static func symbol(isStale: Bool = false) -> GetSymbolReply {
        GetSymbolReply(
            simulated: false, stale: isStale, symbol: symbols[0], alerts: alerts, window: window,
            prices: prices.enumerated().map { PricePoint(time: minute($0), price: $1) })
    }

    static let replies: [ControlInterface.Method: any JSONWritable & Sendable] = [
        .status: StatusReply(status: status),
        .listTickers: tickers(),
        .getSymbol: symbol(),
        .listAlerts: ListAlertsReply(simulated: false, alerts: alerts),
        .listRules: ListRulesReply(rules: [
            RuleStatus(
                name: "btc band", source: "wazirx", symbols: ["btcinr", "btc*"], condition: "min 4800000 max 7500000",
                conditionText: "min ₹48,00,000.00 max ₹75,00,000.00", currency: "INR",
                severity: .warning, matches: 1, firing: 1, limits: [], state: .ok, problems: []),
            RuleStatus(
                name: "gone", source: "wazirx", symbols: ["lunainr"], condition: "max 1",
                conditionText: "max 1", severity: .critical, matches: 0, firing: 0,
                limits: [], state: .matchesNothing, problems: []),
        ]),
        .rates: rates,
        .convert: conversion,
        .reload: ReloadReply(
            result: ReloadResult(
                added: ["new"], removed: [], changed: ["btc band"], kept: ["gone"], needsRestart: ["feed.source"],
                warnings: [])),
        .listPrices: ListPricesReply(
            simulated: false, gapMilliseconds: 90_000,
            prices: [0, 1, 2, 60, 61].enumerated().map {
                PricePoint(time: minute($1), price: "751300\($0).5")
            }),
        .listBars: ListBarsReply(
            simulated: false,
            bars: [
                PriceBar(
                    time: "2026-11-20T22:00:00.000Z", open: "7400000", high: "7520000.5", low: "7390000",
                    close: "7513000", samples: 120),
                PriceBar(
                    time: "2026-11-21T05:00:00.000Z", open: "7513000", high: "7513000", low: "7500000",
                    close: "7500000.25", samples: 1_097),
            ]),
        .listCandles: ListCandlesReply(simulated: false, candles: []),
        .addSilence: AddSilenceReply(silence: silence, saved: true),
        .listSilences: ListSilencesReply(silences: [silence, overSilence, expiredSilence]),
        .expireSilences: ExpireSilencesReply(silences: [expiredSilence], count: 1, saved: true),
        .acknowledge: AcknowledgeReply(alerts: [acknowledged], changed: 1, saved: true),
        .arm: ArmReply(alerts: [alerts[1]], saved: true),
        .drill: DrillReply(
            event: drill,
            results: [
                DrillResult(sink: "journal", result: .delivered, detail: "accepted by the journal"),
                DrillResult(sink: "socket", result: .delivered, detail: "2 readers"),
            ], saved: true),
        .listEvents: ListEventsReply(simulated: false, source: "wazirx", events: [resolved, event], more: true),
        .poll: PollReply(
            result: PollResult(state: .ok, symbols: 450, badElements: 0, durationMilliseconds: 312, events: 1)),
    ]

    /// The status with something changed.
    static func status(_ change: (inout DaemonStatus) -> Void) -> StatusReply {
        var status = status
        change(&status)
        // Most tests know a single source.
        if status.sources.count == 1 { status.sources = [status.feed] }
        return StatusReply(status: status)
    }
}
