internal import ExchangeRates
package import Market
internal import Rules
package import Time

/// The states of all symbols that the engine has seen.
struct SymbolStates: Sendable {
    /// Maximum number of symbols, in addition to those that rules name: the largest response, and the same number of
    /// symbols that have vanished. At about 1 kB each, with an alert, they take 20 MB.
    static let capacity = 2 * TickerBatch.symbolLimit

    /// The table has no limit because symbols that rules name always get a number. ``RuleEngine/makeRoom(for:)``
    /// enforces ``capacity``.
    var table = SymbolTable(limit: .max)
    /// Indexed by the numbers of ``table``; some are vacant.
    private(set) var all: [SymbolState] = []
    /// Number of stored symbols.
    var slotCount = 0
    /// Number of alerts, and number of symbols without the alerts of pattern rules.
    private(set) var alertCount = 0
    private(set) var countBeyondLimit = 0

    /// Adds a symbol's alerts to the counters.
    mutating func count(_ symbolState: SymbolState) {
        alertCount += symbolState.alerts.count
        if symbolState.isBeyondLimit { countBeyondLimit += 1 }
    }

    /// Subtracts a symbol's alerts from the counters.
    mutating func discount(_ number: Int) {
        alertCount -= self[number].alerts.count
        if self[number].isBeyondLimit { countBeyondLimit -= 1 }
    }

    func number(of symbol: Symbol) -> Int? { table.number(of: symbol) }

    /// True if the counters match the alerts. Not checked beyond 10,000 alerts, where it would take longer than a poll.
    var areCountsRight: Bool {
        guard alertCount <= 10_000 else { return true }
        return alertCount == all.reduce(0) { $0 + $1.alerts.count }
            && countBeyondLimit == all.count(where: \.isBeyondLimit)
    }

    /// Assigns slots to the stored symbols again, after alerts were added or removed.
    mutating func renumberSlots() {
        slotCount = 0
        for number in indices {
            self[number].slot = self[number].isRemembered ? slotCount : nil
            if self[number].isRemembered { slotCount += 1 }
        }
    }

    /// Nil for a symbol that was never seen.
    subscript(symbol: Symbol) -> SymbolState? { table.number(of: symbol).map { self[$0] } }

    /// Marks the alerts of rules that have expired, or that have become valid again because the clock was set back.
    mutating func markExpired(_ changed: [Int: Bool]) {
        for number in indices {
            for index in self[number].alerts.indices {
                guard let isOver = changed[self[number].alerts[index].rule] else { continue }
                self[number].alerts[index].isExpired = isOver
                self[number].alerts[index].mustEnd = isOver
                self[number].mustEnd = true
            }
            if self[number].mustEnd { self[number].openWakeThresholds() }
        }
    }

    /// Changes alerts of some rules at a user's request.
    ///
    /// - Returns: the number of alerts that `body` changed.
    mutating func change(
        _ rules: Set<Int>, on symbol: Symbol?, recording changes: inout ChangeLog, _ body: (inout Alert) -> Bool
    ) -> Int {
        var count = 0
        for number in indices where symbol == nil || self[number].symbol == symbol {
            for index in self[number].alerts.indices where rules.contains(self[number].alerts[index].rule) {
                guard body(&self[number].alerts[index]) else { continue }
                changes.markChanged(&self[number].alerts[index], index, of: number)
                self[number].wake.set(.open(self[number].alerts[index].input), ofAlert: index)
                count += 1
            }
        }
        return count
    }
}

// MARK: Access

extension SymbolStates {
    /// All numbers, including vacant ones.
    var indices: Range<Int> { all.indices }
    var count: Int { all.count }

    /// Number of firing alerts.
    var firingCount: Int { all.reduce(0) { $0 + $1.firingCount } }

    subscript(number: Int) -> SymbolState {
        _read { yield all[number] }
        _modify { yield &all[number] }
    }

    mutating func append(_ symbolState: SymbolState) {
        all.append(symbolState)
    }

    /// True if the last response, whose number is `poll`, has the symbol.
    func isPresent(_ number: Int, inPoll poll: Int) -> Bool {
        all[number].presence.lastPoll == poll
    }

    /// Clears the mark that an alert is in the change log, after the log was drained.
    mutating func unmark(_ alert: Int, of number: Int) {
        all[number].alerts[alert].isChanged = false
    }
}

// MARK: Conversion

extension SymbolStates {
    /// Returns the price of one unit of a coin in the response with number `poll`: `last` of its market in rupees, or
    /// else in USDT; nil if neither is usable.
    func market(of coin: Currency, inPoll poll: Int) -> ExchangeRate? {
        ExchangeRate.market(of: coin) { symbol in
            guard let number = table.number(of: symbol), isPresent(number, inPoll: poll),
                all[number].activity.frozenSince == nil
            else { return nil }
            return all[number].presence.lastPrice
        }
    }

    /// Finds the route of an input, unless the route of the previous response is still valid.
    private mutating func findRoute(
        ofInput index: Int, ofSymbol number: Int, by routes: CurrencyRoutes, inPoll poll: Int
    ) {
        guard let currency = self[number].inputs[index].currency,
            self[number].inputs[index].routeVersion != routes.version
        else { return }
        let (route, holds) = route(of: self[number], to: currency, by: routes, inPoll: poll)
        self[number].inputs[index].route = route
        self[number].inputs[index].routeVersion = holds ? routes.version : nil
        // Wake thresholds are in the market's currency. If the route is valid for only one response, they always stay
        // open.
        if holds { self[number].openWakeThresholds() }
    }

