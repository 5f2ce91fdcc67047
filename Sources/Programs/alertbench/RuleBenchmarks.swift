internal import Engine
internal import Events
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Rules
internal import Time

/// Measures evaluating rules without decoding, compared with simdjson reading a response of the same size.
func ruleBenchmarks() throws -> [Row] {
    let body = try responseBody()
    var decoder = RecordDecoder(WazirXFormat())
    let now = Instant(boot: BootTime(milliseconds: 0), wall: WallTime(milliseconds: 1_669_000_000_000))
    let batch = try decoder.decode(body, received: now)
    let bare = timed(calls: 200) { _ = readingBaseline(of: body) }
    let reference = "bare simdjson \(readable(bare))"
    var rows: [Row] = []
    for count in [0, 1_000, 10_000] {
        let time = try RuleTrial(batch, rules: bands(count, on: batch)).perPoll()
        rows.append(
            Row(
                name: "evaluate \(count) rules with min and max", figure: readable(time), reference: reference,
                ratio: time / bare, goal: count == 10_000 ? "at most 10" : "-"))
    }
    rows.append(try convertedRow(batch, bare))
    rows += try windowRows(batch)
    rows.append(try neighbourRow(batch))
    return rows
}

/// Measures rules in Swedish kronor on symbols that are quoted in rupees.
private func convertedRow(_ batch: TickerBatch, _ bare: Duration) throws -> Row {
    let krona = Currency("SEK")
    let inRupees = TickerBatch(
        tickers: batch.tickers.filter { $0.quote?.description == "inr" }, received: batch.received)
    var rules = try bands(10_000, on: inRupees)
    for index in rules.indices { rules[index].currency = krona }
    let table = [("INR", "100"), ("SEK", "10.5")].compactMap { name, rate in
        Currency(name).flatMap { currency in (try? Price(rate)).map { (currency: currency, rate: $0) } }
    }
    let rates = RateTable(date: CivilDate(daysSinceEpoch: 20_000), source: "made up", rates: table)
    let time = try RuleTrial(batch, rules: rules, rates: rates.map { ReferenceRates($0) }).perPoll()
    return Row(
        name: "evaluate 10,000 rules in another currency", figure: readable(time),
        reference: "bare simdjson \(readable(bare))", ratio: time / bare, goal: "at most 10")
}

private func windowRows(_ batch: TickerBatch) throws -> [Row] {
    var first: Duration?
    return try [("1 min", Int64(60)), ("1 h", 3_600), ("24 h", 86_400)].map { name, seconds in
        let rules = try moves(1_000, within: .seconds(seconds), on: batch)
        let time = try RuleTrial(batch, rules: rules, fill: 2_900).perPoll()
        let reference = first ?? time
        first = reference
        return Row(
            name: "evaluate 1,000 moves within \(name)", figure: readable(time),
            reference: "1 min: \(readable(reference))", ratio: time / reference, goal: "at most 1.5")
    }
}

/// Evaluates one symbol that has twenty rules while the other symbols share 9,980 rules. The reference has one rule
/// per other symbol.
private func neighbourRow(_ batch: TickerBatch) throws -> Row {
    let own = batch.tickers.first { $0.last?.isPositive ?? false }
    guard let own else { throw BenchmarkError(message: "the response has no price") }
    let single = TickerBatch(tickers: [own], received: batch.received)
    let rest = TickerBatch(tickers: batch.tickers.filter { $0.symbol != own.symbol }, received: batch.received)
    let few = try bands(20, on: single) + bands(rest.tickers.count, on: rest)
    let many = try bands(20, on: single) + bands(9_980, on: rest)
    let alone = try RuleTrial(single, rules: few, prepare: batch).perPoll()
    let among = try RuleTrial(single, rules: many, prepare: batch).perPoll()
    return Row(
        name: "one symbol, its 20 of 10,000 rules", figure: readable(among),
        reference: "of \(few.count): \(readable(alone))", ratio: among / alone, goal: "-")
}

/// An engine with prices that change a little with every poll.
private struct RuleTrial {
    private var engine: RuleEngine
    private var batches: [[Ticker]] = []
    private var poll = 0
    private let rates: ReferenceRates?

    init(
        _ batch: TickerBatch, rules: [Rule], fill: Int = 10, prepare: TickerBatch? = nil, rates: ReferenceRates? = nil
    ) throws {
        self.rates = rates
        let settings = EngineSettings(
            maximumGap: .seconds(90), frozenAfter: .seconds(1_000_000_000), staleAfter: .seconds(90))
        engine = RuleEngine(rules: rules, settings: settings, start: batch.received)
        if let prepare { _ = engine.evaluate(prepare) }
        var tickers = batch.tickers
        // A walk of 61 steps; 61 is coprime to the other periods.
        for step in 0..<61 {
            for index in tickers.indices {
                guard let last = tickers[index].last else { continue }
                let change = Int64((step * 7 + index * 3) % 5 - 2)
                tickers[index].last = Price(
                    mantissa: last.mantissa + change * (last.mantissa / 4_096), scale: last.scale)
            }
            batches.append(tickers)
        }
        for _ in 0..<fill { try step() }
    }

    mutating func step() throws {
        poll += 1
        let time = Int64(poll) * 30_000
        let now = Instant(boot: BootTime(milliseconds: time), wall: WallTime(milliseconds: 1_669_000_000_000 + time))
        let notified = engine.evaluate(TickerBatch(tickers: batches[poll % batches.count], received: now), rates: rates)
        guard notified.isEmpty || poll < 3 else { throw BenchmarkError(message: notified[0].text) }
    }

    func perPoll() throws -> Duration {
        var trial = self
        return try timed(calls: 200) { try trial.step() }
    }
}

/// Makes rules whose limits are not reached, for one symbol after another.
private func bands(_ count: Int, on batch: TickerBatch) throws -> [Rule] {
    try rules(count, on: batch) { price in
        let double = Price(mantissa: price.mantissa * 2, scale: price.scale)
        return .band(try Band(min: Price(mantissa: 1, scale: 18), max: double))
    }
}

private func moves(_ count: Int, within window: Milliseconds, on batch: TickerBatch) throws -> [Rule] {
    let half = try Price("50")
    return try rules(count, on: batch) { _ in .move(try Move(.down, by: .percent(half), window: window)) }
}

private func rules(
    _ count: Int, on batch: TickerBatch, _ condition: (Price) throws -> Condition
) throws -> [Rule] {
    let usable = batch.tickers.filter { $0.last?.isPositive ?? false }
    guard !usable.isEmpty else { throw BenchmarkError(message: "the response has no price") }
    return try (0..<count).compactMap { number in
        let ticker = usable[number % usable.count]
        guard let pattern = SymbolPattern("\(ticker.symbol)"), let price = ticker.last else { return nil }
        return Rule(name: "rule \(number) of \(count)", symbols: [pattern], condition: try condition(price))
    }
}
