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

    let engine: RuleEngine
    let batch: TickerBatch?
    /// The value of the label `source`.
    let source: String

    /// Writes the price of each symbol.
    func writePrices(_ choice: MetricsSettings.Symbols, to writer: inout MetricsWriter) {
        writer.begin(.price)
        for ticker in batch?.tickers ?? [] {
            guard let price = ticker.last else { continue }
            let symbol = ticker.symbol
            guard choice == .all || engine.isNamed(symbol) || engine.alertCount(of: symbol) > 0 else { continue }
            writer.sample(source, "\(symbol)", ticker.quote?.description ?? "", value: price)
        }
    }

    /// Writes limits and states.
    func writeAlerts(to writer: inout MetricsWriter) {
        var walk = AlertWalk()
        var alerts: [(place: AlertPlace, summary: AlertSummary)] = []
        let hasMore = engine.advance(&walk, budget: Self.limit) { place in
            if let summary = engine.summary(of: place) { alerts.append((place, summary)) }
        }
        writer.begin(.limit)
        for (place, summary) in alerts { writeLimit(of: place, summary, to: &writer) }
        writer.begin(.alertFiring)
        for (place, summary) in alerts {
            let rule = engine.rules[place.rule]
            writer.sample(
                source, rule.name, "\(place.symbol)", summary.bound.rawValue, rule.severity.rawValue,
                value: engine.isFiring(place))
        }
        writer.begin(.alertsTruncated)
        writer.sample(source, value: hasMore)
        writer.begin(.firingAlerts)
        writer.sample(source, value: engine.firingCount)
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
