internal import Diagnostics
internal import Market
internal import Time

extension Chart {
    /// Draws the chart as cells of a terminal: a heading, the plot, the value axis on the right and the time axis at
    /// the bottom. Below 24 × 6 cells, only the heading is drawn.
    package func cells(width: Int, height: Int, symbols: SymbolSet) -> CellGrid {
        var drawing = CellDrawing(self, width: width, height: height, symbols)
        drawing.draw()
        return drawing.grid
    }
}

/// The state of drawing a chart as cells.
struct CellDrawing {
    static let leastWidth = 24
    static let leastHeight = 6

    let chart: Chart
    let plot: Plot
    let symbols: SymbolSet
    let ticks: ValueTicks
    let badges: [CellBadge]
    /// The rows of the plot in the grid.
    let rows: Range<Int>
    /// The columns of the plot in the grid; the value axis is in the column after them.
    let columns: Range<Int>
    /// True if the time axis has a line.
    let hasTimeLine: Bool
    var grid: CellGrid

    init(_ chart: Chart, width: Int, height: Int, _ symbols: SymbolSet) {
        self.chart = chart
        self.symbols = symbols
        grid = CellGrid(width: width, height: height)
        let plot = Plot(chart)
        self.plot = plot
        hasTimeLine = grid.height >= 9
        let bottom = grid.height - (hasTimeLine ? 2 : 1)
        rows = 1..<max(2, bottom)
        ticks = plot.ticks(count: max(2, (rows.count + 1) / 3))
        badges = CellBadge.all(plot, ticks, hasUnicode: symbols.hasUnicode)
        let unit = Self.unit(of: chart)
        let decimals = ticks.decimals
        let labels = ticks.ticks.map {
            columnWidth(of: unit.tickText($0, decimals: decimals, hasUnicode: symbols.hasUnicode))
        }
        let room = min(grid.width / 3, max(labels.max() ?? 0, badges.map(\.width).max() ?? 0) + 1)
        columns = 0..<max(1, grid.width - room - 1)
    }

    mutating func draw() {
        drawHeading()
        guard grid.width >= Self.leastWidth, grid.height >= Self.leastHeight else { return }
        guard !plot.isEmpty else {
            let text = "no prices in this range"
            grid.put(text, row: grid.height / 2, column: max(0, (grid.width - text.count) / 2), .muted)
            return
        }
        drawBands()
        drawSeries()
        drawMarkers()
        drawLabels()
        drawValueAxis()
        drawTimeAxis()
    }

    /// Returns the unit of the values as shown, which has no currency if they are percentages.
    static func unit(of chart: Chart) -> ChartUnit { chart.isRelative ? .plain : chart.unit }

    /// Returns the grid row of a value as shown.
    func row(_ value: Double) -> Int {
        let dots = DotCanvas.y(plot.scale.share(value), rows.count * symbols.dotsDown)
        return rows.lowerBound + dots / symbols.dotsDown
    }

    /// Returns the grid column of a time.
    func column(_ time: Int64) -> Int {
        let start = chart.span.lowerBound.milliseconds
        let share = Double(time - start) / Double(chart.span.upperBound.milliseconds - start)
        return columns.lowerBound + min(columns.count - 1, Int(min(1, max(0, share)) * Double(columns.count)))
    }
}

// MARK: Bands, lines and markers

extension CellDrawing {
    private mutating func drawBands() {
        for band in plot.bands {
            let (high, low) = (plot.shown(band.high, series: 0), plot.shown(band.low, series: 0))
            guard high >= plot.scale.low, low <= plot.scale.high else { continue }
            for line in row(high)...row(low) {
                for place in columns { grid[line, place] = Cell(symbols.hasUnicode ? "░" : ":", .band) }
            }
        }
    }

    private mutating func drawSeries() {
        var canvas = DotCanvas(columns: columns.count, rows: rows.count, symbols)
        for line in plot.limits { drawLimit(line, on: &canvas) }
        for (index, series) in chart.series.enumerated().reversed() {
            if case .candles(let length) = series.style {
                drawCandles(series, length)
            } else {
                canvas.draw(series, index, of: plot)
            }
        }
        canvas.draw(on: &grid, row: rows.lowerBound, column: columns.lowerBound)
    }

