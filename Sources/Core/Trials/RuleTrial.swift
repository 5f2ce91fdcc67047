package import Engine
package import Events
package import Market
package import Rules
package import Time

/// The settings shared by all trials of a file.
package struct TrialSettings: Equatable, Sendable {
    package var rules: [Rule]
    /// The time between two polls.
    package var interval: Milliseconds
    /// The time of the first poll.
    package var start: WallTime
    /// The settings that evaluation depends on.
    package var engine: EngineSettings

    /// Creates settings. The interval must be greater than 0; polls are at the start and at each interval after it.
    package init(rules: [Rule], interval: Milliseconds, start: WallTime, engine: EngineSettings) {
        self.rules = rules
        self.interval = interval
        self.start = start
        self.engine = engine
    }
}

/// A silence in a trial.
package struct TrialSilence: Equatable, Sendable {
    /// Start of the silence, as time since the first poll.
    package var begin: Milliseconds
    /// The silence itself: the events that it matches, and its end.
    package var silence: Silence

    /// Creates a silence; `begin` counts from the first poll.
    package init(begin: Milliseconds, silence: Silence) {
        self.begin = begin
        self.silence = silence
    }
}

/// A user's action on the alerts of a rule in a trial, performed after the last poll that is not later than its time.
package struct TrialAction: Equatable, Sendable {
    package enum Kind: Sendable {
        case acknowledge
        case arm
    }

    package var kind: Kind
    /// Time since the first poll.
    package var time: Milliseconds
    package var rule: String
    /// Nil for all symbols of the rule.
    package var symbol: Symbol?

    /// Creates an action; `time` counts from the first poll.
    package init(_ kind: Kind, at time: Milliseconds, rule: String, symbol: Symbol? = nil) {
        self.kind = kind
        self.time = time
        self.rule = rule
        self.symbol = symbol
    }
}

/// A symbol in a trial.
package struct TrialMarket: Equatable, Sendable {
    package var symbol: Symbol
    /// The data of each poll.
    package var series: PriceScript

    package init(symbol: Symbol, series: PriceScript) {
        self.symbol = symbol
        self.series = series
    }
}

/// A trial of rules: scripted prices and the expected events.
package struct RuleTrial: Equatable, Sendable {
    /// The name in findings and results.
    package var name: String
    /// In the order of the response, without duplicate symbols.
    package var markets: [TrialMarket]
    /// Nil to convert only by pegs and market prices.
    package var rates: ReferenceRates?
    package var silences: [TrialSilence]
    package var actions: [TrialAction]
    /// All expected events of ``kinds``. The order of events with the same time does not matter.
    package var expected: [ExpectedEvent]
    /// The kinds of events to compare; nil for all.
    package var kinds: Set<EventKind>?

    package init(
        name: String, markets: [TrialMarket], rates: ReferenceRates? = nil, silences: [TrialSilence] = [],
        actions: [TrialAction] = [], expected: [ExpectedEvent] = [], kinds: Set<EventKind>? = nil
    ) {
        self.name = name
        self.markets = markets
        self.rates = rates
        self.silences = silences
        self.actions = actions
        self.expected = expected
        self.kinds = kinds
    }
}

/// An event of a trial.
package struct TrialEvent: Equatable, Sendable {
    /// Time since the first poll.
    package var time: Milliseconds
    package var occurrence: Occurrence
}

extension RuleTrial {
    /// Runs the rules over the scripted prices with the daemon's own engine and no clock.
    ///
    /// - Returns: all events in order, except those about missing symbols that the trial does not have.
    package func events(_ settings: TrialSettings) -> [TrialEvent] {
        var run = TrialRun(self, settings)
        let count = markets.map(\.series.steps.count).max() ?? 0
        for poll in 0..<count { run.step(poll) }
        return run.events
    }
}

private struct TrialRun {
    /// A boot time long enough after 0 that no window starts before the boot.
    private static let boot = Milliseconds.seconds(100 * 86_400)

