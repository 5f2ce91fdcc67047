package import ExchangeRates
package import Market

extension RuleEngine {
    /// What one unit of a coin costs in the last response: `last` of its market in rupees, else of that in USDT; nil
    /// when neither can be used.
    package func market(of coin: Currency) -> ExchangeRate? {
        guard coin != Currency.rupee else { return nil }
        for quote in Self.marketQuotes {
            guard let symbol = Symbol("\(coin)\(quote)".lowercased()), let number = table.number(of: symbol),
                symbolStates[number].lastPoll == pollCount, symbolStates[number].activity.frozenSince == nil,
                let price = symbolStates[number].lastPrice,
                let rate = ExchangeRate(base: coin, quote: quote, rate: price, basis: .market("\(symbol)"))
            else { continue }
            return rate
        }
        return nil
    }

    private static let marketQuotes = [Currency.rupee, Currency("USDT")].compactMap(\.self)

    /// Finds the route of a input, unless that of the response before still holds.
    mutating func findRoute(ofInput index: Int, ofSymbol number: Int) {
        guard let currency = symbolStates[number].inputs[index].currency,
            symbolStates[number].inputs[index].routeVersion != routes.version
        else { return }
        let (route, holds) = route(of: symbolStates[number], to: currency)
        symbolStates[number].inputs[index].route = route
        symbolStates[number].inputs[index].routeVersion = holds ? routes.version : nil
        // The levels of wake thresholds are in the market's currency; those of a route that does not hold are open
        // anyway.
        if holds { symbolStates[number].openWakeThresholds() }
    }

    /// The route of a market's prices into a currency, and whether it is the same whatever the next response has.
    private func route(of symbolState: SymbolState, to currency: Currency) -> (CurrencyRoute, holds: Bool) {
        guard let quote = symbolState.quoteCurrency else { return (.unconvertible, false) }
        guard quote != currency else { return (.none, true) }
        let route = routes.route(from: quote, to: currency, market: market)
        return (route, route.path.map { !$0.usesMarket } ?? false)
    }

    /// Finds all routes anew, as after a reload.
    mutating func findRoutes() {
        routes.update(routes.rates, pegs: settings.pegs)
        for number in symbolStates.indices {
            for index in symbolStates[number].inputs.indices { findRoute(ofInput: index, ofSymbol: number) }
        }
    }
}

extension Currency {
    fileprivate static let rupee = Currency("INR")
}
