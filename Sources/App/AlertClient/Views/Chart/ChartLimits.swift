internal import Charts
internal import Control
internal import Events
internal import Market

extension Chart {
    /// Adds the limit of an alert as a line. All charts use this function, so that their limits look the same.
    ///
    /// - Parameters:
    ///   - alert: An alert on the symbol of the chart.
    ///   - display: The formatter of prices.
    ///   - isRequired: True if the price axis must include the limit.
    mutating func add(_ alert: AlertStatus, _ display: PriceDisplay, isRequired: Bool = false) {
        guard let limit = alert.limit.flatMap({ LimitValue($0) }), let factor = factor(of: alert, display),
            alert.state != .expired
        else { return }
        let text = display.text(alert.limit, in: alert.currency) ?? ""
        let name = alert.bound == .rise || alert.bound == .fall ? "\(alert.bound.rawValue) to" : alert.bound.text
        add(
            limit, clear: alert.clear.flatMap { LimitValue($0) }, alert.bound.lineKind, factor: factor,
            label: "\(name) \(text) \(alert.rule)", isFiring: alert.isFiring, isRequired: isRequired)
    }

    /// Returns the factor from amounts in the rule's currency to values in this chart; nil if unknown.
    ///
    /// If the chart is in the market's currency and the rule has another currency, the factor follows from the price
    /// that the daemon has converted for the rule.
    func factor(of alert: AlertStatus, _ display: PriceDisplay) -> Double? {
        guard let currency = unit.currency else { return nil }
        if let scale = display.scale(of: alert.currency), scale.currency == currency { return scale.factor }
        guard let price = alert.price.flatMap({ try? Price($0) }), price.isPositive,
            let last = series.first?.bars.last?.close
        else { return nil }
        return last / price.approximate
    }

    /// Adds a limit and the level where its alert resolves. A zone becomes a band with a line at each end.
    mutating func add(
        _ limit: LimitValue, clear: LimitValue?, _ kind: LimitLine.Kind, factor: Double = 1, label: String,
        isFiring: Bool = false, isRequired: Bool = false
    ) {
        let values = limit.prices.map { $0.approximate * factor }
        let clears = clear?.prices.map { $0.approximate * factor } ?? []
        for (index, value) in values.enumerated() {
            // The label of a zone is on its band.
            var line = LimitLine(
                kind, at: value, label: values.count > 1 ? "" : label,
                clear: clears.indices.contains(index) ? clears[index] : nil)
            line.isFiring = isFiring
            line.isRequired = isRequired
            // Several rules may have the same limit; draw it once.
            if !limits.contains(line) { limits.append(line) }
        }
        guard values.count > 1 else { return }
        var band = ChartBand(low: values[0], high: values[1], label: label)
        band.isFiring = isFiring
        if !bands.contains(band) { bands.append(band) }
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
}
