import ExchangeRates
import Market
import Testing
import Time

func price(_ text: String) throws -> Price { try Price(text) }

func currency(_ text: String) throws -> Currency { try #require(Currency(text)) }

func money(_ text: String) throws -> Money { try #require(Money(text)) }

func day(_ year: Int64, _ month: Int64, _ day: Int64) throws -> CivilDate {
    try #require(CivilDate(year: year, month: month, day: day))
}

/// A table of made-up rates, written `SEK 10.8920, INR 109.0470`.
func table(_ rates: String, on date: CivilDate? = nil) throws -> RateTable {
    let pairs = try rates.split(separator: ", ").map { pair in
        let words = pair.split(separator: " ").map(String.init)
        return (currency: try currency(words[0]), rate: try price(words[1]))
    }
    return try #require(try RateTable(date: date ?? day(2026, 4, 13), source: "made up", rates: pairs))
}

let someRates = "USD 1.1684, JPY 186.75, SEK 10.8920, INR 109.0470, IDR 20082.05"

extension ExchangeRate {
    static func usdtIsUSD() throws -> ExchangeRate {
        try #require(try ExchangeRate.peg(currency("USDT"), to: currency("USD")))
    }

    /// A price at a market, such as `BTC INR 7522957`.
    static func market(_ text: String) throws -> ExchangeRate {
        let words = text.split(separator: " ").map(String.init)
        let name = (words[0] + words[1]).lowercased()
        return try #require(
            try ExchangeRate(
                base: currency(words[0]), quote: currency(words[1]), rate: price(words[2]), basis: .market(name)))
    }
}
