internal import Control
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Rules
internal import Varlink

extension Daemon {
    /// What `Rates` answers.
    func ratesReply() -> RatesReply {
        let state = rateKeeper.state
        let now = clock.now()
        let rates = state.rates
        let word = rateKeeper.feed == nil ? "disabled" : rates == nil ? "starting" : "ok"
        let next = state.nextDue.map { WallTime(milliseconds: now.wall.milliseconds + $0.since(now.boot).count) }
        return RatesReply(
            base: "\(Currency.euro)", date: rates?.date.description, source: rates?.source,
            ageDays: rates.map { Int($0.age(on: now.wall.date)) }, stale: rates?.isStale(on: now.wall.date) ?? true,
            staleAfterDays: Int(RateTable.daysUntilStale),
            rates: (rates?.currencies ?? []).compactMap { currency in
                rates?[currency].map { ReferenceRate(currency: "\(currency)", rate: "\($0)") }
            },
            pegs: pegs.map { CurrencyPeg(currency: "\($0.base)", countsAs: "\($0.quote)") },
            state: state.failure?.kind.rawValue ?? word,
            message: state.failure.map { "\($0.message); \($0.advice)" }, url: rateKeeper.feed?.url,
            fetched: state.fetched?.description, lastAttempt: state.lastAttempt?.description,
            nextFetch: next?.description)
    }

    /// What `Convert` answers.
    func convert(_ money: Money, to currency: Currency) throws(ConversionError) -> ConvertReply {
        let markets = [money.currency, currency].compactMap(pipeline.market)
        let converter = CurrencyConverter(rateKeeper.state.rates, pegs: pegs, markets: markets)
        let conversion = try converter.convert(money, to: currency)
        let steps = conversion.steps.map(RateStep.init)
        return ConvertReply(
            amount: "\(money.amount)", from: "\(money.currency)", to: "\(currency)",
            result: "\(conversion.result.amount)", exact: conversion.isExact, date: conversion.date?.description,
            stale: conversion.date != nil && rateKeeper.state.rates?.isStale(on: clock.now().wall.date) ?? true,
            pegged: conversion.restsOnPeg, simulated: feed.isSimulated && steps.contains { $0.basis == "market" },
            steps: steps)
    }

    /// What counts as something else by declaration.
    private var pegs: [ExchangeRate] {
        guard let usdt = Currency("USDT"), let usd = Currency("USD") else { return [] }
        return [ExchangeRate.peg(usdt, to: usd)].compactMap(\.self)
    }
}

extension Pipeline {
    /// What a crypto-currency costs: `last` of its market in INR, else in USDT, in the last response; nil when neither
    /// can be used.
    func market(of currency: Currency) -> ExchangeRate? {
        for quote in ["inr", "usdt"].compactMap({ Asset($0) }) {
            let ticker = batch?.tickers.first { $0.base?.currency == currency && $0.quote == quote }
            guard let ticker, let last = ticker.last, engine.condition(of: ticker.symbol) == .ok else { continue }
            if let rate = ExchangeRate(
                base: currency, quote: quote.currency, rate: last, basis: .market("\(ticker.symbol)"))
            {
                return rate
            }
        }
        return nil
    }
}

extension ControlService {
    func convert(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: ConvertParameters.self)
        guard let amount = try? Price(parameters.amount) else { throw .invalidParameter("amount") }
        guard let from = Currency(parameters.from) else { throw .invalidParameter("from") }
        guard let to = Currency(parameters.to) else { throw .invalidParameter("to") }
        do {
            call.reply(try daemon.convert(Money(amount, from), to: to))
        } catch {
            throw VarlinkError(
                ControlInterface.ErrorName.unconvertible.qualifiedName, Unconvertible(message: error.description))
        }
    }
}

extension RateStep {
    fileprivate init(_ step: ConversionStep) {
        let rate = step.rate
        let (word, date, source): (String, CivilDate?, String?) =
            switch rate.basis {
            case .reference(let date, let source): ("reference", date, source)
            case .peg: ("peg", nil, nil)
            case .market(let name): ("market", nil, name)
            }
        self.init(
            base: "\(rate.base)", quote: "\(rate.quote)", rate: "\(rate.rate)", basis: word, date: date?.description,
            source: source)
    }
}
