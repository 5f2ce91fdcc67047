internal import Diagnostics
internal import Market
internal import Time

extension Chart {
    /// The valid widths and heights of a drawing, in pixels.
    package static let svgSides = 160...4_000

    /// Draws the chart as SVG. The same chart always gives the same bytes.
    ///
    /// - Parameters:
    ///   - width: the width in pixels, clamped to ``svgSides``.
    ///   - height: the height in pixels, clamped to ``svgSides``.
    ///   - id: a prefix of letters and digits for the ids in the SVG, for a page with several charts.
    ///   - hasStyle: true to include the style sheet; otherwise the page must include ``SVGStyle/css``.
    /// - Returns: the text of the SVG.
    package func svg(width: Int, height: Int, id: String = "ac", hasStyle: Bool = true) -> String {
        var drawing = SVGDrawing(self, width: Self.side(width), height: Self.side(height), id: id)
        drawing.draw(hasStyle: hasStyle)
        return drawing.writer.text
    }

    static func side(_ length: Int) -> Int { min(svgSides.upperBound, max(svgSides.lowerBound, length)) }
}

/// A chart being drawn as SVG.
struct SVGDrawing {
    let chart: Chart
    let plot: Plot
    let ticks: ValueTicks
    let badges: [CellBadge]
    let size: (width: Double, height: Double)
    /// The edges of the plot within the drawing, in pixels.
    let left = 8.0
    let top = 40.0
    let right: Double
    let bottom: Double
    let id: String
    var writer = SVGWriter()

    init(_ chart: Chart, width: Int, height: Int, id: String) {
        self.chart = chart
        self.id = id
        plot = Plot(chart)
        size = (Double(width), Double(height))
        bottom = Double(height) - 26
        ticks = plot.ticks(count: max(2, height / 60))
        badges = CellBadge.all(plot, ticks, hasUnicode: true)
        let unit = CellDrawing.unit(of: chart)
        let decimals = ticks.decimals
        let labels = ticks.ticks.map { columnWidth(of: unit.tickText($0, decimals: decimals, hasUnicode: true)) + 1 }
        let characters = max(6, labels.max() ?? 0, badges.map(\.width).max() ?? 0)
        right = max(80, Double(width) - Double(characters) * 7.4 - 14)
    }

    mutating func draw(hasStyle: Bool) {
        let (width, height) = (Int(size.width), Int(size.height))
        writer.raw(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ac\" viewBox=\"0 0 \(width) \(height)\" "
                + "width=\"\(width)\" height=\"\(height)\" role=\"img\" aria-labelledby=\"\(id)-t \(id)-d\">")
        writer.raw("<title id=\"\(id)-t\">\(escapedForXML("\(chart.title), \(chart.rangeText)"))</title>")
        writer.raw("<desc id=\"\(id)-d\">\(escapedForXML(chart.caption()))</desc>")
        if hasStyle { writer.raw("<style>\n\(SVGStyle.css)</style>") }
        writer.raw(
            "<defs><pattern id=\"\(id)-gap\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
                + "patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"8\"/>"
                + "</pattern></defs>")
        writer.rectangle(x: 0, y: 0, width: size.width, height: size.height, style: "bg")
        drawHeading()
        if plot.isEmpty {
            writer.label(
                "no prices in this range", x: (left + right) / 2, y: (top + bottom) / 2, style: "dim",
                anchor: "middle")
        } else {
            drawContent()
        }
        writer.raw("</svg>")
    }

    private mutating func drawContent() {
        drawGrid()
        drawGaps()
        drawBands()
        drawLimits()
        for index in chart.series.indices.reversed() { drawSeries(index) }
        drawLabels()
        drawMarkers()
        drawBadges()
    }

    func x(_ time: Int64) -> Double {
        let start = chart.span.lowerBound.milliseconds
        let share = Double(time - start) / Double(chart.span.upperBound.milliseconds - start)
        return left + min(1, max(0, share)) * (right - left)
    }

    func y(_ value: Double, series: Int = 0) -> Double {
        bottom - plot.share(value, series: series) * (bottom - top)
    }
}

// MARK: Behind the curves

extension SVGDrawing {
    private mutating func drawGrid() {
        let unit = CellDrawing.unit(of: chart)
        let badges = badgePlaces.map(\.y)
        for tick in ticks.ticks where plot.scale.contains(tick.approximate) {
            let y = bottom - plot.scale.share(tick.approximate) * (bottom - top)
            writer.line((left, y), (right, y), style: "grid")
            guard !badges.contains(where: { abs($0 - y) < 14 }) else { continue }
            let text = unit.tickText(tick, decimals: ticks.decimals, hasUnicode: true)
            writer.label(text + (chart.isRelative ? "%" : ""), x: right + 8, y: y + 4, style: "dim")
        }
        writer.line((left, bottom), (right, bottom), style: "axis")
        for tick in timeTicks(chart.span, chart.clock, count: max(2, Int(right - left) / 75)) {
            let x = x(tick.time)
            writer.line((x, bottom), (x, bottom + 5), style: "axis")
            guard x > left + 14, x < right - 10 else { continue }
            writer.label(tick.label, x: x, y: bottom + 19, style: tick.isMajor ? "day" : "dim", anchor: "middle")
        }
    }

    /// Hatches times without prices of the main series.
    private mutating func drawGaps() {
        guard let series = chart.series.first else { return }
        let span = chart.span.lowerBound.milliseconds...chart.span.upperBound.milliseconds
        var previous: Int64?
        for (index, bar) in series.bars.enumerated() where span.contains(bar.time) && bar.isFinite {
            if let previous, x(bar.time) - x(previous) >= 1, series.hasGap(before: index) {
                let length = Milliseconds(bar.time - previous).approximate
                writer.element(
                    "rect",
                    [
                        ("fill", "url(#\(id)-gap)"), ("x", coordinate(x(previous))), ("y", coordinate(top)),
                        ("width", coordinate(x(bar.time) - x(previous))), ("height", coordinate(bottom - top)),
                    ], title: "No prices for \(length)")
            }
            previous = bar.time
        }
    }

    private mutating func drawBands() {
        for band in plot.bands {
            let (upper, lower) = (y(band.high), y(band.low))
            guard lower > upper else { continue }
            writer.rectangle(
                x: left, y: upper, width: right - left, height: lower - upper, style: "band", title: band.label)
        }
    }

    private mutating func drawLimits() {
        for line in plot.limits {
            let level = y(line.value)
            writer.line((left, level), (right, level), style: line.isFiring ? "limit firing" : "limit")
            guard let clear = line.clear, plot.scale.contains(plot.shown(clear, series: 0)) else { continue }
            writer.line((left, y(clear)), (right, y(clear)), style: "clear")
        }
    }
}
