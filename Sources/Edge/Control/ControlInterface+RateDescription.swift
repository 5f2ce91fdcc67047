extension ControlInterface {
    /// The part of the ``description`` about exchange rates.
    static let rateDescription = """
        # How much of a currency one euro is
        type ReferenceRate (
          currency: string,
          rate: string
        )

        # A declaration that one of a currency counts as one of another
        type CurrencyPeg (
          currency: string,
          counts_as: string
        )

        # A limit of a rule that does not move: a number or low..high, and what it is counted in
        type RuleLimit (
          bound: string,
          limit: string,
          currency: string
        )

        # One exchange rate on the way of a conversion: one of base is rate of quote
        type RateStep (
          base: string,
          quote: string,
          rate: string,
          # reference, peg or market.
          basis: string,
          # Of a reference rate: its date; else null.
          date: ?string,
          # Who gives a reference rate, or the symbol of the market; null for a peg.
          source: ?string
        )

        # The reference rates in force, and how fetching them goes. Dates are YYYY-MM-DD. With a currency that is a
        # coin, its price at the exchange is among the markets.
        method Rates(currency: ?string) -> (
          # What the rates are counted from: EUR.
          base: string,
          # The date of the rates and who gives them; null while there are none.
          date: ?string,
          source: ?string,
          age_days: ?int,
          # Whether they are too old to rely on, or missing.
          stale: bool,
          stale_after_days: int,
          rates: []ReferenceRate,
          pegs: []CurrencyPeg,
          # ok, starting, disabled, or the word for what went wrong last: refused, timeout, unusable.
          state: string,
          # The last failure in words, with what to do; null while all is well.
          message: ?string,
          # Null when fetching is disabled.
          url: ?string,
          # When the rates were fetched, or last found to be unchanged.
          fetched: ?string,
          last_attempt: ?string,
          next_fetch: ?string,
          # What the settings say that people read prices in; null for each market's own currency.
          display_currency: ?string,
          # What the coins cost that markets are quoted in.
          markets: []RateStep
        )

        # An amount in another currency. Amounts in crypto-currencies go through the prices of the last response.
        method Convert(amount: string, from: string, to: string) -> (
          amount: string,
          from: string,
          to: string,
          # Rounded half to even at 12 significant digits unless exact.
          result: string,
          exact: bool,
          # The date of the reference rates; null when none took part.
          date: ?string,
          # Whether these rates are too old to rely on.
          stale: bool,
          pegged: bool,
          # Whether a price of a simulated market took part.
          simulated: bool,
          # Empty when both currencies are the same.
          steps: []RateStep
        )

        # There is no way from one currency to the other; the message says why
        error Unconvertible (message: string)
        """
}
