internal import Diagnostics
internal import Market
internal import Time

/// A badge on the value axis with the last value of a series.
struct CellBadge: Equatable {
    var text: String
    var ink: Ink
    /// The value as shown: unchanged, or in percent.
    var value: Double
    var width: Int { columnWidth(of: text) }

    static func all(_ plot: Plot, _ ticks: ValueTicks, hasUnicode: Bool) -> [CellBadge] {
        let chart = plot.chart
        let isComparison = plot.shownSeries.count > 1
        return chart.series.enumerated().compactMap { index, series in
            guard !series.isThreshold, let range = plot.ranges[index] else { return nil }
            let value = plot.shown(range.last, series: index)
            let isUp = range.last >= range.first
            let sign = range.last == range.first ? " " : isUp ? (hasUnicode ? "▲" : "^") : hasUnicode ? "▼" : "v"
            let ink = isComparison ? Ink.series(index) : isUp ? .up : .down
            let name = isComparison ? "\(series.name) " : ""
            let number = chart.isRelative ? percentText(value) : valueText(range.last, ticks, chart.unit, hasUnicode)
            return CellBadge(text: sign + name + number, ink: ink, value: value)
        }
    }

    /// Formats a value with at least six significant digits and at least the decimals of the axis.
    static func valueText(_ value: Double, _ ticks: ValueTicks, _ unit: ChartUnit, _ hasUnicode: Bool) -> String {
        guard let price = Price(approximating: value) else { return "-" }
        let shown = price.roundedForReading(digits: 6, decimals: ticks.decimals)
        return unit.tickText(shown, decimals: ticks.decimals, hasUnicode: hasUnicode)
    }
}

extension CellDrawing {
    mutating func drawValueAxis() {
        let axis = columns.upperBound
        for line in rows { grid[line, axis] = Cell(symbols.hasUnicode ? "│" : "|", .muted) }
        for tick in ticks.ticks where plot.scale.contains(tick.approximate) {
            let line = row(tick.approximate)
            grid[line, axis] = Cell(symbols.hasUnicode ? "┤" : "+", .muted)
            grid.put(
                tickText(tick), row: line, column: axis + 2, .muted)
        }
        drawBadges(axis)
    }

    private func tickText(_ tick: Price) -> String {
        let unit = Self.unit(of: chart)
        let text = unit.tickText(tick, decimals: ticks.decimals, hasUnicode: symbols.hasUnicode)
        return chart.isRelative ? text + "%" : text
    }

    /// Draws the badges. Badges that would overlap move down; those that would then leave the plot move up again.
    private mutating func drawBadges(_ axis: Int) {
        let sorted = badges.sorted { $0.value > $1.value }
        var lines: [Int] = []
        for badge in sorted { lines.append(max(row(badge.value), (lines.last ?? rows.lowerBound - 1) + 1)) }
        for place in lines.indices.reversed() {
            let limit = place + 1 < lines.count ? lines[place + 1] - 1 : rows.upperBound - 1
            lines[place] = min(lines[place], limit)
        }
        for (badge, line) in zip(sorted, lines) where rows.contains(line) {
            for place in axis + 1..<max(axis + 1, grid.width) { grid[line, place] = .blank }
            grid.put(badge.text, row: line, column: axis + 1, badge.ink, isReversed: true)
        }
    }

    mutating func drawTimeAxis() {
        let ticks = timeTicks(chart.span, chart.clock, count: max(2, columns.count / 12))
        let bottom = grid.height - 1
        if hasTimeLine {
            for place in columns { grid[bottom - 1, place] = Cell(symbols.hasUnicode ? "─" : "-", .muted) }
            grid[bottom - 1, columns.upperBound] = Cell(symbols.hasUnicode ? "┘" : "+", .muted)
        }
        var free = 0
        for tick in ticks {
            let place = column(tick.time)
            if hasTimeLine { grid[bottom - 1, place] = Cell(symbols.hasUnicode ? "┬" : "+", .muted) }
            let width = columnWidth(of: tick.label)
            let start = max(0, min(place - width / 2, grid.width - width))
            guard start >= free else { continue }
            grid.put(tick.label, row: bottom, column: start, tick.isMajor ? .text : .muted)
            free = start + width + 2
        }
    }
}
