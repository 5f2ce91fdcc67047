package import EventLoop
package import ExchangeRates
internal import Market
internal import Time

/// A feed of reference rates for the simulated market, so that currencies can be tried without a network.
///
/// The rates are made up and close to real ones. They are the same every day, and always have today's date.
@LoopActor
package final class SimulatedRateFeed: RateFeed {
    /// The name of the source for users.
    package nonisolated static let sourceName = "simulated rates"

    package let url: String? = nil
    private let time: any TimeSource

    /// Creates a feed. The clock gives the date of the rates.
    package init(time: any TimeSource) {
        self.time = time
    }

    package func fetch() async throws(FeedFailure) -> RateTable? {
        let rates = Self.rates.compactMap { name, rate -> (currency: Currency, rate: Price)? in
            guard let currency = Currency(name), let price = try? Price(rate) else { return nil }
            return (currency, price)
        }
        return RateTable(date: time.now().wall.date, source: Self.sourceName, rates: rates)
    }

    /// Rates, in units per euro.
    private static let rates = [
        ("USD", "1.16"), ("INR", "104"), ("SEK", "11"), ("NOK", "11.7"), ("DKK", "7.46"), ("GBP", "0.88"),
        ("CHF", "0.93"), ("JPY", "180"), ("PLN", "4.25"), ("CZK", "24.2"), ("HUF", "385"), ("RON", "5.09"),
        ("ISK", "147"), ("TRY", "49"), ("AUD", "1.79"), ("BRL", "6.2"), ("CAD", "1.63"), ("CNY", "8.25"),
        ("HKD", "9.02"), ("IDR", "19400"), ("ILS", "3.8"), ("KRW", "1700"), ("MXN", "21.3"), ("MYR", "4.8"),
        ("NZD", "2.05"), ("PHP", "68"), ("SGD", "1.51"), ("THB", "37.6"), ("ZAR", "20"),
    ]
}
