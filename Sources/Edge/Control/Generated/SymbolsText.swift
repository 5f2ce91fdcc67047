// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Symbols” of the ``description``.
    static let symbolsText = """
        ## Symbols

        # The latest data of one symbol.
        type SymbolStatus (
          # The name of the source of prices.
          source: string,
          symbol: string,
          base: ?string,
          quote: ?string,
          last: ?string,
          bid: ?string,
          ask: ?string,
          open: ?string,
          high: ?string,
          low: ?string,
          volume: ?string,
          # The change from `open` to `last` in percent, with two decimals; null if it cannot be computed.
          change_percent: ?string,
          # The change in percent, with two decimals, from the last recorded price before `change_from` to `last`; null
          # if it was not asked for, and if there is no recorded price of the day before.
          past_change_percent: ?string,
          # The exchange's own time of the data.
          exchange_time: ?string,
          # When the data was received.
          received: string,
          state: SymbolState,
          # The number of firing alerts on this symbol.
          firing: int,
          # The lower and the upper limit that are nearest to the price, whether it has reached them or not.
          min: ?string,
          max: ?string,
          # The currencies of these limits; null for the quote currency.
          min_currency: ?string,
          max_currency: ?string,
          # The name of the base asset, if one of the sources is a price service that knows it.
          name: ?string,
          # The rank of the coin by market capitalization, where 1 is the largest; null unless a price service knows it.
          rank: ?int,
          # Its market capitalization, in the quote asset; null unless a price service knows it.
          market_cap: ?string,
          # The value traded in 24 hours, in the quote asset; null unless a price service knows it.
          turnover: ?string
        )

        # What a price service knows about a coin in addition to `SymbolStatus`.
        type CoinStatus (
          # The service's own identifier, which no other coin has.
          identity: string,
          # The price in bitcoins.
          bitcoin_price: ?string,
          # The service's own rating of its data about the coin; 1 is the most trustworthy.
          tier: ?int,
          # Whether its trading volume is low, so that the price may be unreliable.
          low_volume: ?bool,
          # When the service first listed it.
          listed: ?string,
          # The address of its page.
          link: ?string,
          # The prices of the last 24 hours at equal intervals, oldest first; empty strings where there was no price.
          sparkline: []string,
          # The changes over the periods whose past prices are stored.
          changes: []CoinChange
        )

        # How the price of a coin changed.
        type CoinChange (
          # As in `GetCoinHistory`.
          period: string,
          percent: string,
          # When these prices were received.
          fetched: string
        )

        # A summary of the prices of a symbol over a window of time.
        type WindowSummary (
          window_ms: int,
          samples: int,
          first: string,
          first_time: string,
          last: string,
          min: string,
          max: string,
          # The change from the first to the last price in percent, with two decimals; null if it cannot be computed.
          change_percent: ?string
        )

        # A price and when it was received.
        type PricePoint (
          time: string,
          price: string
        )

        # Returns the symbols of the last usable response, in its order; at most 1,000. A response between two pages may
        # repeat or omit some.
        method ListTickers(
          # The name of a source; all if null. A symbol may also have its source before it: `kraken:btcusd`.
          source: ?string,
          # A pattern in which `*` stands for any characters: `*inr`.
          match: ?string,
          # The quote asset, in either case.
          quote: ?string,
          # An instant in the past, for `past_change_percent`.
          change_from: ?string,
          # The `next` of the previous page; null for the first one.
          next: ?int
        ) -> (
          simulated: bool,
          # The names of the sources, separated by commas.
          source: string,
          # When the last usable response was received; null if there has been none yet.
          received: ?string,
          # Whether the prices are stale: there has been no usable response for three intervals.
          stale: bool,
          # The names of the sources whose prices are stale.
          stale_sources: ?[]string,
          symbols: []SymbolStatus,
          # The `next` to request the next page with; null if this is the last one.
          next: ?int
        )

        # Returns one symbol with its alerts and its price history.
        method GetSymbol(symbol: string) -> (
          simulated: bool,
          # Whether the prices are stale, as in `ListTickers`.
          stale: bool,
          symbol: SymbolStatus,
          # At most 500.
          alerts: []AlertStatus,
          # The `next` to request further alerts of the symbol with from `ListAlerts`; null if there are none.
          alerts_next: ?int,
          # A summary of all kept prices; null if there are none.
          window: ?WindowSummary,
          # Kept prices, evenly chosen if there are many, oldest first.
          prices: []PricePoint,
          # What a price service knows about the coin; null for a market of an exchange.
          coin: ?CoinStatus
        )

        # Returns the past prices of a coin as its price service has them. They are requested from the service unless
        # they are stored and recent; each request counts against the plan of the key.
        method GetCoinHistory(
          symbol: string,
          # `1h`, `3h`, `12h`, `24h`, `7d`, `30d`, `3m`, `1y`, `3y` or `5y`.
          period: string
        ) -> (
          simulated: bool,
          # The name of the source.
          source: string,
          symbol: string,
          # The asset of the prices.
          quote: ?string,
          # Whether they have been requested but have not arrived; there are no prices then, and the call may be
          # repeated.
          pending: bool,
          # When they were received; null if there are none.
          fetched: ?string,
          # Why there are no prices, or only old ones; null otherwise.
          message: ?string,
          # The change over the period in percent, as the service reports it.
          change_percent: ?string,
          # Oldest first.
          prices: []PricePoint
        )

        # The exchange does not list the symbol.
        error NoSuchSymbol (
          symbol: string,
          # The symbol that was probably meant.
          suggestion: ?string
        )

        """
}
