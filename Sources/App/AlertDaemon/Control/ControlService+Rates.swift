internal import Configuration
internal import Control
internal import Engine
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Time
internal import Varlink

extension Daemon {
    /// What `Rates` answers.
    func ratesReply(with extra: Currency? = nil) -> RatesReply {
        let state = exchangeRates.state
        let now = clock.now()
        let rates = state.rates
        let failure = state.failure.map { ControlInterface.FetchState(rawValue: $0.kind.rawValue) }
        let next = state.nextDue.map { WallTime(milliseconds: now.wall.milliseconds + $0.since(now.boot).count) }
        return RatesReply(
            base: "\(Currency.euro)", date: rates?.date.description, source: rates?.source,
            ageDays: rates.map { Int($0.age(on: now.wall.date)) }, stale: rates?.isStale(on: now.wall.date) ?? true,
            staleAfterDays: Int(RateTable.daysUntilStale),
            rates: (rates?.currencies ?? []).compactMap { currency in
                rates?[currency].map { ReferenceRate(currency: "\(currency)", rate: "\($0)") }
            },
            pegs: pipeline.engine.settings.pegs.map { CurrencyPeg(currency: "\($0.base)", countsAs: "\($0.quote)") },
            state: failure ?? (exchangeRates.feed == nil ? .disabled : rates == nil ? .starting : .ok),
            message: state.failure?.sentence, url: exchangeRates.feed?.url,
            fetched: state.fetched?.description, lastAttempt: state.lastAttempt?.description,
            nextFetch: next?.description, displayCurrency: loaded.settings.display.currency?.description,
            markets: markets(and: extra))
    }

    /// What the coins cost that markets are quoted in, and another one if it is a coin.
    private func markets(and extra: Currency?) -> [RateStep] {
        let engine = pipeline.engine
        let quotes = Set((pipeline.batch?.tickers ?? []).compactMap(\.quote)).sorted().map(\.currency)
        let coins = (quotes + [extra].compactMap(\.self).filter { !quotes.contains($0) }).filter { currency in
            exchangeRates.state.rates?[currency] == nil && !engine.settings.pegs.contains { $0.base == currency }
        }
        return coins.compactMap { engine.market(of: $0).map(RateStep.init) }
    }

    /// What `Convert` answers.
    func convert(_ money: Money, to currency: Currency) throws(ConversionError) -> ConvertReply {
        let markets = [money.currency, currency].compactMap(pipeline.engine.market)
        let converter = CurrencyConverter(
            exchangeRates.state.rates, pegs: pipeline.engine.settings.pegs, markets: markets)
        let conversion = try converter.convert(money, to: currency)
        let steps = conversion.steps.map { RateStep($0.rate) }
        return ConvertReply(
            amount: "\(money.amount)", from: "\(money.currency)", to: "\(currency)",
            result: "\(conversion.result.amount)", exact: conversion.isExact, date: conversion.date?.description,
            stale: conversion.date != nil && exchangeRates.state.rates?.isStale(on: clock.now().wall.date) ?? true,
            pegged: conversion.restsOnPeg, simulated: feed.isSimulated && steps.contains { $0.basis == .market },
            steps: steps)
    }
}

extension ControlService {
    func rates(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = try call.decodeParameters(as: RatesParameters.self)
        call.reply(daemon.ratesReply(with: try Self.optional(parameters.currency, named: "currency") { Currency($0) }))
    }

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
    fileprivate init(_ rate: ExchangeRate) {
        let (word, date, source): (ControlInterface.RateBasis, CivilDate?, String?) =
            switch rate.basis {
            case .reference(let date, let source): (.reference, date, source)
            case .peg: (.peg, nil, nil)
            case .market(let name): (.market, nil, name)
            }
        self.init(
            base: "\(rate.base)", quote: "\(rate.quote)", rate: "\(rate.rate)", basis: word, date: date?.description,
            source: source)
    }
}
