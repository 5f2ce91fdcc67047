internal import Events
internal import Market
internal import Rules
internal import Time
internal import Trials

/// Recorded prices on which rules can be run any number of times.
protocol PriceRecording {
    /// The usual time between two prices of the same symbol. If symbols differ, it is the longest such time; nil if no
    /// symbol has two prices.
    var step: Milliseconds? { get }

    /// Calls the body with the prices of all symbols in time order.
    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError)
}

/// A backtest in up to three passes over the data: a run of the rules as they are; if an alert flaps, the search for a
/// hysteresis; and a run that verifies the result.
struct BacktestStudy {
    /// The maximum number of events kept for the table: 10,000 × about 600 bytes = 6 MB.
    static let eventLimit = 10_000

    let rules: [Rule]
    /// Rules that are evaluated too, as others name them in `only_while`, but not reported.
    let companions: [Rule]
    let data: any PriceRecording
    let times: BacktestTimes
    let flapLength: Milliseconds
    let keepsEvents: Bool
    /// The first events, up to ``eventLimit``; empty unless ``keepsEvents`` is true.
    private(set) var events: [Occurrence] = []
    private(set) var eventCount = 0
    private(set) var tallies: [AlertTally] = []
    private(set) var gapCount = 0
    /// The names of rules into whose currency the last prices could not be converted.
    private(set) var unconverted: Set<String> = []
    /// The names of rules whose limits are relative to a price that the data does not have.
    private(set) var waiting: Set<String> = []
    /// The smallest hysteresis that prevents flapping, by rule name; nil if no hysteresis prevents it. Rules that do
    /// not flap have no entry.
    private(set) var answers: [String: HysteresisAnswer?] = [:]
    /// The names of rules whose hysteresis in ``answers`` was verified by another run.
    private(set) var proved: Set<String> = []

    init(
        rules: [Rule], companions: [Rule] = [], data: any PriceRecording, times: BacktestTimes,
        flapLength: Milliseconds, keepsEvents: Bool
    ) {
        self.rules = rules
        self.companions = companions
        self.data = data
        self.times = times
        self.flapLength = flapLength
        self.keepsEvents = keepsEvents
    }

    mutating func run(rates file: PastRates?) throws(ClientError) {
        let hidden = Set(companions.map(\.name))
        var backtest = Backtest(rules: rules + companions, settings: times.settings, flapLength: flapLength)
        var rates = file
        try data.forEachMoment { prices, time in
            let all = backtest.evaluate(prices, at: time, rates: rates?.rates(at: time))
            let new = hidden.isEmpty ? all : all.filter { !hidden.contains($0.rule ?? "") }
            eventCount += new.count
            if keepsEvents { events += new.prefix(Self.eventLimit - events.count) }
        }
        tallies = backtest.results().filter { !hidden.contains($0.place.rule) }
        gapCount = backtest.gapCount
        unconverted = backtest.unconverted().subtracting(hidden)
        waiting = backtest.waiting().subtracting(hidden)
        let flapping = Set(tallies.filter { $0.flaps > 0 }.map(\.place.rule))
        guard !flapping.isEmpty else { return }
        try search(rules.filter { flapping.contains($0.name) }, rates: file)
    }

    private mutating func search(_ flapping: [Rule], rates file: PastRates?) throws(ClientError) {
        var search = HysteresisSearch(rules: flapping, settings: times.settings, flapLength: flapLength)
        var rates = file
        try data.forEachMoment { prices, time in search.evaluate(prices, at: time, rates: rates?.rates(at: time)) }
        answers = search.answers()
        let found = answers.compactMapValues(\.self)
        guard !found.isEmpty else { return }
        var check = HysteresisCheck(found, rules: flapping, settings: times.settings, flapLength: flapLength)
        rates = file
        try data.forEachMoment { prices, time in check.evaluate(prices, at: time, rates: rates?.rates(at: time)) }
        proved = check.proved()
    }

    /// One-line messages about rules that were not evaluated on this data. For such a rule, a run without events
    /// proves nothing.
    var problems: [String] {
        guard !tallies.isEmpty || rules.isEmpty else { return ["no rule has prices in this data"] }
        let seen = Set(tallies.map(\.place.rule))
        return rules.filter { seen.contains($0.name) }.compactMap {
            $0.problem(isUnconverted: unconverted.contains($0.name), isWaiting: waiting.contains($0.name))
        }
    }

    /// Returns true if the rule was evaluated on this data.
    func isEvaluated(_ rule: String) -> Bool {
        !unconverted.contains(rule) && !waiting.contains(rule)
            && rules.first { $0.name == rule }.map { $0.price == .last } ?? true
    }

    /// True if all rules were evaluated. Only then does an empty result mean that no events would have occurred.
    var isComplete: Bool { rules.allSatisfy { isEvaluated($0.name) } }

    /// One-line messages about rules that this data tests poorly or not at all.
    var notes: [String] {
        let step = data.step ?? .zero
        let seen = Set(tallies.map(\.place.rule))
        var notes: [String] = []
        for rule in rules {
            if !seen.contains(rule.name) {
                notes.append("'\(rule.name)' has no prices in this data.")
            } else if let window = rule.condition.window, window < step.times(2) {
                notes.append("'\(rule.name)' has a window of \(window), but prices are \(step) apart.")
            }
        }
        return notes + relativeNotes
    }

    /// One-line messages about rules with relative limits: those without a base price in this data, and those that are
    /// relative to its first price.
    var baseNotes: [String] {
        rules.compactMap { rule in
            guard case .day(let day)? = rule.condition.base, waiting.contains(rule.name) else { return nil }
            return "'\(rule.name)' was not evaluated: this data has no price before \(day)."
        } + relativeNotes
    }

    private var relativeNotes: [String] {
        rules.compactMap { rule in
            guard case .price? = rule.condition.base, !waiting.contains(rule.name) else { return nil }
            return "'\(rule.name)' is relative to the first of these prices."
        }
    }
}

extension Rule {
    /// Returns the reason that the rule was not evaluated on recorded prices; nil if it was.
    func problem(isUnconverted: Bool, isWaiting: Bool) -> String? {
        if isUnconverted {
            return "'\(name)' was not evaluated: its prices cannot be converted into "
                + "\(currency.map { "\($0)" } ?? "its currency"); specify a file with exchange rates for that time "
                + "with --rates"
        }
        if price != .last {
            return "'\(name)' was not evaluated: it uses \(price.rawValue) prices, which recordings do not have"
        }
        guard isWaiting, case .day(let day)? = condition.base else { return nil }
        return "'\(name)' was not evaluated: this data has no price before \(day)"
    }
}
