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
    private let tickers: [Ticker]
    /// The value of the label `source`.
    private let source: LabelText
    /// Of each rule.
    private let names: [LabelText]
    private let severities: [LabelText]
    private var alerts: [AlertGauge] = []
    /// Whether there are more alerts than these.
    private var hasMore = false

    /// Takes the alerts of a source, of which at most `limit` have samples of their own.
    private init(_ lane: Lane, limit: Int) {
        engine = lane.engine
        tickers = lane.batch?.tickers ?? []
        source = LabelText("\(lane.name)")
        names = engine.rules.map { LabelText($0.name) }
        severities = engine.rules.map { LabelText($0.severity.rawValue) }
        var walk = AlertWalk()
        var alerts: [AlertGauge] = []
        alerts.reserveCapacity(min(limit, engine.alertCount))
        hasMore = engine.advance(&walk, budget: limit) { [engine] place in
            if let gauge = engine.gauge(of: place) { alerts.append(gauge) }
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
        writer.reserve(samples: sources.reduce(0) { $0 + $1.sampleCount(choice) })
        writer.begin(.price)
        for source in sources { source.writePrices(choice, to: &writer) }
        writer.begin(.limit)
        for source in sources { source.writeLimits(to: &writer) }
        writer.begin(.alertFiring)
        for source in sources { source.writeStates(to: &writer) }
        writer.begin(.alertsTruncated)
        for source in sources { source.write(source.hasMore ? 1 : 0, to: &writer) }
        writer.begin(.firingAlerts)
        for source in sources { source.write(source.engine.firingCount, to: &writer) }
    }

    /// About how many samples there are of its symbols and alerts.
    private func sampleCount(_ choice: MetricsSettings.Symbols) -> Int {
        2 * alerts.count + (choice == .all ? tickers.count : min(tickers.count, alerts.count))
    }

    private func write(_ value: Int, to writer: inout MetricsWriter) {
        writer.beginSample()
        writer.label(source)
        writer.endSample(value)
    }

    private func writePrices(_ choice: MetricsSettings.Symbols, to writer: inout MetricsWriter) {
        for ticker in tickers {
            guard let price = ticker.last else { continue }
            let symbol = ticker.symbol
            guard choice == .all || engine.isNamed(symbol) || engine.alertCount(of: symbol) > 0 else { continue }
            writer.beginSample()
            writer.label(source)
            writer.label(symbol)
            writer.label(ticker.quote)
            writer.endSample(price)
        }
    }

    private func writeStates(to writer: inout MetricsWriter) {
        for alert in alerts {
            begin(alert, in: &writer)
            writer.label(severities[alert.rule])
            writer.endSample(alert.isFiring)
        }
    }

    private func writeLimits(to writer: inout MetricsWriter) {
        for alert in alerts {
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

    /// Begins a sample with the labels that all families of alerts have.
    private func begin(_ alert: AlertGauge, in writer: inout MetricsWriter) {
        writer.beginSample()
        writer.label(source)
        writer.label(names[alert.rule])
        writer.label(alert.symbol)
        writer.label(alert.bound.rawValue)
    }
}
