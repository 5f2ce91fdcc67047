internal import Configuration
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Metrics
internal import Rules

/// The metrics of the symbols and alerts of one source at one moment. Collecting and writing them takes several turns
/// of the loop.
@LoopActor
struct AlertMetrics {
    /// The maximum number of alerts with samples of their own: about a megabyte of text. Keep the help of
    /// ``MetricFamily/alertsTruncated`` up to date.
    static let limit = 5_000
    /// The maximum number of samples written in one turn. Each takes about half a microsecond.
    static let slice = 256
    /// The maximum number of alerts or symbols collected in one turn. Each takes about a quarter of a microsecond.
    private static let collected = 512

    /// The tickers that have samples.
    private var tickers: [Ticker] = []
    /// The value of the label `source`.
    private let source: LabelText
    /// The names and severities of the rules, in the order of the rules.
    private let names: [LabelText]
    private let severities: [LabelText]
    private var alerts: [AlertGauge] = []
    /// True if the source has more alerts than ``alerts``.
    private var hasMore = false
    private let firingCount: Int

    private init(_ lane: Lane) {
        source = LabelText("\(lane.name)")
        names = lane.engine.rules.map { LabelText($0.name) }
        severities = lane.engine.rules.map { LabelText($0.severity.rawValue) }
        firingCount = lane.engine.firingCount
    }

    /// Collects the symbols and alerts of all sources at one moment; at most ``limit`` alerts have samples of their
    /// own.
    static func all(of pipeline: Pipeline, _ choice: MetricsSettings.Symbols) async -> [AlertMetrics] {
        // A poll during collection makes the data inconsistent, but polls are rare. After two such attempts, the last
        // one runs without pauses.
        for _ in 0..<2 {
            let moment = Moment(pipeline)
            if let all = await collect(
                pipeline, choice,
                pause: {
                    await Task.yield()
                    return Moment(pipeline) == moment
                })
            {
                return all
            }
        }
        return await collect(pipeline, choice) { true } ?? []
    }

    /// Collects the data to write, and calls `pause` from time to time, which returns false if something has changed.
    ///
    /// - Returns: the data; nil if something has changed.
    private static func collect(
        _ pipeline: Pipeline, _ choice: MetricsSettings.Symbols, pause: @LoopActor () async -> Bool
    ) async -> [AlertMetrics]? {
        var all: [AlertMetrics] = []
        var rest = limit
        for lane in pipeline.lanes {
            var metrics = AlertMetrics(lane)
            let tickers = lane.batch?.tickers ?? []
            metrics.tickers.reserveCapacity(tickers.count)
            for start in stride(from: 0, to: tickers.count, by: collected) {
                metrics.collectTickers(tickers[start..<min(start + collected, tickers.count)], lane.engine, choice)
                guard await pause() else { return nil }
            }
            var walk = AlertWalk()
            metrics.alerts.reserveCapacity(min(rest, lane.engine.alertCount))
            repeat {
                rest = max(0, rest - metrics.collectAlerts(&walk, lane.engine, min(rest, collected)))
                guard await pause() else { return nil }
            } while metrics.hasMore && rest > 0
            all.append(metrics)
        }
        return all
    }

    private mutating func collectTickers(
        _ tickers: ArraySlice<Ticker>, _ engine: RuleEngine, _ choice: MetricsSettings.Symbols
    ) {
        for ticker in tickers
        where choice == .all || engine.isNamed(ticker.symbol) || engine.alertCount(of: ticker.symbol) > 0 {
            self.tickers.append(ticker)
        }
    }

    /// Collects alerts of a walk.
    ///
    /// - Returns: the number of alerts that were collected.
    private mutating func collectAlerts(_ walk: inout AlertWalk, _ engine: RuleEngine, _ budget: Int) -> Int {
        let before = alerts.count
        hasMore = engine.advance(&walk, budget: budget) { place in
            if let gauge = engine.gauge(of: place) { alerts.append(gauge) }
        }
        return alerts.count - before
    }

