internal import Arguments
internal import Charts
internal import Control
internal import Diagnostics
internal import Market
internal import Time

/// A frame of the live view, drawn from its state.
struct WatchScreen {
    static let leastWidth = 60
    static let leastHeight = 12

    let state: WatchState
    let formatter: HumanFormatter
    let symbols: SymbolSet
    let width: Int
    /// The height in rows. While the part above the converter is drawn, the rows of the converter are not included.
    private(set) var height: Int
    var grid: CellGrid

    init(_ state: WatchState, _ formatter: HumanFormatter, _ symbols: SymbolSet, width: Int, height: Int) {
        self.state = state
        self.formatter = formatter
        self.symbols = symbols
        grid = CellGrid(width: width, height: height)
        (self.width, self.height) = (grid.width, grid.height)
    }

    var hasUnicode: Bool { symbols.hasUnicode }

    /// Draws the whole screen.
    static func draw(
        _ state: WatchState, _ formatter: HumanFormatter, _ symbols: SymbolSet, width: Int, height: Int
    ) -> CellGrid {
        var screen = WatchScreen(state, formatter, symbols, width: width, height: height)
        guard width >= leastWidth, height >= leastHeight else {
            screen.grid.put("the terminal is smaller than \(leastWidth)x\(leastHeight)", row: 0, column: 0)
            return screen.grid
        }
        WatchHead(state.data, formatter, symbols).draw(on: &screen.grid)
        screen.drawMode()
        if let converter = state.converter {
            WatchConverterPanel(converter: converter, formatter: formatter, hasUnicode: screen.hasUnicode)
                .draw(on: &screen.grid)
        }
        screen.drawFoot()
        return screen.grid
    }

    private mutating func drawMode() {
        let whole = height
        if state.converter != nil {
            // The detail view needs its minimum height, so on a small screen the converter covers its last rows.
            height = max(state.mode == .detail ? Self.leastHeight : 0, height - WatchConverterPanel.height)
        }
        switch state.mode {
        case .list: drawList()
        case .detail: drawDetail()
        case .events: drawEvents()
        case .help: drawHelp()
        }
        height = whole
    }

    /// Returns the number of list rows on a screen of this height.
    static func listHeight(_ height: Int, hasConverter: Bool = false) -> Int {
        max(1, height - 4 - (hasConverter ? WatchConverterPanel.height : 0))
    }
}

// MARK: The last line

extension WatchScreen {
    private mutating func drawFoot() {
        let row = height - 1
        switch state.prompt {
        case .search:
            let place = grid.put("/\(state.search)", row: row, column: 0, .strong)
            grid.put(" ", row: row, column: place, .text, isReversed: true)
            grid.put("Enter keeps it, Escape clears it", row: row, column: place + 3, .muted)
        case .confirm(_, let question):
            let place = grid.put(question, row: row, column: 0, .alarm, before: width - 8)
            grid.put("y or n", row: row, column: place + 2, .strong)
        case .none:
            if let message = state.message {
                grid.put(
                    fitted(message.text, to: width, hasUnicode: hasUnicode), row: row, column: 0,
                    message.isFault ? .alarm : .strong)
            } else {
                drawKeys(row)
            }
        }
    }

    private mutating func drawKeys(_ row: Int) {
        var place = 0
        for (key, text) in keys {
            guard place + key.count + text.count + 3 < width else { return }
            place = grid.put(key, row: row, column: place, .strong)
            place = grid.put(text, row: row, column: place + 1, .muted) + 2
        }
    }

    private var keys: [(String, String)] {
        if state.converter != nil {
            return [("Tab", "next field"), ("Ctrl+U", "clear"), ("Enter", "keep"), ("Esc", "close")]
        }
        if state.moved != nil {
            return [("Up/Down", "move"), ("Shift", "faster"), ("Enter", "set"), ("Esc", "leave")]
        }
        switch state.mode {
        case .list:
            return [
                ("?", "help"), ("q", "quit"), ("Enter", "chart"), ("/", "search"), ("x", "convert"), ("s", "sort"),
                ("r", "reverse"), ("f", "favourite"), ("F", "only these"), ("u", "quote"), ("c", "currency"),
                ("e", "events"),
            ]
        case .detail:
            return [
                ("?", "help"), ("Esc", "list"), ("1-5", "range"), ("Tab", "alert"), ("l", "move limit"),
                ("x", "convert"), ("z", "silence"), ("a", "acknowledge"), ("A", "arm"), ("c", "currency"),
            ]
        case .events: return [("?", "help"), ("Esc", "list"), ("Up/Down", "scroll")]
        case .help: return [("any key", "back")]
        }
    }
}

