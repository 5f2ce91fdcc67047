internal import Control
internal import Diagnostics
internal import Market
internal import Terminal

extension WatchState {
    /// Handles a key.
    ///
    /// - Returns: the actions to perform outside this state.
    mutating func handle(_ key: Key) -> [WatchAction] {
        switch prompt {
        case .search: return search(key)
        case .confirm(let action, _): return confirm(key, action)
        case .none: break
        }
        if key == .control("c") { return [.quit] }
        message = nil
        if converter != nil { return convert(key) }
        if moved != nil { return move(key) }
        if let actions = common(key) { return actions }
        switch mode {
        case .list: return list(key)
        case .detail: return detail(key)
        case .events: return events(key)
        case .help:
            mode = modeBeforeHelp
            return []
        }
    }

    /// Handles keys with the same meaning in all modes; nil for other keys.
    private mutating func common(_ key: Key) -> [WatchAction]? {
        switch key {
        case .character("q"): return [.quit]
        case .character("?") where mode != .help:
            modeBeforeHelp = mode
            mode = .help
            return []
        case .character("c"): return [.nextCurrency, .readChart]
        case .character("x") where mode != .help:
            converter = WatchConverter(selectedSymbol, in: data.display.currency)
            return []
        case .character("e") where mode != .events:
            mode = .events
            firstEvent = 0
            return []
        case .character("m"):
            hasMouse.toggle()
            return [.mouse(hasMouse)]
        default: return nil
        }
    }

    private mutating func convert(_ key: Key) -> [WatchAction] {
        switch key {
        case .escape: converter = nil
        case .enter: return [.keepConversion]
        default: converter?.handle(key)
        }
        return []
    }

    private mutating func search(_ key: Key) -> [WatchAction] {
        switch key {
        case .enter: prompt = .none
        case .escape, .control("c"):
            prompt = .none
            search = ""
        case .backspace: search = String(search.dropLast())
        case .up: select(by: -1)
        case .down: select(by: 1)
        case .character(let character) where search.count < 32: search.append(character)
        default: break
        }
        if !rows.contains(where: { $0.symbol == selected }) { selected = rows.first?.symbol }
        return []
    }

    private mutating func confirm(_ key: Key, _ action: WatchAction) -> [WatchAction] {
        prompt = .none
        guard key == .character("y") || key == .character("Y") || key == .enter else {
            message = ("nothing was changed", false)
            return []
        }
        moved = nil
        return [action]
    }
}

// MARK: The list

extension WatchState {
    private mutating func list(_ key: Key) -> [WatchAction] {
        switch key {
        case .up, .character("k"), .wheelUp: select(by: -1)
        case .down, .character("j"), .wheelDown: select(by: 1)
        case .pageUp: select(by: -listHeight)
        case .pageDown: select(by: listHeight)
        case .home: select(by: .min / 2)
        case .end: select(by: .max / 2)
        case .click(let row, _): click(row)
        case .enter, .right: return openDetail()
        case .escape:
            (search, quote, onlyFavourites) = ("", nil, false)
        default: return filter(key)
        }
        return []
    }

    private mutating func filter(_ key: Key) -> [WatchAction] {
        switch key {
        case .character("/"): prompt = .search
        case .character("s"):
            let all = Sort.allCases
            sort = all[((all.firstIndex(of: sort) ?? 0) + 1) % all.count]
        case .character("r"): isReversed.toggle()
        case .character("u"): nextQuote()
        case .character("f"): return toggleFavourite()
        case .character("F"): onlyFavourites.toggle()
        default: break
        }
        return []
    }

    private mutating func nextQuote() {
        let quotes = Set(data.symbols.compactMap(\.quote)).sorted()
        guard let current = quote, let index = quotes.firstIndex(of: current) else {
            quote = quotes.first
            return
        }
        quote = index + 1 < quotes.count ? quotes[index + 1] : nil
    }

    private func toggleFavourite() -> [WatchAction] {
        guard let selected, let symbol = selectedSymbol else { return [] }
        return [.setFavourite(symbol: selected, isOn: !isFavourite(symbol))]
    }

