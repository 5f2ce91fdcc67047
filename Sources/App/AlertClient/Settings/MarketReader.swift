internal import Configuration
internal import Control
internal import Diagnostics
internal import ExchangeRates
internal import Market
internal import PriceSources
internal import Rules
internal import Time

/// A reader of the daemon's market data, which rules are compared with.
struct MarketReader {
    private let connection: any ControlConnection
    private let now: WallTime
    private let tickers: ListTickersReply
    /// The daemon's sources.
    private let sources: [FeedStatus]

    init(_ connection: any ControlConnection, now: WallTime) throws(ClientError) {
        self.connection = connection
        self.now = now
        tickers = try connection.all(.listTickers, ListTickersParameters(), returning: ListTickersReply.self)
        sources = try connection.status().sources
    }

    /// The daemon's sources as text, separated by commas.
    var sourceNames: String { sources.map { sourceText($0.source, $0.type) }.joined(separator: ", ") }

    /// True if the daemon has received a response; until then it knows no symbols.
    var hasPrices: Bool { tickers.received != nil }

    /// Returns the rules that can be compared with a source of the daemon, by source. Rules in files that declare no
    /// sources are matched with the daemon's sources.
    func comparable(_ loaded: LoadedSettings) -> [ComparableRules] {
        let own = loaded.settings.sources.map { ("\($0.name)", $0.source.rawValue) }
        let known = sources.map { ($0.source, $0.type) }
        let names = (loaded.hasMainFile ? own.filter { source in known.contains { $0 == source } } : known).map(\.0)
        let first = loaded.hasMainFile ? own.first?.0 : known.first?.0
        return names.map { name in
            let chosen = zip(loaded.settings.rules, loaded.ruleSources).filter { rule, _ in
                (rule.source.map { "\($0)" } ?? first) == name
            }
            return ComparableRules(source: name, rules: chosen.map(\.0), places: chosen.map(\.1))
        }
    }

    /// Returns facts about all symbols of a source; for symbols that the rules match, these include the price history.
    func facts(for rules: [Rule], of source: String) throws(ClientError) -> MarketFacts {
        var symbols: [Symbol: MarketFacts.SymbolFacts] = [:]
        for state in tickers.symbols where state.state != .missing && state.source == source {
            guard let symbol = Symbol(state.symbol) else { continue }
            var facts = MarketFacts.SymbolFacts(state)
            let own = rules.filter { $0.matches(symbol) }
            if !own.isEmpty { try addHistory(of: state.sourced, days: own.compactMap(\.condition.day), to: &facts) }
            symbols[symbol] = facts
        }
        let rates = try rates(for: rules, symbols)
        return MarketFacts(symbols: symbols) { amount, from, to in
            let rate = (rates["\(from)>\(to)"] ?? nil).map { Ratio.one.multiplied(by: $0) }
            return try? rate?.convert(amount, digits: 12).0.reduced
        }
    }

    /// Adds the price range of a symbol's whole history, read as one bar, and those `days` that have no recorded
    /// price before them.
    private func addHistory(
        of symbol: String, days: [CivilDate], to facts: inout MarketFacts.SymbolFacts
    ) throws(ClientError) {
        for day in Set(days) where day.begin <= now {
            if try history(of: symbol, until: day.begin) == nil { facts.daysWithoutPrice.insert(day) }
        }
        guard let bar = try history(of: symbol, until: WallTime(milliseconds: now.milliseconds + 86_400_000)) else {
            return
        }
        facts.lowest = try? Price(bar.low)
        facts.highest = try? Price(bar.high)
        facts.record(digitsOf: [bar.open, bar.low, bar.high, bar.close])
    }

    private func history(of symbol: String, until end: WallTime) throws(ClientError) -> PriceBar? {
        let century = 100 * 366 * 86_400_000
        let parameters = ListBarsParameters(
            symbol: symbol, since: "\(WallTime(milliseconds: 0))", until: "\(end)", stepMilliseconds: century)
        return try connection.call(.listBars, parameters, returning: ListBarsReply.self).bars.last
    }

