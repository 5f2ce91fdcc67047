internal import Time

extension SVGDrawing {
    mutating func drawSeries(_ index: Int) {
        let series = chart.series[index]
        if case .candles(let length) = series.style { return drawCandles(series, length) }
        let runs = runs(series, index)
        if series.style == .area {
            let areas = runs.compactMap { run -> String? in
                guard let first = run.first, let last = run.last else { return nil }
                let bottom = coordinate(bottom)
                return path(run) + "L\(coordinate(last.x)) \(bottom)L\(coordinate(first.x)) \(bottom)Z"
            }
            writer.element("path", [("class", "fill"), ("d", areas.joined())])
        }
        let style = series.isThreshold ? "curve threshold" : "curve s\(index % 6)"
        let lines = runs.map(path).joined()
        guard !lines.isEmpty else { return }
        writer.element("path", [("class", style), ("d", lines)], title: series.name)
    }

    private typealias Point = (x: Double, y: Double)

    /// Returns the points of the curve, one list for each part without a gap. Each pixel column includes its lowest
    /// and highest values.
    private func runs(_ series: ChartSeries, _ index: Int) -> [[Point]] {
        let count = max(1, Int(right - left))
        var runs: [[Point]] = []
        for case let column? in plotColumns(series, in: chart.span, count: count) {
            let (start, end) = (x(column.begin), x(column.end))
            var values = [column.first, column.high, column.low, column.last]
            if column.low == column.high { values = [column.first] }
            let xs = values.count == 1 ? [start] : [start, (start + end) / 2, (start + end) / 2, end]
            var points = zip(xs, values).map { (x: $0, y: y($1, series: index)) }
            if !column.isJoined || runs.isEmpty { runs.append([]) }
            if series.style == .step, let last = runs[runs.count - 1].last { points.insert((start, last.y), at: 0) }
            runs[runs.count - 1] += points
        }
        return runs
    }

    /// Returns the path of a run. A single point becomes a short line, so that it is visible.
    private func path(_ run: [Point]) -> String {
        guard let first = run.first else { return "" }
        let start = "M\(coordinate(first.x)) \(coordinate(first.y))"
        guard run.count > 1 else { return start + "h0.1" }
        return start + run.dropFirst().map { "L\(coordinate($0.x)) \(coordinate($0.y))" }.joined()
    }

    /// Draws candles: rises hollow, falls filled.
    private mutating func drawCandles(_ series: ChartSeries, _ length: Milliseconds) {
        let span = chart.span.lowerBound.milliseconds...chart.span.upperBound.milliseconds
        let slot =
            (right - left) * Double(length.count)
            / Double(chart.span.upperBound.milliseconds - chart.span.lowerBound.milliseconds)
        let width = max(1, slot * 0.7)
        for bar in series.bars where span.contains(bar.time) && bar.isFinite {
            let middle = min(right, x(bar.time) + slot / 2)
            let isRise = bar.close >= bar.open
            let style = isRise ? "rise" : "fall"
            let (upper, lower) = (y(max(bar.open, bar.close)), y(min(bar.open, bar.close)))
            writer.line((middle, y(bar.high)), (middle, y(bar.low)), style: style)
            let begin = max(left, middle - width / 2)
            writer.rectangle(
                x: begin, y: upper, width: min(right, middle + width / 2) - begin, height: max(0.5, lower - upper),
                style: style, title: chart.clock.text(bar.time))
        }
    }

    mutating func drawMarkers() {
        let groups = MarkerGroup.all(chart.visibleMarkers, reach: (9, 9)) { (x($0.time.milliseconds), y($0.value)) }
        for group in groups {
            let (marker, x, y) = (group.marker, group.x, group.y)
            if marker.kind == .notice {
                let corners = [(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)]
                let points = corners.map { "\(coordinate($0.0)),\(coordinate($0.1))" }.joined(separator: " ")
                writer.element("polygon", [("class", "notice"), ("points", points)], title: group.text)
            } else {
                let style = marker.kind == .fired ? "fired" : "resolved"
                writer.element(
                    "circle", [("class", style), ("cx", coordinate(x)), ("cy", coordinate(y)), ("r", "4.5")],
                    title: group.text)
            }
        }
    }
}
