package import Market

/// Reference rates of one day, as the engine is given them.
package struct ReferenceRates: Equatable, Sendable {
    /// How much of each currency one euro is; greater than 0.
    package var perEuro: [Currency: Price]
    package var date: CivilDate
    /// Who says so, such as `ecb`.
    package var source: String
    /// Whether they are too old for rules to be decided on.
    package var isStale: Bool

    package init(perEuro: [Currency: Price], date: CivilDate, source: String, isStale: Bool = false) {
        self.perEuro = perEuro
        self.date = date
        self.source = source
        self.isStale = isStale
    }

    func rate(of currency: Currency) -> Price? {
        currency == .euro ? .one : perEuro[currency]
    }
}

extension Currency {
    static let rupee = Currency("INR")
}

/// A currency that counts as another one, whatever the market says.
package struct Peg: Equatable, Sendable {
    package var coin: Currency
    package var currency: Currency

    package init(coin: Currency, currency: Currency) {
        self.coin = coin
        self.currency = currency
    }
}

extension Peg {
    /// `USDT` counts as `USD`.
    package static let tetherAsDollar = Currency("USDT").flatMap { coin in
        Currency("USD").map { Peg(coin: coin, currency: $0) }
    }
}