    /// Writes prices, limits and states of all sources.
    static func write(_ sources: [AlertMetrics], to writer: inout MetricsWriter) async {
        writer.reserve(samples: sources.reduce(0) { $0 + $1.tickers.count + 2 * $1.alerts.count })
        await write(.price, of: sources, \.tickers.count, to: &writer) { $0.writePrices($1, to: &$2) }
        await write(.limit, of: sources, \.alerts.count, to: &writer) { $0.writeLimits($1, to: &$2) }
        await write(.alertFiring, of: sources, \.alerts.count, to: &writer) { $0.writeStates($1, to: &$2) }
        writer.begin(.alertsTruncated)
        for source in sources { source.write(source.hasMore ? 1 : 0, to: &writer) }
        writer.begin(.firingAlerts)
        for source in sources { source.write(source.firingCount, to: &writer) }
    }

    /// Writes a family, and lets other tasks run after each slice.
    private static func write(
        _ family: MetricFamily, of sources: [AlertMetrics], _ count: (AlertMetrics) -> Int,
        to writer: inout MetricsWriter, _ body: (AlertMetrics, Range<Int>, inout MetricsWriter) -> Void
    ) async {
        writer.begin(family)
        for source in sources {
            let count = count(source)
            for start in stride(from: 0, to: count, by: slice) {
                body(source, start..<min(start + slice, count), &writer)
                await Task.yield()
            }
        }
    }

    private func write(_ value: Int, to writer: inout MetricsWriter) {
        writer.beginSample()
        writer.label(source)
        writer.endSample(value)
    }

    private func writePrices(_ range: Range<Int>, to writer: inout MetricsWriter) {
        for ticker in tickers[range] {
            guard let price = ticker.last else { continue }
            writer.beginSample()
            writer.label(source)
            writer.label(ticker.symbol)
            writer.label(ticker.quote)
            writer.endSample(price)
        }
    }

    private func writeStates(_ range: Range<Int>, to writer: inout MetricsWriter) {
        for alert in alerts[range] {
            begin(alert, in: &writer)
            writer.label(severities[alert.rule])
            writer.endSample(alert.isFiring)
        }
    }

    private func writeLimits(_ range: Range<Int>, to writer: inout MetricsWriter) {
        for alert in alerts[range] {
            switch alert.limit {
            case nil: break
            case .price(let price): write(price, "", of: alert, to: &writer)
            case .range(let low, let high):
                write(low, "low", of: alert, to: &writer)
                write(high, "high", of: alert, to: &writer)
            }
        }
    }

    private func write(_ limit: Price, _ edge: String, of alert: AlertGauge, to writer: inout MetricsWriter) {
        begin(alert, in: &writer)
        writer.label(alert.currency)
        writer.label(edge)
        writer.endSample(limit)
    }

    /// Begins a sample with the labels that all families of alerts share.
    private func begin(_ alert: AlertGauge, in writer: inout MetricsWriter) {
        writer.beginSample()
        writer.label(source)
        writer.label(names[alert.rule])
        writer.label(alert.symbol)
        writer.label(alert.bound.rawValue)
    }
}

/// A fingerprint of the state, which differs after a poll, an event or a change of the rules.
@LoopActor
private struct Moment: Equatable {
    private let polls: Int
    private let lastEvent: Int64
    private let rules: Int

    init(_ pipeline: Pipeline) {
        polls = pipeline.lanes.reduce(0) { $0 + $1.engine.pollCount }
        lastEvent = pipeline.events.lastNumber
        rules = pipeline.lanes.reduce(0) { $0 + $1.engine.rules.count }
    }

    nonisolated static func == (left: Self, right: Self) -> Bool {
        left.polls == right.polls && left.lastEvent == right.lastEvent && left.rules == right.rules
    }
}
