internal import Charts
internal import Control
internal import Diagnostics
internal import Market

extension WatchScreen {
    private static let leastChartRows = 6

    mutating func drawDetail() {
        guard let symbol = state.selectedSymbol else {
            grid.put("The symbol is no longer listed.", row: 3, column: 2, .muted)
            return
        }
        drawRanges(symbol)
        let alerts = state.selectedAlerts
        let events = state.data.events.filter { $0.symbol == symbol.symbol }
        // Two rows are above the chart, and two below the events.
        let free = height - 4 - Self.leastChartRows
        let alertRows = min(alerts.count, max(2, (height - 14) / 4), free)
        let eventRows = min(
            events.prefix(20).map(rowCount).reduce(0, +), max(2, (height - 14) / 5), free - alertRows)
        let chartRows = height - 4 - alertRows - eventRows
        if let chart = chart {
            let part = chart.cells(width: width, height: chartRows, symbols: symbols)
            grid.place(part, row: 2, column: 0)
        } else {
            grid.put("reading prices", row: 2 + chartRows / 2, column: width / 2 - 7, .muted)
        }
        let first = max(0, min(state.alertIndex - alertRows + 1, alerts.count - alertRows))
        for index in 0..<alertRows {
            drawAlert(alerts[first + index], isChosen: first + index == state.alertIndex, row: 2 + chartRows + index)
        }
        let top = 2 + chartRows + alertRows
        drawEvents(events, rows: top..<(top + eventRows))
        drawMove()
    }

    private mutating func drawRanges(_ symbol: SymbolStatus) {
        var place = 0
        for (index, range) in WatchState.ranges.enumerated() {
            let isChosen = index == state.rangeIndex
            place = grid.put(
                " \(range.name) ", row: 1, column: place, isChosen ? .strong : .muted, isReversed: isChosen)
        }
        let name = symbol.base.flatMap(state.data.names).map { "\($0)  " } ?? ""
        let (bid, ask) = (
            state.data.display.text(symbol.bid, in: symbol.quote) ?? "-",
            state.data.display.text(symbol.ask, in: symbol.quote) ?? "-"
        )
        let text = "\(name)bid \(bid)  ask \(ask)"
        let start = width - columnWidth(of: text)
        if start > place + 1 { grid.put(text, row: 1, column: start, .muted) }
    }

    private mutating func drawAlert(_ alert: AlertStatus, isChosen: Bool, row: Int) {
        var place = grid.put(isChosen ? (hasUnicode ? "▸ " : "> ") : "  ", row: row, column: 0, .strong)
        let stateText = alert.isFiring ? (hasUnicode ? "● " : "* ") + "FIRING" : alert.state.rawValue
        place = grid.put(stateText, row: row, column: place, alert.isFiring ? .alarm : .text)
        let limit = state.data.display.text(alert.limit, in: alert.currency) ?? "-"
        let way = distanceText(alert).map { $0 + " " } ?? ""
        let notes = [
            alert.acknowledgedBy.map { "acknowledged by \($0)" }, alert.silence.map { "silenced by \($0)" },
            alert.disarmed ? "disarmed" : nil, alert.override.map { "set by \($0.by)" },
        ].compactMap(\.self)
        let rest = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        let text = "\(way)\(alert.bound.text) \(limit)  \(alert.rule)\(rest)"
        let start = max(place + 1, 12)
        grid.put(
            fitted(text, to: width - start, hasUnicode: hasUnicode), row: row, column: start,
            isChosen ? .strong : .text)
    }

    /// The chart with the limit that is being moved; nil until it is loaded.
    private var chart: Chart? {
        guard var chart = state.data.chart else { return nil }
        guard let moved = state.moved, let factor = chart.factor(of: moved.alert, state.data.display) else {
            return chart
        }
        var line = LimitLine(
            moved.alert.bound == .max ? .upper : .lower, at: moved.value.approximate * factor,
            label: "new \(moved.alert.bound.rawValue) "
                + (state.data.display.text("\(moved.value)", in: moved.alert.currency) ?? ""))
        line.isRequired = true
        line.isFiring = true
        chart.limits.removeAll { $0.value == moved.original.approximate * factor }
        chart.limits.append(line)
        return chart
    }

    /// Describes the moved limit in the line above the keys: its distance from the price, and how often the alert
    /// would have fired.
    private mutating func drawMove() {
        guard let moved = state.moved else { return }
        let factor = state.data.chart?.factor(of: moved.alert, state.data.display)
        let price = moved.alert.price.flatMap { try? Price($0) }
        let change = price.flatMap { moved.value.percentChange(from: $0) }
        let distance = change.map { "\($0)% from the price" } ?? ""
        let bars = state.data.chart?.series.first?.bars ?? []
        let count = moved.firings(bars, factor: factor ?? 1)
        let outcome =
            count == 0
            ? "would never have fired" : "would have fired \(count == 1 ? "once" : "\(count) times")"
        let text =
            "\(moved.alert.bound.rawValue) " + state.data.display.fullText("\(moved.value)", in: moved.alert.currency)
            + ", \(distance), \(outcome) in \(state.range.name)"
        let row = height - 2
        for column in 0..<width { grid[row, column] = .blank }
        grid.put(fitted(text, to: width, hasUnicode: hasUnicode), row: row, column: 0, .alarm)
    }
}