    private mutating func select(by rows: Int) {
        let all = self.rows
        guard !all.isEmpty else { return }
        let current = all.firstIndex { $0.symbol == selected } ?? 0
        selected = all[min(all.count - 1, max(0, current.saturatingAdding(rows)))].symbol
    }

    /// Selects the clicked row. The list begins below the two lines of the head.
    private mutating func click(_ row: Int) {
        let all = rows
        let index = firstRow + row - 2
        if row >= 2, all.indices.contains(index) { selected = all[index].symbol }
    }

    private mutating func openDetail() -> [WatchAction] {
        guard selectedSymbol != nil else { return [] }
        mode = .detail
        alertIndex = 0
        data.chart = nil
        return [.readChart]
    }
}

// MARK: Details and events

extension WatchState {
    private mutating func detail(_ key: Key) -> [WatchAction] {
        if case .character(let character) = key, let index = Self.ranges.firstIndex(where: { $0.key == character }) {
            rangeIndex = index
            return [.readChart]
        }
        switch key {
        case .escape, .backspace: mode = .list
        case .left where rangeIndex > 0:
            rangeIndex -= 1
            return [.readChart]
        case .right where rangeIndex < Self.ranges.count - 1:
            rangeIndex += 1
            return [.readChart]
        case .pageUp, .pageDown, .up, .down, .character("j"), .character("k"):
            select(by: [.pageUp, .up, .character("k")].contains(key) ? -1 : 1)
            alertIndex = 0
            data.chart = nil
            return [.readChart]
        case .tab: alertIndex = selectedAlerts.isEmpty ? 0 : (alertIndex + 1) % selectedAlerts.count
        case .character("f"): return toggleFavourite()
        default: act(key)
        }
        return []
    }

    /// Handles keys that act on the symbol or its chosen alert. Anything that changes the daemon asks for confirmation
    /// first.
    private mutating func act(_ key: Key) {
        guard let symbol = selected else { return }
        if key == .character("z") {
            prompt = .confirm(.silence(symbol: symbol, hours: 1), question: "Silence \(symbol) for an hour?")
            return
        }
        guard [.character("l"), .character("a"), .character("A")].contains(key) else { return }
        guard let alert = selectedAlert else {
            message = ("no rule matches \(symbol)", true)
            return
        }
        switch key {
        case .character("l"):
            moved = MovedLimit(alert)
            if moved == nil { message = ("the limit of '\(alert.rule)' moves with the price, or is a zone", true) }
        case .character("a"):
            prompt = .confirm(
                .acknowledge(rule: alert.rule, symbol: symbol), question: "Acknowledge '\(alert.rule)' on \(symbol)?")
        default:
            prompt = .confirm(.arm(rule: alert.rule, symbol: symbol), question: "Re-arm '\(alert.rule)' on \(symbol)?")
        }
    }

    private mutating func move(_ key: Key) -> [WatchAction] {
        switch key {
        case .up: moved?.move(1)
        case .down: moved?.move(-1)
        case .shiftUp, .pageUp: moved?.move(10)
        case .shiftDown, .pageDown: moved?.move(-10)
        case .escape, .character("q"): moved = nil
        case .enter:
            guard let moved, let symbol = selected else { return [] }
            let name = "\(moved.alert.bound.rawValue) of '\(moved.alert.rule)'"
            let currency = moved.alert.currency ?? ""
            let text = data.display.fullText("\(moved.value)", in: currency)
            prompt = .confirm(
                .setLimit(
                    rule: moved.alert.rule, symbol: symbol, isMax: moved.alert.bound == .max, value: "\(moved.value)"),
                question: "Set the \(name) on \(symbol) to \(text)?")
        default: break
        }
        return []
    }

    private mutating func events(_ key: Key) -> [WatchAction] {
        let last = max(0, data.events.count - 1)
        switch key {
        case .up, .character("k"), .wheelUp: firstEvent = max(0, firstEvent - 1)
        case .down, .character("j"), .wheelDown: firstEvent = min(last, firstEvent + 1)
        case .pageUp: firstEvent = max(0, firstEvent - listHeight)
        case .pageDown: firstEvent = min(last, firstEvent + listHeight)
        case .escape, .character("e"), .left: mode = .list
        default: break
        }
        return []
    }
}
