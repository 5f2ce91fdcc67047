/// How much of a currency one euro is.
package struct ReferenceRate: Codable, Equatable, Sendable {
    package var currency: String
    package var rate: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case currency, rate
    }

    package init(currency: String, rate: String) {
        self.currency = currency
        self.rate = rate
    }
}

/// A declaration that one of a currency counts as one of another.
package struct CurrencyPeg: Codable, Equatable, Sendable {
    package var currency: String
    package var countsAs: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case currency
        case countsAs = "counts_as"
    }

    package init(currency: String, countsAs: String) {
        self.currency = currency
        self.countsAs = countsAs
    }
}

/// What `Rates` is asked.
package struct RatesParameters: Codable, Equatable, Sendable {
    /// A currency whose market price is wanted too, if it is a coin; in either case.
    package var currency: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case currency
    }

    package init(currency: String? = nil) {
        self.currency = currency
    }
}

/// What `Rates` answers.
package struct RatesReply: Codable, Equatable, Sendable {
    /// What the rates are counted from: `EUR`.
    package var base: String
    package var date: String?
    package var source: String?
    package var ageDays: Int?
    /// Whether the rates are too old to rely on, or missing.
    package var stale: Bool
    package var staleAfterDays: Int
    package var rates: [ReferenceRate]
    package var pegs: [CurrencyPeg]
    /// `ok`, `starting`, `disabled`, or the word for what went wrong last.
    package var state: String
    package var message: String?
    package var url: String?
    package var fetched: String?
    package var lastAttempt: String?
    package var nextFetch: String?
    /// What the settings say that people read prices in; nil for each market's own currency.
    package var displayCurrency: String?
    /// What the coins cost that markets are quoted in, and the one that was asked for.
    package var markets: [RateStep]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case base, date, source
        case ageDays = "age_days"
        case stale
        case staleAfterDays = "stale_after_days"
        case rates, pegs, state, message, url, fetched
        case lastAttempt = "last_attempt"
        case nextFetch = "next_fetch"
        case displayCurrency = "display_currency"
        case markets
    }

    package init(
        base: String, date: String? = nil, source: String? = nil, ageDays: Int? = nil, stale: Bool,
        staleAfterDays: Int, rates: [ReferenceRate] = [], pegs: [CurrencyPeg] = [], state: String,
        message: String? = nil, url: String? = nil, fetched: String? = nil, lastAttempt: String? = nil,
        nextFetch: String? = nil, displayCurrency: String? = nil, markets: [RateStep] = []
    ) {
        self.base = base
        self.date = date
        self.source = source
        self.ageDays = ageDays
        self.stale = stale
        self.staleAfterDays = staleAfterDays
        self.rates = rates
        self.pegs = pegs
        self.state = state
        self.message = message
        self.url = url
        self.fetched = fetched
        self.lastAttempt = lastAttempt
        self.nextFetch = nextFetch
        self.displayCurrency = displayCurrency
        self.markets = markets
    }
}

/// What `Convert` is asked.
package struct ConvertParameters: Codable, Equatable, Sendable {
    /// A decimal number.
    package var amount: String
    /// In either case.
    package var from: String
    /// In either case.
    package var to: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case amount, from, to
    }

    package init(amount: String, from: String, to: String) {
        self.amount = amount
        self.from = from
        self.to = to
    }
}

/// One exchange rate on the way of a conversion: one of `base` is `rate` of `quote`.
package struct RateStep: Codable, Equatable, Sendable {
    package var base: String
    package var quote: String
    package var rate: String
    /// `reference`, `peg` or `market`.
    package var basis: String
    package var date: String?
    /// Who gives a reference rate, or the symbol of the market; nil for a peg.
    package var source: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case base, quote, rate, basis, date, source
    }

    package init(
        base: String, quote: String, rate: String, basis: String, date: String? = nil, source: String? = nil
    ) {
        self.base = base
        self.quote = quote
        self.rate = rate
        self.basis = basis
        self.date = date
        self.source = source
    }
}

/// What `Convert` answers.
package struct ConvertReply: Codable, Equatable, Sendable {
    package var amount: String
    package var from: String
    package var to: String
    /// Rounded half to even at 12 significant digits unless exact.
    package var result: String
    package var exact: Bool
    /// The date of the reference rates; nil when none took part.
    package var date: String?
    /// Whether these rates are too old to rely on.
    package var stale: Bool
    package var pegged: Bool
    /// Whether a price of a simulated market took part.
    package var simulated: Bool
    /// None when both currencies are the same.
    package var steps: [RateStep]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case amount, from, to, result, exact, date, stale, pegged, simulated, steps
    }

    package init(
        amount: String, from: String, to: String, result: String, exact: Bool, date: String? = nil, stale: Bool,
        pegged: Bool, simulated: Bool, steps: [RateStep]
    ) {
        self.amount = amount
        self.from = from
        self.to = to
        self.result = result
        self.exact = exact
        self.date = date
        self.stale = stale
        self.pegged = pegged
        self.simulated = simulated
        self.steps = steps
    }
}
