internal import Time

extension CellDrawing {
    /// Draws candles at a resolution of half a row. Rises are thin and falls are wide, so that they differ even
    /// without colours.
    mutating func drawCandles(_ series: ChartSeries, _ length: Milliseconds) {
        for (column, candle) in candles(series, length) {
            let isRise = candle.close >= candle.open
            let ink = isRise ? Ink.up : .down
            let wick = half(candle.high)...max(half(candle.high), half(candle.low))
            let top = half(max(candle.open, candle.close))
            let body = top...max(top, half(min(candle.open, candle.close)))
            for line in rows {
                let upper = (line - rows.lowerBound) * 2
                let parts = [upper, upper + 1].map { body.contains($0) ? 2 : wick.contains($0) ? 1 : 0 }
                guard let character = character(parts[0], parts[1], isRise) else { continue }
                grid[line, column] = Cell(character, ink)
            }
        }
    }

    /// Returns the candles and their grid columns. Candles in the same column are merged.
    private func candles(_ series: ChartSeries, _ length: Milliseconds) -> [(column: Int, candle: ChartBar)] {
        var found: [(column: Int, candle: ChartBar)] = []
        let half = length.count / 2
        let span = chart.span.lowerBound.milliseconds...chart.span.upperBound.milliseconds
        for bar in series.bars where span.contains(bar.time) && bar.isFinite {
            let column = column(bar.time.clamped + half)
            guard let last = found.last, last.column == column else {
                found.append((column, bar))
                continue
            }
            found[found.count - 1].candle.high = max(last.candle.high, bar.high)
            found[found.count - 1].candle.low = min(last.candle.low, bar.low)
            found[found.count - 1].candle.close = bar.close
        }
        return found
    }

    /// Returns the position of a value in half rows from the top.
    private func half(_ value: Double) -> Int {
        let count = rows.count * 2
        return min(count - 1, max(0, Int((1 - plot.share(value)) * Double(count))))
    }

    /// Returns the character for the two halves of a cell, each of which is 0 for blank, 1 for a wick or 2 for a body.
    private func character(_ upper: Int, _ lower: Int, _ isRise: Bool) -> Character? {
        guard upper + lower > 0 else { return nil }
        guard symbols.hasUnicode else { return max(upper, lower) < 2 ? "|" : isRise ? "o" : "#" }
        if !isRise, max(upper, lower) == 2 { return upper == lower ? "█" : upper == 2 ? "▀" : "▄" }
        return [[" ", "╷", "╻"], ["╵", "│", "╽"], ["╹", "╿", "┃"]][upper][lower]
    }
}
