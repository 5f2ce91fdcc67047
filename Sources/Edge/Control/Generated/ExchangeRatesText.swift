// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Exchange rates” of the ``description``.
    static let exchangeRatesText = """
        ## Exchange rates

        # The value of one euro in a currency.
        type ReferenceRate (
          currency: string,
          rate: string
        )

        # A declaration that one unit of a currency counts as one unit of another.
        type CurrencyPeg (
          currency: string,
          counts_as: string
        )

        # Where a rate comes from.
        type RateBasis (
          reference,
          peg,
          market,
          # Fixed by law for a currency that the euro has replaced.
          fixed
        )

        # One step of a conversion: one unit of `base` is worth `rate` units of `quote`.
        type RateStep (
          base: string,
          quote: string,
          rate: string,
          basis: RateBasis,
          # The date of a reference rate, or the first day of a fixed one.
          date: ?string,
          # The publisher of a reference rate, the law of a fixed one, or the symbol of the market; null for a peg.
          source: ?string
        )

        # Returns the current reference rates and the state of fetching them. Dates are YYYY-MM-DD.
        method Rates(
          # A currency, in either case; if it is a cryptocurrency, its market price is included.
          currency: ?string
        ) -> (
          # The base currency of the rates: EUR.
          base: string,
          # The date of the rates and their publisher; null if there are no rates.
          date: ?string,
          source: ?string,
          age_days: ?int,
          # Whether the rates are too old to rely on, or missing.
          stale: bool,
          stale_after_days: int,
          rates: []ReferenceRate,
          pegs: []CurrencyPeg,
          state: FetchState,
          # The last failure and what to do about it; null if there is none.
          message: ?string,
          # Null if fetching is disabled.
          url: ?string,
          # When the rates were fetched or last found unchanged.
          fetched: ?string,
          last_attempt: ?string,
          next_fetch: ?string,
          # The display currency of the settings; null for each market's own currency.
          display_currency: ?string,
          # The market prices of the cryptocurrencies in which markets are quoted; at most 64.
          markets: []RateStep
        )

        # Converts an amount to another currency. Cryptocurrencies are converted at the prices of the last response.
        method Convert(
          amount: string,
          # Currencies, in either case.
          from: string,
          to: string
        ) -> (
          amount: string,
          from: string,
          to: string,
          # Rounded half to even at 12 significant digits unless `exact`.
          result: string,
          exact: bool,
          # The date of the reference rates; null if none were used.
          date: ?string,
          # Whether these rates are too old to rely on.
          stale: bool,
          # Whether a peg was used.
          pegged: bool,
          # Whether a price of the simulated market was used.
          simulated: bool,
          # Empty if both currencies are the same.
          steps: []RateStep
        )

        # There is no conversion path from one currency to the other.
        error Unconvertible (
          # Why, and what to do.
          message: string
        )

        """
}
