internal import Configuration
internal import Control
internal import Engine
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import Market
internal import Time

/// A read-only view of the exchange rates for calls.
@LoopActor
struct RateQuery {
    private let exchangeRates: ExchangeRateService
    private let query: PipelineQuery
    private let displayCurrency: @LoopActor () -> Currency?

    /// - Parameters:
    ///   - exchangeRates: the reference rates.
    ///   - query: the source of the prices of coins.
    ///   - displayCurrency: returns the currency in which prices are shown; nil for each market's own.
    init(
        _ exchangeRates: ExchangeRateService, _ query: PipelineQuery,
        displayCurrency: @escaping @LoopActor () -> Currency?
    ) {
        self.exchangeRates = exchangeRates
        self.query = query
        self.displayCurrency = displayCurrency
    }

    /// Returns the reply to `Rates`, including the market price of an extra currency if it is a coin.
    func reply(with extra: Currency? = nil) -> RatesReply {
        let state = exchangeRates.state
        let now = query.clock.now()
        let rates = state.rates
        let failure = state.failure.map { ControlInterface.FetchState(rawValue: $0.kind.rawValue) }
        let next = state.nextDue.map { now.wall(at: $0) }
        return RatesReply(
            base: "\(Currency.euro)", date: rates?.date.description, source: rates?.source,
            ageDays: rates.map { Int($0.age(on: now.wall.date)) }, stale: rates?.isStale(on: now.wall.date) ?? true,
            staleAfterDays: Int(RateTable.daysUntilStale),
            rates: (rates?.currencies ?? []).compactMap { currency in
                rates?[currency].map { ReferenceRate(currency: "\(currency)", rate: "\($0)") }
            },
            pegs: query.engine.settings.pegs.map { CurrencyPeg(currency: "\($0.base)", countsAs: "\($0.quote)") },
            state: failure ?? (exchangeRates.feed == nil ? .disabled : rates == nil ? .starting : .ok),
            message: state.failure?.sentence, ignored: exchangeRates.ignored + state.formerRates,
            url: exchangeRates.feed?.url, fetched: state.fetched?.description,
            lastAttempt: state.lastAttempt?.description, nextFetch: next?.description,
            displayCurrency: displayCurrency()?.description, markets: markets(and: extra))
    }

    /// Returns the market prices of the coins in which markets are quoted, and of an extra coin. Currencies with a
    /// reference rate or a peg are omitted.
    private func markets(and extra: Currency?) -> [RateStep] {
        let tickers = query.lanes.compactMap(\.batch).flatMap(\.tickers)
        let quotes = Set(tickers.compactMap(\.quote)).sorted().map(\.currency)
        let coins = (quotes + [extra].compactMap(\.self).filter { !quotes.contains($0) }).filter { currency in
            exchangeRates.state.rates?[currency] == nil && !query.engine.settings.pegs.contains { $0.base == currency }
        }
        let markets = coins.lazy.compactMap { query.market(of: $0).map(RateStep.init) }
        return Array(markets.prefix(PageLimits.rateMarkets))
    }

    /// Returns the reply to `Convert`.
    ///
    /// - Throws: ``ConversionError`` if there is no path between the currencies.
    func convert(_ money: Money, to currency: Currency) throws(ConversionError) -> ConvertReply {
        let markets = [money.currency, currency].compactMap(query.market)
        let state = exchangeRates.state
        let pegs = query.engine.settings.pegs
        let conversion: Conversion
        var isFormer = false
        do throws(ConversionError) {
            conversion = try CurrencyConverter(state.rates, pegs: pegs, markets: markets).convert(money, to: currency)
        } catch {
            // A currency without a usable rate in the last file is converted at its previous rate, which is stale.
            guard let former = state.former,
                let old = try? CurrencyConverter(former, pegs: pegs, markets: markets).convert(money, to: currency)
            else { throw error }
            (conversion, isFormer) = (old, true)
        }
        return ConvertReply(
            conversion, isStale: isFormer || state.rates?.isStale(on: query.clock.now().wall.date) ?? true,
            isSimulated: query.isSimulated, fetched: state.fetched)
    }

    /// The reply to `Convert` with a past date.
    ///
    /// - Throws: ``PastRatesFailure``.
    func convert(
        _ money: Money, to currency: Currency, on date: CivilDate, _ past: any PastRateSource
    ) async throws(PastRatesFailure) -> ConvertReply {
        let pegs = query.engine.settings.pegs
        do throws(PastRateError) {
            let today = Self.latestDate(at: query.clock.now().wall)
            try PastConversion.check(date, today: today, [money.currency, currency], pegs: pegs)
        } catch {
            throw PastRatesFailure("\(error)")
        }
        let rates: DatedRates
        if let inEffect = ratesInEffect(on: date) { rates = inEffect } else { rates = try await past.rates(on: date) }
        do throws(PastRateError) {
            let conversion = try PastConversion.convert(money, to: currency, on: date, by: rates.table, pegs: pegs)
            return ConvertReply(conversion, on: date, fetched: rates.fetched)
        } catch {
            throw PastRatesFailure("\(error)")
        }
    }

    /// The rates in effect if they are those of the date: no later ones had been published by then.
    private func ratesInEffect(on date: CivilDate) -> DatedRates? {
        let state = exchangeRates.state
        guard let rates = state.rates, let fetched = state.fetched, rates.date <= date else { return nil }
        guard rates.date == date || Self.latestDate(at: fetched) >= date else { return nil }
        return DatedRates(table: rates, fetched: fetched)
    }

    /// The date where the day begins first.
    private static func latestDate(at time: WallTime) -> CivilDate {
        WallTime(milliseconds: time.milliseconds + 14 * 3_600_000).date
    }
}

extension RateQuery {
    /// Returns the reason why an amount cannot be converted. If the cause is a coin whose market has no usable price,
    /// the reason names the market.
    func reason(_ error: ConversionError) -> String {
        guard case .noWay(let from, let to, let coin) = error else { return error.description }
        for lane in query.lanes {
            for symbol in RuleEngine.markets(of: coin) {
                let reason: String
                switch lane.engine.condition(of: symbol) {
                case .frozen?: reason = "is frozen"
                case .missing?: reason = "is missing from the last response"
                case .ok?, .unusable?: reason = "has no usable price"
                case nil: continue
                }
                return "\(from) cannot be converted to \(to): the market \(lane.name):\(symbol) \(reason), and there "
                    + "is no other exchange rate for \(coin)"
            }
        }
        return error.description
    }
}

extension RateState {
    /// The last rates of currencies that have no current rate, for people.
    fileprivate var formerRates: [String] {
        guard let rates, let former else { return [] }
        return former.currencies(lackingIn: rates).compactMap { currency in
            former[currency].map { "\(currency) has its last rate, \($0) of \(former.date), which is stale" }
        }
    }
}
