internal import Charts
internal import Control
internal import Events
internal import Market

extension Chart {
    /// Adds the limit of an alert: the one place where limits become lines.
    ///
    /// - Parameters:
    ///   - alert: An alert on the symbol of the chart.
    ///   - display: How prices are shown.
    ///   - currency: The currency of the chart; a limit that cannot be converted into it is left out.
    ///   - isRequired: Whether the chart has to make room for it.
    mutating func add(_ alert: AlertStatus, _ display: PriceDisplay, in currency: Currency, isRequired: Bool = false) {
        guard let limit = alert.limit.flatMap({ LimitValue($0) }), let scale = display.scale(of: alert.currency),
            scale.currency == currency, alert.state != .expired
        else { return }
        let text = display.text(alert.limit, in: alert.currency) ?? ""
        let name = alert.bound == .rise || alert.bound == .fall ? "\(alert.bound.rawValue) to" : alert.bound.chartName
        add(
            limit, clear: alert.clear.flatMap { LimitValue($0) }, alert.bound.lineKind, factor: scale.factor,
            label: "\(name) \(text) \(alert.rule)", isFiring: alert.isFiring, isRequired: isRequired)
    }

    /// Adds a limit with its clear level. A zone is a band with a line at each end.
    mutating func add(
        _ limit: LimitValue, clear: LimitValue?, _ kind: LimitLine.Kind, factor: Double = 1, label: String,
        isFiring: Bool = false, isRequired: Bool = false
    ) {
        let values = limit.prices.map { $0.approximate * factor }
        let clears = clear?.prices.map { $0.approximate * factor } ?? []
        for (index, value) in values.enumerated() {
            // The band in the middle has the label.
            var line = LimitLine(
                kind, at: value, label: values.count > 1 ? "" : label,
                clear: clears.indices.contains(index) ? clears[index] : nil)
            line.isFiring = isFiring
            line.isRequired = isRequired
            // Several rules may have the same limit.
            if !limits.contains(line) { limits.append(line) }
        }
        if values.count > 1 { bands.append(ChartBand(low: values[0], high: values[1], label: label)) }
    }
}

extension ControlInterface.Bound {
    var lineKind: LimitLine.Kind {
        switch self {
        case .max, .rise: .upper
        case .min, .fall: .lower
        default: .crossing
        }
    }

    /// In front of the limit: `max ₹75,00,000.00`.
    var chartName: String {
        switch self {
        case .crossUp: "cross up"
        case .crossDown: "cross down"
        default: rawValue
        }
    }
}
