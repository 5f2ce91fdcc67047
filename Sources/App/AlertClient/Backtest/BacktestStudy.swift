internal import Events
internal import Market
internal import Rules
internal import Time
internal import Trials

/// Recorded prices that rules are run on, any number of times.
protocol PriceRecording {
    /// How far apart the prices of a symbol are: the longest distance of any; nil with fewer than two prices.
    var step: Milliseconds? { get }

    /// Hands over the prices of all symbols in the order of time.
    func forEachMoment(_ body: ([RecordedPrice], WallTime) -> Void) throws(ClientError)
}

/// A backtest with all its runs over the data: the rules as they are; if any alert flaps, the search for a hysteresis;
/// and the verification of the result.
struct BacktestStudy {
    /// The most events that are kept for the table: 10,000 × about 600 bytes = 6 MB.
    static let eventLimit = 10_000

    let rules: [Rule]
    let data: any PriceRecording
    let times: BacktestTimes
    let flapLength: Milliseconds
    let keepsEvents: Bool
    /// The first events, in order.
    private(set) var events: [Occurrence] = []
    private(set) var eventCount = 0
    private(set) var tallies: [AlertTally] = []
    private(set) var gapCount = 0
    /// Rules in a currency that the last prices could not be converted into.
    private(set) var unconverted: Set<String> = []
    /// Rules that are relative to a price that the data does not have.
    private(set) var waiting: Set<String> = []
    /// By the name of each rule that flaps: the hysteresis that prevents it; nil if none does.
    private(set) var answers: [String: HysteresisAnswer?] = [:]
    /// The rules whose answer was verified by another run.
    private(set) var proved: Set<String> = []

    init(
        rules: [Rule], data: any PriceRecording, times: BacktestTimes, flapLength: Milliseconds, keepsEvents: Bool
    ) {
        self.rules = rules
        self.data = data
        self.times = times
        self.flapLength = flapLength
        self.keepsEvents = keepsEvents
    }

    mutating func run(rates file: PastRates?) throws(ClientError) {
        var backtest = Backtest(rules: rules, settings: times.settings, flapLength: flapLength)
        var rates = file
        try data.forEachMoment { prices, time in
            let new = backtest.evaluate(prices, at: time, rates: rates?.rates(at: time))
            eventCount += new.count
            if keepsEvents { events += new.prefix(Self.eventLimit - events.count) }
        }
        tallies = backtest.results()
        gapCount = backtest.gapCount
        unconverted = backtest.unconverted()
        waiting = backtest.waiting()
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

    /// Messages about rules that these prices did not evaluate, one line each: that they did not fire means nothing.
    var problems: [String] {
        guard !tallies.isEmpty || rules.isEmpty else { return ["no rule has prices in this data"] }
        let seen = Set(tallies.map(\.place.rule))
        return rules.filter { seen.contains($0.name) }.compactMap {
            $0.problem(isUnconverted: unconverted.contains($0.name), isWaiting: waiting.contains($0.name))
        }
    }

    /// Whether these prices evaluated the rule.
    func isEvaluated(_ rule: String) -> Bool {
        !unconverted.contains(rule) && !waiting.contains(rule)
            && rules.first { $0.name == rule }.map { $0.price == .last } ?? true
    }

    /// Whether these prices evaluated all rules, so that no event means that there would have been none.
    var isComplete: Bool { rules.allSatisfy { isEvaluated($0.name) } }

    /// Messages about rules that are hard to judge by these prices, one line each.
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

    /// What the limits of rules are relative to, where that is not known from the rule.
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
    /// Why recorded prices did not evaluate the rule; nil if they did.
    func problem(isUnconverted: Bool, isWaiting: Bool) -> String? {
        if isUnconverted {
            return "'\(name)' was not evaluated: its prices cannot be converted into "
                + "\(currency.map { "\($0)" } ?? "its currency"); specify a file with exchange rates of that time with "
                + "--rates"
        }
        if price != .last {
            return "'\(name)' was not evaluated: it uses \(price.rawValue) prices, which recordings do not have"
        }
        guard isWaiting, case .day(let day)? = condition.base else { return nil }
        return "'\(name)' was not evaluated: this data has no price before \(day)"
    }
}