// MARK: Events and help

extension WatchScreen {
    private mutating func drawEvents() {
        grid.put("Events, newest first", row: 1, column: 0, .strong)
        let events = state.data.events.dropFirst(state.firstEvent)
        if events.isEmpty { grid.put("No events.", row: 3, column: 0, .muted) }
        drawEvents(events, rows: 2..<(height - 1))
    }

    /// Draws events until the rows are full. A long text takes several rows and is truncated at the last one.
    mutating func drawEvents(_ events: some Sequence<EventRecord>, rows: Range<Int>) {
        var row = rows.lowerBound
        for event in events where row < rows.upperBound { row += drawEvent(event, rows: row..<rows.upperBound) }
    }

    /// The column of an event's kind.
    private static let kindColumn = 21

    /// Returns the column of an event's text: always the same, except after a long kind.
    private func textColumn(_ event: EventRecord) -> Int {
        max(Self.kindColumn + columnWidth(of: kindText(event).text) + 2, 32)
    }

    private func eventText(_ event: EventRecord) -> String {
        let text = event.notified ? event.text : "\(event.text) (not notified)"
        return hasUnicode ? text : asciiText(text)
    }

    /// Returns the number of rows that an event takes.
    func rowCount(_ event: EventRecord) -> Int {
        max(1, wrapped(eventText(event), width: width - textColumn(event)).count)
    }

    /// Draws an event.
    ///
    /// - Returns: the number of rows that it takes.
    private mutating func drawEvent(_ event: EventRecord, rows: Range<Int>) -> Int {
        let row = rows.lowerBound
        let ink: Ink = event.kind == .fired ? .fired : event.kind == .resolved ? .resolved : .text
        grid.put(formatter.time(event.time), row: row, column: 0, .muted)
        grid.put(kindText(event).text, row: row, column: Self.kindColumn, event.notified ? ink : .muted)
        let start = textColumn(event)
        var lines = wrapped(eventText(event), width: width - start)
        if lines.count > rows.count {
            let last = lines[(rows.count - 1)...].joined(separator: " ")
            lines = lines.prefix(rows.count - 1) + [last]
        }
        for (index, line) in lines.enumerated() {
            grid.put(fitted(line, to: width - start, hasUnicode: hasUnicode), row: row + index, column: start)
        }
        return max(1, lines.count)
    }

    private mutating func drawHelp() {
        let lines = [
            ("", "Everywhere"), ("q", "quit"), ("c", "prices in USD, SEK, or each market's own currency"),
            ("x", "convert an amount; Tab: field, Enter: keep, Esc: close"), ("e", "events"),
            ("m", "use the mouse; to select text, hold Shift"), ("", "List"),
            ("Up, Down, PgUp, PgDn", "choose a symbol"), ("Enter", "its chart, limits and alerts"),
            ("/", "search in symbols and names as you type"), ("s, r", "sort by another column; reverse"),
            ("u", "only one quote asset: the next one"), ("f, F", "favourite; only favourites"), ("", "Chart"),
            ("1 to 5, Left, Right", "the last 1h, 6h, 24h, 7d, 30d"), ("Up, Down", "the symbol before or after it"),
            ("Tab", "choose an alert"), ("l", "move its limit: Up, Down (Shift: faster), then Enter"),
            ("z, a, A", "silence the symbol for 1h, acknowledge, re-arm"),
        ]
        for (index, (key, text)) in lines.enumerated() where index + 1 < height - 1 {
            if key.isEmpty {
                grid.put(text, row: index + 1, column: 0, .strong)
            } else {
                grid.put(key, row: index + 1, column: 2, .strong)
                grid.put(text, row: index + 1, column: 24)
            }
        }
    }
}