    private mutating func drawLimit(_ line: LimitLine, on canvas: inout DotCanvas) {
        drawLevel(line.value, line.isFiring ? .alarm : .limit, isDashed: false, on: &canvas)
        guard let clear = line.clear, plot.scale.contains(plot.shown(clear, series: 0)) else { return }
        drawLevel(clear, .clear, isDashed: true, on: &canvas)
    }

    /// Draws a horizontal line. Braille dots are exact to a quarter of a row. Blocks would look too heavy for a line,
    /// so all other symbol sets use a line character per cell.
    private mutating func drawLevel(_ value: Double, _ ink: Ink, isDashed: Bool, on canvas: inout DotCanvas) {
        guard symbols == .braille else {
            let line = row(plot.shown(value, series: 0))
            for place in columns where !isDashed || place % 3 == 0 {
                grid[line, place] = Cell(symbols.hasUnicode ? "─" : "-", ink)
            }
            return
        }
        let y = canvas.y(plot.share(value))
        for x in 0..<canvas.width where !isDashed || x / 2 % 3 == 0 { canvas.set(x, y, ink, rank: isDashed ? 0 : 1) }
    }

    private mutating func drawMarkers() {
        let groups = MarkerGroup.all(chart.visibleMarkers, reach: (2, 2)) { marker in
            (Double(column(marker.time.milliseconds)), Double(row(plot.shown(marker.value, series: 0))))
        }
        for group in groups { grid[Int(group.y), Int(group.x)] = group.marker.kind.cell(symbols) }
    }
}

extension ChartMarker.Kind {
    package func cell(_ symbols: SymbolSet) -> Cell {
        switch self {
        case .fired: Cell(symbols.hasUnicode ? "●" : "*", .fired)
        case .resolved: Cell(symbols.hasUnicode ? "○" : "o", .resolved)
        case .notice: Cell(symbols.hasUnicode ? "◆" : "+", .fired)
        }
    }
}

extension DotCanvas {
    /// Returns the dot row, from the top, for a share of the height.
    func y(_ share: Double) -> Int { Self.y(share, height) }

    static func y(_ share: Double, _ height: Int) -> Int {
        min(height - 1, max(0, Int(((1 - share) * Double(height - 1)).rounded())))
    }

    /// Draws a series as a line, as steps or as an area.
    mutating func draw(_ series: ChartSeries, _ index: Int, of plot: Plot) {
        let columns = plotColumns(series, in: plot.chart.span, count: width)
        let ink = series.isThreshold ? Ink.limit : .series(index)
        let rank = series.isThreshold ? 2 : 100 - index
        let height = height
        let y = { (value: Double) in Self.y(plot.share(value, series: index), height) }
        var previous: (x: Int, y: Int)?
        for (x, column) in columns.enumerated() {
            guard let column, !series.isThreshold || x / symbols.dotsAcross % 2 == 0 else { continue }
            line(from: (x, y(column.high)), to: (x, y(column.low)), ink, rank: rank)
            if let previous, column.isJoined, !series.isThreshold {
                let corner = (x, series.style == .step ? previous.y : y(column.first))
                line(from: previous, to: corner, ink, rank: rank)
                if series.style == .step { line(from: corner, to: (x, y(column.first)), ink, rank: rank) }
                if series.style == .area { fill(from: previous, to: corner, ink) }
            }
            if series.style == .area { fill(from: (x, y(column.low)), to: (x, y(column.low)), ink) }
            previous = (x, y(column.last))
        }
    }

    /// Fills the area below a line, setting every other dot.
    private mutating func fill(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ ink: Ink) {
        for x in start.x...max(start.x, end.x) {
            let share = end.x > start.x ? Double(x - start.x) / Double(end.x - start.x) : 0
            let top = start.y + Int(Double(end.y - start.y) * share)
            for y in stride(from: top + 1, to: height, by: 1) where (x + y) % 2 == 0 { set(x, y, ink, rank: -1) }
        }
    }
}
