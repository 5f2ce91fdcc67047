internal import Charts
internal import Control
internal import Diagnostics
internal import Market

/// Returns the distance from the price to the limit in percent: `0.62% to`, or `0.17% beyond`; nil inside a zone, or
/// if the distance is unknown.
func distanceText(_ alert: AlertStatus) -> String? {
    guard let percent = alert.distancePercent, !alert.isInsideZone else { return nil }
    return percent.hasPrefix("-") ? "\(percent.dropFirst())% beyond" : "\(percent)% to"
}

/// A column of the list.
private struct WatchColumn {
    var title: String
    var width: Int
    var isNumeric: Bool
    var cell: (SymbolStatus) -> (text: String, ink: Ink)
    /// Shorter texts for a narrow column, the best first. They are for columns whose texts must not be truncated
    /// within a number.
    var shorter: (SymbolStatus) -> [String] = { _ in [] }

    /// Returns the longest text that fits.
    func text(of symbol: SymbolStatus, hasUnicode: Bool) -> (text: String, ink: Ink) {
        let (whole, ink) = cell(symbol)
        guard columnWidth(of: whole) > width else { return (whole, ink) }
        let short = shorter(symbol)
        if let fitting = short.first(where: { columnWidth(of: $0) <= width }) { return (fitting, ink) }
        return (short.isEmpty ? fitted(whole, to: width, hasUnicode: hasUnicode) : "", ink)
    }
}

extension WatchScreen {
    mutating func drawList() {
        let rows = state.rows
        let columns = columns(rows)
        drawTitles(columns, count: rows.count)
        guard !rows.isEmpty else {
            let text = state.data.symbols.isEmpty ? "No prices yet." : "No symbols match; Escape shows all."
            grid.put(text, row: 3, column: 2, .muted)
            return
        }
        let shown = rows.dropFirst(state.firstRow).prefix(Self.listHeight(height))
        for (index, symbol) in shown.enumerated() { drawRow(symbol, columns, row: index + 2) }
        let rest = rows.count - state.firstRow - shown.count
        let count = "\(rows.count) symbol\(rows.count == 1 ? "" : "s")"
        let text = count + (rest > 0 ? ", \(rest) more below" : "") + filterText
        grid.put(fitted(text, to: width, hasUnicode: hasUnicode), row: height - 2, column: 0, .muted)
    }

    private var filterText: String {
        var parts: [String] = []
        if !state.search.isEmpty { parts.append("search '\(state.search)'") }
        if let quote = state.quote { parts.append("quote \(quote)") }
        if state.onlyFavourites { parts.append("favourites") }
        if state.sort != .exchange { parts.append("by \(state.sort.rawValue)\(state.isReversed ? ", reversed" : "")") }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }

    private mutating func drawTitles(_ columns: [WatchColumn], count: Int) {
        var place = 2
        for column in columns {
            let start = column.isNumeric ? place + column.width - columnWidth(of: column.title) : place
            grid.put(column.title, row: 1, column: max(place, start), .strong, before: place + column.width)
            place += column.width + 2
        }
    }

    private mutating func drawRow(_ symbol: SymbolStatus, _ columns: [WatchColumn], row: Int) {
        let isSelected = symbol.symbol == state.selected
        if isSelected {
            for column in 0..<width { grid[row, column] = Charts.Cell(" ", .text, isReversed: true) }
            grid.put(hasUnicode ? "▸" : ">", row: row, column: 0, .text, isReversed: true)
        }
        if state.isFavourite(symbol) {
            grid.put(hasUnicode ? "★" : "*", row: row, column: 1, .limit, isReversed: isSelected)
        }
        var place = 2
        for column in columns {
            let (text, ink) = column.text(of: symbol, hasUnicode: hasUnicode)
            let start = column.isNumeric ? place + column.width - columnWidth(of: text) : place
            grid.put(text, row: row, column: start, isSelected ? .text : ink, isReversed: isSelected)
            place += column.width + 2
        }
    }

    /// The minimum width of a screen with a column for names.
    private static let nameWidth = 76

