package import Time

/// What a price service knows about a coin besides its ticker. Everything but its identity may be missing.
package struct Coin: Equatable, Sendable {
    /// The service's own identifier, which no other coin has: several may have the same ticker symbol.
    package var identity: String
    /// Its market in the same response.
    package var symbol: Symbol
    /// `Bitcoin`
    package var name: String?
    /// Its rank by market capitalization; 1 is the largest.
    package var rank: Int?
    /// The value of all coins in circulation, in the quote asset of the market.
    package var marketCap: Price?
    /// The value traded in 24 hours, in the quote asset of the market.
    package var turnover: Price?
    /// The change of the price over 24 hours, in per cent.
    package var changePercent: Price?
    /// The price in bitcoins.
    package var bitcoinPrice: Price?
    /// The prices of the last 24 hours at equal intervals, oldest first; nil where there was no price.
    package var sparkline: [Price?] = []
    /// The service's own rating of its data; 1 is the most trustworthy.
    package var tier: Int?
    /// Whether its trading volume is low, so that the price may be unreliable.
    package var hasLowVolume: Bool?
    /// When the service first listed it.
    package var listed: WallTime?
    /// Its page, an https address.
    package var link: String?

    /// A coin of which nothing else is known.
    package init(identity: String, symbol: Symbol) {
        (self.identity, self.symbol) = (identity, symbol)
    }
}

/// The market of a coin. It does not change, so that two coins with the same ticker symbol cannot swap markets; it is
/// forgotten only when there are more than ``limit``, and the coin was gone for longer than all others.
package struct CoinName: Equatable, Sendable {
    /// The most names of a source that are kept besides those that rules name: those of the largest response. They are
    /// 1 MB.
    package static let limit = TickerBatch.symbolLimit

    /// The service's own identifier of the coin.
    package var identity: String
    package var symbol: Symbol
    /// The name of the coin when it was first seen, for people who read the state file.
    package var name: String?

    package init(identity: String, symbol: Symbol, name: String? = nil) {
        (self.identity, self.symbol, self.name) = (identity, symbol, name)
    }
}

/// A length of time over which a price service has the past prices of a coin.
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

    /// The length; a month has 30 days, and a year 365.
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

/// The past prices of a coin as a price service has them.
package struct CoinHistory: Equatable, Sendable {
    /// The most points that are kept: services have about 300.
    package static let pointLimit = 1_000

    /// The service's own identifier of the coin.
    package var identity: String
    package var period: PricePeriod
    /// When it was received.
    package var fetched: WallTime
    /// The change over the period in per cent; nil if the service does not say.
    package var changePercent: Price?
    /// Oldest first, each time once; in the quote asset of the market.
    package var points: [CoinPoint]

    package init(
        identity: String, period: PricePeriod, fetched: WallTime, changePercent: Price? = nil, points: [CoinPoint]
    ) {
        (self.identity, self.period, self.fetched) = (identity, period, fetched)
        (self.changePercent, self.points) = (changePercent, points)
    }

    /// Whether it is recent enough to be shown without another request: younger than a hundredth of its period, or an
    /// hour, whichever is longer.
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
