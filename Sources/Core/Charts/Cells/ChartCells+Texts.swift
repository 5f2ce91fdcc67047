internal import Diagnostics
internal import Market
internal import Time

extension CellDrawing {
    /// Draws the heading. For one series, it is the title, the last value, its change, the time range and, if there
    /// is room, the lowest and highest values. For several series, it is their names and changes, and the time range.
    mutating func drawHeading() {
        let ranges = plot.shownSeries
        var place = ranges.count > 1 ? -3 : grid.put(chart.title, row: 0, column: 0, .strong)
        if ranges.count == 1, let range = ranges.first?.1 {
            place = grid.put(unitText(range.last), row: 0, column: place + 2, .strong)
            place = putChange(range, place + 2)
            place = grid.put(chart.rangeText, row: 0, column: place + 2, .muted)
            putExtremes(range, after: place)
            return
        }
        if ranges.count < 2 { place = grid.put(chart.rangeText, row: 0, column: place + 2, .muted) }
        for (index, (series, range)) in ranges.enumerated() {
            guard let range else { continue }
            place = grid.put(symbols.hasUnicode ? "━━" : "--", row: 0, column: place + 3, .series(index))
            place = grid.put(series.name, row: 0, column: place + 1)
            place = putChange(range, place + 1)
        }
        if ranges.count > 1 { grid.put(chart.rangeText, row: 0, column: place + 3, .muted) }
    }

    private mutating func putChange(_ range: ValueRange, _ place: Int) -> Int {
        guard range.first > 0 else { return place }
        let percent = (range.last / range.first - 1) * 100
        let sign = percent > 0 ? (symbols.hasUnicode ? "▲ " : "") : percent < 0 && symbols.hasUnicode ? "▼ " : ""
        return grid.put(sign + percentText(percent), row: 0, column: place, percent < 0 ? .down : .up)
    }

    private mutating func putExtremes(_ range: ValueRange, after place: Int) {
        let text = "low \(unitText(range.low))  high \(unitText(range.high))"
        let start = grid.width - columnWidth(of: text)
        guard start >= place + 3 else { return }
        grid.put(text, row: 0, column: start, .muted)
    }

    private func unitText(_ value: Double) -> String { chart.unit.text(value, hasUnicode: symbols.hasUnicode) }

    /// Draws the labels of limits and bands at their lines, and the labels of hidden limits at the edges.
    mutating func drawLabels() {
        var taken: [Int: [Range<Int>]] = [:]
        for (isAbove, line) in [(true, rows.lowerBound), (false, rows.upperBound - 1)] {
            let hidden = plot.hiddenLabels(isAbove: isAbove)
            guard !hidden.isEmpty else { continue }
            let arrow = symbols.hasUnicode ? (isAbove ? "↑ " : "↓ ") : isAbove ? "^ " : "v "
            let text = arrow + hidden.map(\.text).joined(separator: symbols.hasUnicode ? " · " : ", ")
            putLabel(text, line, hidden.contains(where: \.isFiring) ? .alarm : .limit, &taken)
        }
        let lines = plot.limits.filter { !$0.label.isEmpty }.map { line in
            (label: Plot.Label(text: line.label, isFiring: line.isFiring), value: plot.shown(line.value, series: 0))
        }
        for (label, value) in lines + plot.bandLabels.map({ (label: $0.label, value: $0.middle) }) {
            let mark = label.isFiring ? (symbols.hasUnicode ? "● " : "* ") : ""
            putLabel(mark + label.text, row(value), label.isFiring ? .alarm : .limit, &taken)
        }
        for (series, range) in zip(chart.series, plot.ranges) where series.isThreshold {
            guard let range, plot.scale.contains(plot.shown(range.last, series: 0)) else { continue }
            putLabel(series.name, row(plot.shown(range.last, series: 0)), .limit, &taken)
        }
    }

    /// Draws a label where it covers the fewest cells of the curve and no other label, or nowhere if there is no room.
    private mutating func putLabel(_ text: String, _ line: Int, _ ink: Ink, _ taken: inout [Int: [Range<Int>]]) {
        let label = " \(fitted(text, to: columns.count - 4, hasUnicode: symbols.hasUnicode)) "
        let width = columnWidth(of: label)
        let last = columns.upperBound - width - 1
        let places = [1, last, last / 2, last / 4, last * 3 / 4].filter { $0 >= 0 }
        let free = places.filter { place in
            !(taken[line] ?? []).contains { $0.overlaps(place - 1..<place + width + 1) }
        }
        guard let place = free.min(by: { covered(line, $0, width) < covered(line, $1, width) }) else { return }
        grid.put(label, row: line, column: place, ink)
        taken[line, default: []].append(place..<place + width)
    }

    /// Returns the number of curve cells that a label at this place would cover.
    private func covered(_ line: Int, _ place: Int, _ width: Int) -> Int {
        (place..<place + width).count { isCurve(grid[line, $0].ink) }
    }

    private func isCurve(_ ink: Ink) -> Bool {
        switch ink {
        case .series, .up, .down, .fired, .resolved: true
        default: false
        }
    }
}
