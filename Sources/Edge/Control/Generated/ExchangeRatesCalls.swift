// Made from org.alertd.Control.varlink by `make generate`; do not edit.

package import JSON

/// The parameters of `Rates`.
package struct RatesParameters: Equatable, Sendable {
    /// A currency, in either case; if it is a cryptocurrency, its market price is included.
    package var currency: String?

    package init(currency: String? = nil) {
        self.currency = currency
    }
}

extension RatesParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        currency = try object.readIfPresent("currency")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("currency", currency)
        writer.endObject()
    }
}

/// The reply of `Rates`.
package struct RatesReply: Equatable, Sendable {
    /// The base currency of the rates: EUR.
    package var base: String
    /// The date of the rates and their publisher; nil if there are no rates.
    package var date: String?
    package var source: String?
    package var ageDays: Int?
    /// Whether the rates are too old to rely on, or missing.
    package var stale: Bool
    package var staleAfterDays: Int
    package var rates: [ReferenceRate]
    package var pegs: [CurrencyPeg]
    package var state: ControlInterface.FetchState
    /// The last failure and what to do about it; nil if there is none.
    package var message: String?
    /// Nil if fetching is disabled.
    package var url: String?
    /// When the rates were fetched or last found unchanged.
    package var fetched: String?
    package var lastAttempt: String?
    package var nextFetch: String?
    /// The display currency of the settings; nil for each market's own currency.
    package var displayCurrency: String?
    /// The market prices of the cryptocurrencies in which markets are quoted; at most 64.
    package var markets: [RateStep]

    package init(
        base: String, date: String? = nil, source: String? = nil, ageDays: Int? = nil, stale: Bool, staleAfterDays: Int,
        rates: [ReferenceRate], pegs: [CurrencyPeg], state: ControlInterface.FetchState, message: String? = nil,
        url: String? = nil, fetched: String? = nil, lastAttempt: String? = nil, nextFetch: String? = nil,
        displayCurrency: String? = nil, markets: [RateStep]
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

extension RatesReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        base = try object.read("base")
        date = try object.readIfPresent("date")
        source = try object.readIfPresent("source")
        ageDays = try object.readIfPresent("age_days")
        stale = try object.read("stale")
        staleAfterDays = try object.read("stale_after_days")
        rates = try object.read("rates")
        pegs = try object.read("pegs")
        state = try object.read("state")
        message = try object.readIfPresent("message")
        url = try object.readIfPresent("url")
        fetched = try object.readIfPresent("fetched")
        lastAttempt = try object.readIfPresent("last_attempt")
        nextFetch = try object.readIfPresent("next_fetch")
        displayCurrency = try object.readIfPresent("display_currency")
        markets = try object.read("markets")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("base", base)
        writer.member("date", date)
        writer.member("source", source)
        writer.member("age_days", ageDays)
        writer.member("stale", stale)
        writer.member("stale_after_days", staleAfterDays)
        writer.member("rates", rates)
        writer.member("pegs", pegs)
        writer.member("state", state)
        writer.member("message", message)
        writer.member("url", url)
        writer.member("fetched", fetched)
        writer.member("last_attempt", lastAttempt)
        writer.member("next_fetch", nextFetch)
        writer.member("display_currency", displayCurrency)
        writer.member("markets", markets)
        writer.endObject()
    }
}

/// The parameters of `Convert`.
package struct ConvertParameters: Equatable, Sendable {
    package var amount: String
    /// Currencies, in either case.
    package var from: String
    package var to: String

    package init(amount: String, from: String, to: String) {
        self.amount = amount
        self.from = from
        self.to = to
    }
}

extension ConvertParameters: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        amount = try object.read("amount")
        from = try object.read("from")
        to = try object.read("to")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("amount", amount)
        writer.member("from", from)
        writer.member("to", to)
        writer.endObject()
    }
}

/// The reply of `Convert`.
package struct ConvertReply: Equatable, Sendable {
    package var amount: String
    package var from: String
    package var to: String
    /// Rounded half to even at 12 significant digits unless `exact`.
    package var result: String
    package var exact: Bool
    /// The date of the reference rates; nil if none were used.
    package var date: String?
    /// Whether these rates are too old to rely on.
    package var stale: Bool
    /// Whether a peg was used.
    package var pegged: Bool
    /// Whether a price of the simulated market was used.
    package var simulated: Bool
    /// Empty if both currencies are the same.
    package var steps: [RateStep]

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

extension ConvertReply: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        amount = try object.read("amount")
        from = try object.read("from")
        to = try object.read("to")
        result = try object.read("result")
        exact = try object.read("exact")
        date = try object.readIfPresent("date")
        stale = try object.read("stale")
        pegged = try object.read("pegged")
        simulated = try object.read("simulated")
        steps = try object.read("steps")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("amount", amount)
        writer.member("from", from)
        writer.member("to", to)
        writer.member("result", result)
        writer.member("exact", exact)
        writer.member("date", date)
        writer.member("stale", stale)
        writer.member("pegged", pegged)
        writer.member("simulated", simulated)
        writer.member("steps", steps)
        writer.endObject()
    }
}

/// The parameters of the error `Unconvertible`. There is no conversion path from one currency to the other.
package struct Unconvertible: Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

extension Unconvertible: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        var object = try json.object()
        message = try object.read("message")
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("message", message)
        writer.endObject()
    }
}
