package import ExchangeRates
package import Market

extension RuleEngine {
    /// What one unit of a coin costs in the last response: `last` of its market in rupees, else of that in USDT; nil
    /// when neither can be used.
    package func market(of coin: Currency) -> ExchangeRate? {
        guard coin != Currency.rupee else { return nil }
        for quote in Self.marketQuotes {
            guard let symbol = Symbol("\(coin)\(quote)".lowercased()), let number = table.number(of: symbol),
                tracks[number].lastPoll == pollCount, tracks[number].activity.frozenSince == nil,
                let price = tracks[number].lastPrice,
                let rate = ExchangeRate(base: coin, quote: quote, rate: price, basis: .market("\(symbol)"))
            else { continue }
            return rate
        }
        return nil
    }

    private static let marketQuotes = [Currency.rupee, Currency("USDT")].compactMap(\.self)

    /// Finds the route of a reading, unless that of the response before still holds.
    mutating func findRoute(ofReading index: Int, ofTrack number: Int) {
        guard let currency = tracks[number].readings[index].currency,
            tracks[number].readings[index].routeVersion != routes.version
        else { return }
        let (route, holds) = route(of: tracks[number], to: currency)
        tracks[number].readings[index].route = route
        tracks[number].readings[index].routeVersion = holds ? routes.version : nil
        // The levels of gates are in the market's currency; those of a route that does not hold are open anyway.
        if holds { tracks[number].openGates() }
    }

    /// The route of a market's prices into a currency, and whether it is the same whatever the next response has.
    private func route(of track: MarketTrack, to currency: Currency) -> (CurrencyRoute, holds: Bool) {
        guard let quote = track.quoteCurrency else { return (.unconvertible, false) }
        guard quote != currency else { return (.none, true) }
        let route = routes.route(from: quote, to: currency, market: market)
        return (route, route.path.map { !$0.usesMarket } ?? false)
    }

    /// Finds all routes anew, as after a reload.
    mutating func findRoutes() {
        routes.update(routes.rates, pegs: settings.pegs)
        for number in tracks.indices {
            for index in tracks[number].readings.indices { findRoute(ofReading: index, ofTrack: number) }
        }
    }
}

extension Currency {
    fileprivate static let rupee = Currency("INR")
}
