package import Time

/// The data of a price service about a coin, in addition to its ticker. Everything except the identity and the symbol
/// may be missing.
package struct Coin: Equatable, Sendable {
    /// The identifier of the coin at the service. It is unique, whereas several coins may share a ticker symbol.
    package var identity: String
    /// The symbol of the coin in the same response.
    package var symbol: Symbol
    /// The full name, such as `Bitcoin`.
    package var name: String?
    /// The rank by market capitalization; 1 is the largest.
    package var rank: Int?
    /// The value of all coins in circulation, in the quote asset of the symbol.
    package var marketCap: Price?
    /// The value traded in 24 hours, in the quote asset of the symbol.
    package var turnover: Price?
    /// The price change over 24 hours, in percent.
    package var changePercent: Price?
    /// The price in bitcoins.
    package var bitcoinPrice: Price?
    /// The prices of the last 24 hours at equal intervals, oldest first; nil if there was no price.
    package var sparkline: [Price?] = []
    /// The rating of the data by the service; 1 is the most trustworthy.
    package var tier: Int?
    /// True if the trading volume is low, so that the price may be unreliable.
    package var hasLowVolume: Bool?
    /// The time at which the service first listed the coin.
    package var listed: WallTime?
    /// The https URL of the page about the coin.
    package var link: String?

    /// Makes a coin without any other data.
    package init(identity: String, symbol: Symbol) {
        (self.identity, self.symbol) = (identity, symbol)
    }
}

/// The permanent assignment of a symbol to a coin, so that two coins with the same ticker symbol cannot swap symbols.
/// A name is dropped only if there are more than ``limit`` names and its coin has been missing for longer than all
/// others.
package struct CoinName: Equatable, Sendable {
    /// The maximum number of names kept for a source, not counting those in rules: as many as in the largest response,
    /// about 1 MB.
    package static let limit = TickerBatch.symbolLimit

    /// The identifier of the coin at the service.
    package var identity: String
    package var symbol: Symbol
    /// The full name of the coin when it first appeared, for people who read the state file.
    package var name: String?

    package init(identity: String, symbol: Symbol, name: String? = nil) {
        (self.identity, self.symbol, self.name) = (identity, symbol, name)
    }
}

/// A period for which a price service offers the past prices of a coin.
package enum PricePeriod: String, CaseIterable, Sendable {
    case hour = "1h"
    case threeHours = "3h"
    case twelveHours = "12h"
    case day = "24h"
    case week = "7d"
    case month = "30d"
    case quarter = "3m"
    case year = "1y"
    case threeYears = "3y"
    case fiveYears = "5y"

    /// The length of the period. A month has 30 days, a quarter 91, and a year 365.
    package var length: Milliseconds {
        let hours: Int64 =
            switch self {
            case .hour: 1
            case .threeHours: 3
            case .twelveHours: 12
            case .day: 24
            case .week: 7 * 24
            case .month: 30 * 24
            case .quarter: 91 * 24
            case .year: 365 * 24
            case .threeYears: 3 * 365 * 24
            case .fiveYears: 5 * 365 * 24
            }
        return .seconds(hours * 3_600)
    }
}

/// The past prices of a coin, as provided by a price service.
package struct CoinHistory: Equatable, Sendable {
    /// The maximum number of points that are kept; services send about 300.
    package static let pointLimit = 1_000

    /// The identifier of the coin at the service.
    package var identity: String
    package var period: PricePeriod
    /// The time at which the response was received.
    package var fetched: WallTime
    /// The change over the period in percent; nil if the service does not report it.
    package var changePercent: Price?
    /// The prices in the quote asset of the symbol, oldest first, with unique times.
    package var points: [CoinPoint]

    package init(
        identity: String, period: PricePeriod, fetched: WallTime, changePercent: Price? = nil, points: [CoinPoint]
    ) {
        (self.identity, self.period, self.fetched) = (identity, period, fetched)
        (self.changePercent, self.points) = (changePercent, points)
    }

    /// Returns true if the prices are recent enough to be shown without another request: not older than 1% of the
    /// period or an hour, whichever is longer.
    package func isRecent(at now: WallTime) -> Bool {
        let age = now.since(fetched)
        return age >= .zero && age.count <= max(3_600_000, period.length.count / 100)
    }
}

/// A past price of a coin.
package struct CoinPoint: Equatable, Sendable {
    package var time: WallTime
    package var price: Price

    package init(time: WallTime, price: Price) {
        (self.time, self.price) = (time, price)
    }
}
