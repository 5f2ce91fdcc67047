internal import Configuration
internal import Engine
internal import EventLoop
internal import Events
internal import Market
internal import Metrics
internal import Rules

/// The metrics of one source's symbols and alerts.
@LoopActor
struct AlertMetrics {
    /// The most alerts with samples of their own: about a megabyte of text. Keep the help of
    /// ``MetricFamily/alertsTruncated`` up to date.
    static let limit = 5_000

    private let engine: RuleEngine
    private let batch: TickerBatch?
    /// The value of the label `source`.
    private let source: String
    private var alerts: [(place: AlertPlace, summary: AlertSummary)] = []
    /// Whether there are more alerts than these.
    private var hasMore = false

    /// Takes the alerts of a source, of which at most `limit` have samples of their own.
    private init(_ lane: Lane, limit: Int) {
        engine = lane.engine
        batch = lane.batch
        source = "\(lane.name)"
        var walk = AlertWalk()
        var alerts: [(place: AlertPlace, summary: AlertSummary)] = []
        hasMore = engine.advance(&walk, budget: limit) { [engine] place in
            if let summary = engine.summary(of: place) { alerts.append((place, summary)) }
        }
        self.alerts = alerts
    }

    /// Writes prices, limits and states of all sources.
    static func write(_ lanes: [Lane], _ choice: MetricsSettings.Symbols, to writer: inout MetricsWriter) {
        var rest = limit
        let sources = lanes.map { lane in
            let metrics = AlertMetrics(lane, limit: rest)
            rest -= metrics.alerts.count
            return metrics
        }
        writer.begin(.price)
        for source in sources { source.writePrices(choice, to: &writer) }
        writer.begin(.limit)
        for source in sources {
            for (place, summary) in source.alerts { source.writeLimit(of: place, summary, to: &writer) }
        }
        writer.begin(.alertFiring)
        for source in sources { source.writeStates(to: &writer) }
        writer.begin(.alertsTruncated)
        for source in sources { writer.sample(source.source, value: source.hasMore) }
        writer.begin(.firingAlerts)
        for source in sources { writer.sample(source.source, value: source.engine.firingCount) }
    }

    private func writePrices(_ choice: MetricsSettings.Symbols, to writer: inout MetricsWriter) {
        for ticker in batch?.tickers ?? [] {
            guard let price = ticker.last else { continue }
            let symbol = ticker.symbol
            guard choice == .all || engine.isNamed(symbol) || engine.alertCount(of: symbol) > 0 else { continue }
            writer.sample(source, "\(symbol)", ticker.quote?.description ?? "", value: price)
        }
    }

    private func writeStates(to writer: inout MetricsWriter) {
        for (place, summary) in alerts {
            let rule = engine.rules[place.rule]
            writer.sample(
                source, rule.name, "\(place.symbol)", summary.bound.rawValue, rule.severity.rawValue,
                value: engine.isFiring(place))
        }
    }

    private func writeLimit(of place: AlertPlace, _ summary: AlertSummary, to writer: inout MetricsWriter) {
        let prices = summary.limit?.prices ?? []
        for (index, price) in prices.enumerated() {
            let edge = prices.count < 2 ? "" : index == 0 ? "low" : "high"
            writer.sample(
                source, engine.rules[place.rule].name, "\(place.symbol)", summary.bound.rawValue,
                summary.currency?.description ?? "", edge, value: price)
        }
    }
}