    private let trial: RuleTrial
    private let settings: TrialSettings
    private var engine: RuleEngine
    /// The last scripted price of each market, for polls without a price.
    private var prices: [ScriptPrice?]
    private(set) var events: [TrialEvent] = []

    init(_ trial: RuleTrial, _ settings: TrialSettings) {
        self.trial = trial
        self.settings = settings
        prices = trial.markets.map { _ in nil }
        engine = RuleEngine(rules: settings.rules, settings: settings.engine, start: Self.instant(.zero, settings))
    }

    private static func instant(_ time: Milliseconds, _ settings: TrialSettings) -> Instant {
        Instant(
            boot: BootTime(milliseconds: boot.count).advanced(by: time),
            wall: WallTime(milliseconds: settings.start.milliseconds + time.count))
    }

    mutating func step(_ poll: Int) {
        let time = settings.interval.times(Int64(poll))
        defer { perform(after: time) }
        guard let tickers = response(poll) else { return checkFeed(until: time) }
        // A response exactly at the deadline is in time.
        checkFeed(until: Milliseconds(time.count - 1))
        engine.silences = trial.silences.filter { $0.begin <= time }.map(\.silence)
        let batch = TickerBatch(tickers: tickers, received: Self.instant(time, settings))
        record(engine.evaluate(batch, rates: trial.rates), at: time)
    }

    /// Performs the actions between this poll and the next one.
    private mutating func perform(after time: Milliseconds) {
        let next = time.count + settings.interval.count
        for action in trial.actions where action.time >= time && action.time.count < next {
            switch action.kind {
            case .acknowledge:
                let wall = Self.instant(action.time, settings).wall
                let acknowledgement = Acknowledgement(by: UserIdentity(id: 0), at: wall)
                _ = engine.acknowledge(rule: action.rule, symbol: action.symbol, acknowledgement)
            case .arm: _ = engine.arm(rule: action.rule, symbol: action.symbol)
            }
        }
    }

    /// Checks the feed exactly at its deadline, like the daemon's timer.
    private mutating func checkFeed(until time: Milliseconds) {
        guard let deadline = engine.feedDeadline else { return }
        let length = deadline.since(BootTime(milliseconds: Self.boot.count))
        guard length <= time else { return }
        record(engine.checkFeed(at: Self.instant(length, settings)), at: length)
    }

    /// Returns the tickers of a poll; nil if there is no response.
    private mutating func response(_ poll: Int) -> [Ticker]? {
        var tickers: [Ticker] = []
        var hasResponse = false
        for (place, market) in trial.markets.enumerated() {
            let steps = market.series.steps
            let step = poll < steps.count ? steps[poll] : .nothing
            if case .price(let price) = step { prices[place] = price }
            if step != .nothing { hasResponse = true }
            if let ticker = ticker(of: market.symbol, step, prices[place]) { tickers.append(ticker) }
        }
        return hasResponse ? tickers : nil
    }

    private func ticker(of symbol: Symbol, _ step: ScriptStep, _ price: ScriptPrice?) -> Ticker? {
        var ticker = Ticker(symbol: symbol, quote: symbol.presumedQuote, last: price?.last, volume: .one)
        (ticker.bid, ticker.ask) = (price?.bid, price?.ask)
        switch step {
        case .price: break
        case .quiet: ticker.volume = .zero
        case .frozen: (ticker.volume, ticker.bid, ticker.ask) = (.zero, .zero, .zero)
        case .unusable: (ticker.last, ticker.bid, ticker.ask) = (nil, nil, nil)
        case .missing, .nothing: return nil
        }
        return ticker
    }

    private mutating func record(_ occurrences: [Occurrence], at time: Milliseconds) {
        let notified = occurrences.filter { occurrence in
            occurrence.kind != .symbolMissing || trial.markets.contains { $0.symbol == occurrence.symbol }
        }
        events += notified.map { TrialEvent(time: time, occurrence: $0) }
    }
}

extension Price {
    fileprivate static let one = Price(mantissa: 1, scale: 0) ?? .zero
}