    /// Returns the value of one unit of each quote currency in each rule's currency; nil if there is no conversion
    /// path.
    private func rates(
        for rules: [Rule], _ symbols: [Symbol: MarketFacts.SymbolFacts]
    ) throws(ClientError) -> [String: Price?] {
        var rates: [String: Price?] = [:]
        for rule in rules {
            guard let currency = rule.currency else { continue }
            for (symbol, facts) in symbols where rule.matches(symbol) {
                guard let quote = facts.quote, quote != currency, rates["\(quote)>\(currency)"] == nil else { continue }
                rates["\(quote)>\(currency)"] = .some(try rate(quote, currency))
            }
        }
        return rates
    }

    private func rate(_ from: Currency, _ to: Currency) throws(ClientError) -> Price? {
        do throws(ClientError) {
            let parameters = ConvertParameters(amount: "1", from: "\(from)", to: "\(to)")
            let reply = try connection.call(.convert, parameters, returning: ConvertReply.self)
            return try? Price(reply.result)
        } catch {
            if case .unconvertible = error { return nil }
            throw error
        }
    }

    /// Returns findings about checks that cannot compare prices in the current market.
    func findings(of checks: [PriceCheck], _ places: [SourcePosition]) throws(ClientError) -> [Finding] {
        var findings: [Finding] = []
        for (check, place) in zip(checks, places) {
            let markets = [check.first, check.second].filter { market in
                sources.contains { $0.source == "\(market.source)" }
            }
            let states = markets.map { market in tickers.symbols.first { $0.sourced == "\(market)" } }
            for (market, state) in zip(markets, states) where state == nil {
                let names = tickers.symbols.filter { $0.source == "\(market.source)" }.map(\.symbol)
                let meant = symbolMeant(by: "\(market.symbol)", among: names).map { "did you mean \"\($0)\"?" }
                findings.append(
                    Finding(
                        .warning, at: place, "\(market.source) lists no symbol \"\(market.symbol)\"",
                        advice: meant ?? "`alertctl list --source \(market.source)` shows all symbols"))
            }
            let quotes = states.compactMap { $0?.quote.flatMap { Currency($0.uppercased()) } }
            guard quotes.count == 2, quotes[0] != quotes[1], try rate(quotes[1], quotes[0]) == nil else { continue }
            findings.append(
                Finding(
                    .warning, at: place, "no conversion path \(quotes[1]) → \(quotes[0])",
                    advice: "compare markets of other currencies; `alertctl rates` lists those available"))
        }
        return findings
    }

    /// Returns findings about limits that were changed at run time and replace those in the files.
    func overrides(of rules: [Rule], _ sources: [RuleSource]) throws(ClientError) -> [Finding] {
        let reply = try connection.call(.listOverrides, Nothing(), returning: ListOverridesReply.self)
        let own = PriceDisplay.own(hasUnicode: true)
        return zip(rules, sources).flatMap { rule, source in
            reply.overrides.filter { $0.rule == rule.name && $0.state == .inEffect }.map { override in
                Finding(
                    .warning, at: source.place(of: override.bound.rawValue),
                    "`\(override.bound)` is not in effect for \(override.symbol): \(override.by) changed it to "
                        + (own.text(override.limit, in: override.currency) ?? override.limit),
                    advice: "'alertctl limit reset \(override.symbol)' restores the configured limit")
            }
        }
    }
}

/// Returns a source with its type, if the name does not say it: `wazirx`, or `office (json)`.
func sourceText(_ name: String, _ type: String) -> String {
    name == type ? name : "\(name) (\(type))"
}

/// The rules of one source, with their positions in the files.
struct ComparableRules {
    var source: String
    var rules: [Rule]
    var places: [RuleSource]
}

extension MarketFacts.SymbolFacts {
    fileprivate init(_ state: SymbolStatus) {
        let price = { (text: String?) in text.flatMap { try? Price($0) }.flatMap { $0.isPositive ? $0 : nil } }
        self.init(
            quote: state.quote.flatMap { Currency($0.uppercased()) }, last: price(state.last), bid: price(state.bid),
            ask: price(state.ask), isFrozen: state.state == .frozen)
        record(digitsOf: [state.last, state.bid, state.ask, state.open, state.high, state.low].compactMap(\.self))
    }

    fileprivate mutating func record(digitsOf texts: [String]) {
        for text in texts {
            guard let price = try? Price(text), price.isPositive else { continue }
            decimals = max(decimals ?? 0, Int(price.reduced.scale))
        }
    }
}

extension Condition {
    /// The day whose preceding price is the base of relative limits; nil if the base is not a day.
    fileprivate var day: CivilDate? {
        if case .day(let day)? = base { day } else { nil }
    }
}