    /// Returns the columns that fit, from left to right. A column is dropped if the remaining width is too small for
    /// it.
    private func columns(_ rows: [SymbolStatus]) -> [WatchColumn] {
        let shown = Array(rows.dropFirst(state.firstRow).prefix(Self.listHeight(height)))
        var columns = [
            WatchColumn(title: "SYMBOL", width: 10, isNumeric: false) { ($0.symbol, .strong) },
            WatchColumn(title: "LAST", width: 8, isNumeric: true) { lastCell($0) },
            WatchColumn(title: "24H", width: 9, isNumeric: true) { changeCell($0) },
            WatchColumn(title: "STATE", width: 6, isNumeric: false) { stateCell($0) },
            WatchColumn(
                title: "NEAREST LIMIT", width: 13, isNumeric: false, cell: { limitCell($0) },
                shorter: { shorterLimits($0) }),
        ]
        if width >= 150 { columns += moreColumns }
        if width >= Self.nameWidth, rows.contains(where: { $0.base.flatMap(state.data.names) != nil }) {
            columns.insert(
                WatchColumn(title: "NAME", width: width >= 110 ? 18 : 12, isNumeric: false) { symbol in
                    (symbol.base.flatMap(state.data.names) ?? "", .muted)
                }, at: 1)
        }
        for index in columns.indices where columns[index].title != "NAME" {
            let widths = shown.map { columnWidth(of: columns[index].cell($0).text) }
            columns[index].width = max(columnWidth(of: columns[index].title), widths.max() ?? 0)
        }
        var used = 2
        return columns.compactMap { column in
            var column = column
            // A truncated number would be wrong, so its column must fit completely.
            guard width - used >= (column.isNumeric ? column.width : 4) else { return nil }
            column.width = min(column.width, width - used)
            used += column.width + 2
            return column
        }
    }

    /// Additional columns for a wide terminal.
    private var moreColumns: [WatchColumn] {
        let amount = { (title: String, value: @escaping (SymbolStatus) -> String?) in
            WatchColumn(title: title, width: 8, isNumeric: true) { symbol in
                (state.data.display.text(value(symbol), in: symbol.quote) ?? "-", .text)
            }
        }
        return [
            WatchColumn(title: "RULE", width: 4, isNumeric: false) { symbol in
                (state.data.nearest(symbol.symbol)?.alert.rule ?? "", .text)
            }, amount("BID", \.bid), amount("ASK", \.ask), amount("LOW 24H", \.low), amount("HIGH 24H", \.high),
        ]
    }

    /// Returns the last price, with an arrow if it has changed since the previous poll.
    private func lastCell(_ symbol: SymbolStatus) -> (text: String, ink: Ink) {
        let text = state.data.display.text(symbol.last, in: symbol.quote) ?? "-"
        guard let last = symbol.last.flatMap({ try? Price($0) }),
            let before = state.data.previous[symbol.symbol].flatMap({ try? Price($0) }), last != before
        else { return (text, .text) }
        let arrow = last > before ? (hasUnicode ? "▲" : "^") : hasUnicode ? "▼" : "v"
        return ("\(arrow) \(text)", last > before ? .up : .down)
    }

    private func changeCell(_ symbol: SymbolStatus) -> (text: String, ink: Ink) {
        guard let text = symbol.changePercent, let change = try? Price(text) else { return ("-", .muted) }
        if change.isZero { return ("\(text)%", .text) }
        return change.isPositive ? ("+\(text)%", .up) : ("\(text)%", .down)
    }

    private func stateCell(_ symbol: SymbolStatus) -> (text: String, ink: Ink) {
        let isStale = state.data.status?.sources.contains { $0.source == symbol.source && $0.stale } == true
        if symbol.firing > 0 { return ((hasUnicode ? "● " : "* ") + "FIRING", .alarm) }
        if symbol.state != .ok { return (symbol.state.rawValue, .muted) }
        return isStale ? ("stale", .alarm) : ("ok", .text)
    }

    /// Returns shorter texts for the nearest limit: first without the amount, then only the distance. Inside a zone,
    /// there is no distance.
    private func shorterLimits(_ symbol: SymbolStatus) -> [String] {
        guard let alert = state.data.nearest(symbol.symbol)?.alert else { return [] }
        let limit = state.data.display.text(alert.limit, in: alert.currency) ?? "-"
        guard let way = distanceText(alert) else { return ["\(alert.bound.text)", limit] }
        return ["\(way) \(alert.bound.text)", String(way.prefix { $0 != " " })]
    }

    /// Returns the nearest limit: `0.62% to max ₹75,00,000.00`.
    private func limitCell(_ symbol: SymbolStatus) -> (text: String, ink: Ink) {
        guard let alert = state.data.nearest(symbol.symbol)?.alert else { return ("", .muted) }
        let way = distanceText(alert).map { "\($0) " } ?? ""
        let limit = state.data.display.text(alert.limit, in: alert.currency) ?? "-"
        return ("\(way)\(alert.bound.text) \(limit)", alert.isFiring ? .alarm : .limit)
    }
}
