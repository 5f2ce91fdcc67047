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
    private var alerts: [AlertSample] = []
    /// Whether there are more alerts than these.
    private var hasMore = false

    /// Takes the alerts of a source, of which at most `limit` have samples of their own.
    private init(_ lane: Lane, limit: Int) {
        engine = lane.engine
        batch = lane.batch
        source = "\(lane.name)"
        var walk = AlertWalk()
        var alerts: [AlertSample] = []
        let rules = engine.rules.map { ($0.name, $0.severity.rawValue) }
        hasMore = engine.advance(&walk, budget: limit) { [engine] place in
            guard place.rule < rules.count, let summary = engine.summary(of: place) else { return }
            let (name, severity) = rules[place.rule]
            alerts.append(
                AlertSample(
                    rule: name, severity: severity, symbol: place.symbol.description, summary: summary,
                    isFiring: engine.isFiring(place)))
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
            for alert in source.alerts { source.writeLimit(of: alert, to: &writer) }
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
            writer.sample(source, symbol.description, ticker.quote?.description ?? "", value: price)
        }
    }

    private func writeStates(to writer: inout MetricsWriter) {
        for alert in alerts {
            writer.sample(
                source, alert.rule, alert.symbol, alert.summary.bound.rawValue, alert.severity, value: alert.isFiring)
        }
    }

    private func writeLimit(of alert: AlertSample, to writer: inout MetricsWriter) {
        let summary = alert.summary
        let prices = summary.limit?.prices ?? []
        for (index, price) in prices.enumerated() {
            let edge = prices.count < 2 ? "" : index == 0 ? "low" : "high"
            writer.sample(
                source, alert.rule, alert.symbol, summary.bound.rawValue, summary.currency?.description ?? "", edge,
                value: price)
        }
    }
}

/// What the samples of an alert have, made once for all of them.
private struct AlertSample {
    let rule: String
    let severity: String
    let symbol: String
    let summary: AlertSummary
    let isFiring: Bool
}
