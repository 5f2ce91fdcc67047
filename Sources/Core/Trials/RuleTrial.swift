package import Engine
package import Events
package import Market
package import Rules
package import Time

/// What the trials of a file have in common.
package struct TrialSettings: Equatable, Sendable {
    package var rules: [Rule]
    /// The time between two polls.
    package var interval: Milliseconds
    /// When the first poll is.
    package var start: WallTime
    /// The times that evaluation depends on.
    package var engine: EngineSettings

    /// The interval must be above 0; polls are at the start and at each interval after it.
    package init(rules: [Rule], interval: Milliseconds, start: WallTime, engine: EngineSettings) {
        self.rules = rules
        self.interval = interval
        self.start = start
        self.engine = engine
    }
}

/// A silence of a trial.
package struct TrialSilence: Equatable, Sendable {
    /// How long after the first poll it starts.
    package var begin: Milliseconds
    /// What it matches, and how long it lasts.
    package var silence: Silence

    /// The beginning counts from the first poll.
    package init(begin: Milliseconds, silence: Silence) {
        self.begin = begin
        self.silence = silence
    }
}

/// What a user does to the alerts of a rule in a trial, after the poll of that time.
package struct TrialAction: Equatable, Sendable {
    package enum Kind: Sendable {
        case acknowledge
        case arm
    }

    /// What the user does.
    package var kind: Kind
    /// How long after the first poll.
    package var time: Milliseconds
    package var rule: String
    /// All symbols of the rule when nil.
    package var symbol: Symbol?

    /// The time counts from the first poll. Without a symbol, it is done to all symbols of the rule.
    package init(_ kind: Kind, at time: Milliseconds, rule: String, symbol: Symbol? = nil) {
        self.kind = kind
        self.time = time
        self.rule = rule
        self.symbol = symbol
    }
}

/// One symbol of a trial.
package struct TrialMarket: Equatable, Sendable {
    package var symbol: Symbol
    /// One price, or none, for each poll.
    package var series: PriceScript

    /// Makes a market with one price, or gap, per poll.
    package init(symbol: Symbol, series: PriceScript) {
        self.symbol = symbol
        self.series = series
    }
}

/// Rules tried on scripted prices, and the events expected of them.
package struct RuleTrial: Equatable, Sendable {
    /// As findings and results name it.
    package var name: String
    /// In the order of the response; no symbol twice.
    package var markets: [TrialMarket]
    /// Only pegs and market prices convert when nil.
    package var rates: ReferenceRates?
    package var silences: [TrialSilence]
    package var actions: [TrialAction]
    /// All events of ``kinds`` that are expected; those at the same time in any order.
    package var expected: [ExpectedEvent]
    /// The kinds that are compared; all of them when nil.
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
    /// How long after the first poll.
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
    /// Long enough after boot that no window reaches back before it.
    private static let boot = Milliseconds.seconds(100 * 86_400)

    private let trial: RuleTrial
    private let settings: TrialSettings
    private var engine: RuleEngine
    /// The last scripted prices, for polls that have none of their own.
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
        // A response at the deadline is in time.
        checkFeed(until: Milliseconds(time.count - 1))
        engine.silences = trial.silences.filter { $0.begin <= time }.map(\.silence)
        let batch = TickerBatch(tickers: tickers, received: Self.instant(time, settings))
        record(engine.evaluate(batch, rates: trial.rates), at: time)
    }

    /// Those between this poll and the next one.
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

    /// As the daemon's timer does, exactly on time.
    private mutating func checkFeed(until time: Milliseconds) {
        guard let deadline = engine.feedDeadline else { return }
        let length = deadline.since(BootTime(milliseconds: Self.boot.count))
        guard length <= time else { return }
        record(engine.checkFeed(at: Self.instant(length, settings)), at: length)
    }

    /// Nil when there is no response.
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
