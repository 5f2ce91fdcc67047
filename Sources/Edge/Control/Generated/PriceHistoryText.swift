// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Price history” of the ``description``.
    static let priceHistoryText = """
        ## Price history

        # The prices of one time step.
        type PriceBar (
          # When the step begins.
          time: string,
          open: string,
          high: string,
          low: string,
          close: string,
          samples: int
        )

        # The prices of one poll: equally many symbols and prices, in the same order.
        type PriceRow (
          time: string,
          symbols: []string,
          prices: []string
        )

        # Prices of one symbol: equally many times and prices, in the same order.
        type PriceColumn (
          symbol: string,
          # Milliseconds since 1970-01-01T00:00:00Z.
          times_ms: []int,
          prices: []string
        )

        # Returns the prices of a symbol as they were received, oldest first; at most 1,000.
        method ListPrices(
          symbol: string,
          # The first instant that is included; the oldest kept price if null.
          since: ?string,
          # The first instant that is not included; no limit if null.
          until: ?string,
          # Return only this many of the newest prices.
          last: ?int
        ) -> (
          simulated: bool,
          # Successive prices further apart than this have a gap between them.
          gap_ms: int,
          prices: []PricePoint,
          # The `since` of the next page; null if this is the last one.
          next: ?string
        )

        # Returns the prices of a symbol in time steps, oldest first; at most 1,000. A step without a price has no bar.
        method ListBars(
          symbol: string,
          since: string,
          until: string,
          # The length of a step; at least 1.
          step_ms: int,
          # Steps begin at whole multiples of their length since 1970-01-01T00:00:00Z, this much later; 0 if null.
          offset_ms: ?int
        ) -> (
          simulated: bool,
          bars: []PriceBar,
          # The `since` of the next page; null if this is the last one.
          next: ?string
        )

        # How the price of a symbol moved within a minute in which the daemon had no prices, as the exchange recorded
        # it.
        type PriceCandle (
          # When the minute begins.
          time: string,
          open: string,
          high: string,
          low: string,
          close: string,
          # The amount that was traded, in the base asset.
          volume: string
        )

        # Returns the candles of a symbol that were fetched for times without prices, oldest first; at most 1,000.
        # Minutes without a trade have none. Candles never decide about alerts, except for `touched` events.
        # Fails with `StoreFailed` while the state file cannot be read.
        method ListCandles(
          symbol: string,
          # The first instant that is included; the oldest kept candle if null.
          since: ?string,
          # The first instant that is not included; no limit if null.
          until: ?string
        ) -> (
          simulated: bool,
          candles: []PriceCandle,
          # The `since` of the next page; null if this is the last one.
          next: ?string
        )

        # Returns the prices of many symbols, in the order in which they were received.
        method ExportPrices(
          # The name of the source; required if there are several.
          source: ?string,
          # Patterns in which `*` stands for any characters; all symbols if null.
          match: ?[]string,
          since: ?string,
          until: ?string,
          # The `next` of the previous page; null for the first one.
          next: ?string
        ) -> (
          simulated: bool,
          # The name of the source.
          source: string,
          rows: []PriceRow,
          # The `next` to request the next page with; null if this is the last one.
          next: ?string
        )

        # Adds recorded prices to the history; at most 1,000 prices and 300 symbols a call. Existing prices are kept.
        # The daemon may process several calls of a connection at once and reports on the prices processed since its
        # last reply. Only for those who may reload.
        method ImportPrices(
          # The name of the source; required if there are several.
          source: ?string,
          columns: []PriceColumn,
          # Whether this is the last call: everything sent on the connection is then saved.
          last: bool
        ) -> (
          added: int,
          # Prices that were already there.
          duplicates: int,
          # Prices for whose symbol and time another price exists, which is kept.
          conflicting: int,
          # Prices older than the history.
          too_old: int
        )

        """
}