    /// Returns the route of a market's prices into a currency. `holds` is true if it is valid for every future
    /// response.
    private func route(
        of symbolState: SymbolState, to currency: Currency, by routes: CurrencyRoutes, inPoll poll: Int
    ) -> (CurrencyRoute, holds: Bool) {
        guard let quote = symbolState.quoteCurrency else { return (.unconvertible, false) }
        guard quote != currency else { return (.none, true) }
        let route = routes.route(from: quote, to: currency) { market(of: $0, inPoll: poll) }
        return (route, route.path.map { !$0.usesMarket } ?? false)
    }

    /// Finds all routes again, for example after a reload.
    mutating func findRoutes(by routes: CurrencyRoutes, inPoll poll: Int) {
        for number in indices { findRoutes(ofSymbol: number, by: routes, inPoll: poll) }
    }

    /// Finds the routes of a symbol's inputs, unless the routes of the previous response are still valid.
    mutating func findRoutes(ofSymbol number: Int, by routes: CurrencyRoutes, inPoll poll: Int) {
        for index in self[number].inputs.indices where self[number].inputs[index].currency != nil {
            findRoute(ofInput: index, ofSymbol: number, by: routes, inPoll: poll)
        }
    }
}

extension SymbolState {
    /// Returns the route of an input's prices into the currency of its rules, at the rates and prices of another
    /// time.
    func route(ofInput index: Int, by routes: CurrencyRoutes, _ price: (Symbol) -> Price?) -> CurrencyRoute {
        guard let currency = inputs[index].currency else { return .none }
        guard let quote = quoteCurrency else { return .unconvertible }
        guard quote != currency else { return .none }
        return routes.route(from: quote, to: currency) { ExchangeRate.market(of: $0, price: price) }
    }
}

extension ExchangeRate {
    private static let marketQuotes = [Currency.rupee, Currency("USDT")].compactMap(\.self)

    /// Returns the markets that can price a coin, best first.
    fileprivate static func markets(of coin: Currency) -> [(symbol: Symbol, quote: Currency)] {
        guard coin != Currency.rupee else { return [] }
        return marketQuotes.compactMap { quote in
            Symbol("\(coin)\(quote)".lowercased()).map { ($0, quote) }
        }
    }

    /// Returns the price of one unit of a coin: the price of its market in rupees, or else in USDT; nil if neither is
    /// known.
    fileprivate static func market(of coin: Currency, price: (Symbol) -> Price?) -> ExchangeRate? {
        for (symbol, quote) in markets(of: coin) {
            guard let price = price(symbol),
                let rate = ExchangeRate(base: coin, quote: quote, rate: price, basis: .market("\(symbol)"))
            else { continue }
            return rate
        }
        return nil
    }
}

extension RuleEngine {
    /// Returns the symbols of the markets that can price a coin, best first.
    package static func markets(of coin: Currency) -> [Symbol] { ExchangeRate.markets(of: coin).map(\.symbol) }
}

extension Currency {
    fileprivate static let rupee = Currency("INR")
}

// MARK: Windows that lost their samples

/// The past prices that an engine needs again after a restart.
package struct WindowNeed: Equatable, Sendable {
    package var symbol: Symbol
    /// Time from which prices are needed.
    package var since: WallTime
}

extension SymbolStates {
    /// See ``RuleEngine/windowNeeds(at:)``.
    func windowNeeds(at now: Instant) -> [WindowNeed] {
        all.compactMap { symbolState in
            let lengths = symbolState.inputs.filter { $0.kind == .last }.flatMap(\.windows).filter(\.hasLostSamples)
                .map(\.length)
            return lengths.max().map {
                WindowNeed(symbol: symbolState.symbol, since: WallTime(milliseconds: now.wall.milliseconds - $0.count))
            }
        }
    }
}

extension SymbolState {
    /// Fills the windows of last prices after a restart; see ``RuleEngine/seedWindows(of:with:)``.
    mutating func seedWindows(with samples: [(price: Price, time: WallTime)]) {
        let frozen = activity.frozenSince
        for index in inputs.indices where inputs[index].kind == .last {
            guard let last = inputs[index].previous?.time else { continue }
            let usable = samples.filter { sample in
                sample.price.isPositive && sample.time <= last.wall && frozen.map { sample.time < $0.wall } ?? true
            }
            inputs[index].seedWindows(usable, last: last)
        }
    }
}

extension PriceInput {
    /// Fills the windows that lost their samples. Past prices have only wall times; their boot times are computed
    /// from the last sample, whose boot time is known.
    fileprivate mutating func seedWindows(_ samples: [(price: Price, time: WallTime)], last: Instant) {
        for index in windows.indices where windows[index].hasLostSamples {
            guard let start = windows[index].start else { continue }
            for sample in samples where sample.time >= start.wall {
                let age = max(.zero, last.wall.since(sample.time))
                let time = last.boot.advanced(by: Milliseconds(-age.count))
                windows[index].append(sample.price, at: Instant(boot: max(time, start.boot), wall: sample.time))
            }
        }
    }
}
