internal import Time

extension ControlInterface {
    /// The part of the ``description`` about what is kept: prices, events, the state file.
    static let storeDescription = """
        # The prices of one step of time
        type PriceBar (
          # When the step begins.
          time: string,
          open: string,
          high: string,
          low: string,
          close: string,
          samples: int
        )

        # The prices of one poll: as many symbols as prices, in the same order
        type PriceRow (
          time: string,
          symbols: []string,
          prices: []string
        )

        # Prices of one symbol: as many times as prices, in the same order
        type PriceColumn (
          symbol: string,
          # Milliseconds since 1970-01-01T00:00:00Z.
          times_ms: []int,
          prices: []string
        )

        # The prices of a symbol as they were received, from since on and before until, oldest first; with last only
        # the last so many. A page has at most 1,000: next is the since of the next one, null when there is none.
        # Prices that are further apart than gap_ms have a gap between them.
        method ListPrices(symbol: string, since: ?string, until: ?string, last: ?int) -> (
          simulated: bool,
          gap_ms: int,
          prices: []PricePoint,
          next: ?string
        )

        # The prices of a symbol summed up in steps, which begin at whole multiples of step_ms since
        # 1970-01-01T00:00:00Z, offset_ms later. A step without a price has no bar. A page has at most 1,000.
        method ListBars(symbol: string, since: string, until: string, step_ms: int, offset_ms: ?int) -> (
          simulated: bool,
          bars: []PriceBar,
          next: ?string
        )

        # The prices of all symbols or of those that match, in the order in which they were received. The next page
        # is asked with next.
        method ExportPrices(match: ?[]string, since: ?string, until: ?string, next: ?string) -> (
          simulated: bool,
          source: string,
          rows: []PriceRow,
          next: ?string
        )

        # Keeps prices of another time beside those that were received; for those who may reload. At most 1,000
        # prices and 300 symbols a call. The daemon takes up several calls at once, and all of them with the one that
        # says that it is the last on its connection; it answers what became of those that it has taken up now.
        # A price that is there already stays.
        method ImportPrices(columns: []PriceColumn, last: bool) -> (
          added: int,
          duplicates: int,
          conflicting: int,
          too_old: int
        )

        # The events for which all that is said holds, oldest first unless newest_first is true; at most 500. more
        # tells that there are others behind the last one.
        method ListEvents(
          after: ?int,
          before: ?int,
          since: ?string,
          until: ?string,
          rule: ?string,
          symbol: ?string,
          kind: ?string,
          severity: ?string,
          limit: ?int,
          newest_first: ?bool
        ) -> (simulated: bool, source: string, events: []EventRecord, more: bool)

        # A copy of the state file as it is now; for those who may reload; needs the flag more. The first reply has
        # its size in bytes, then come its bytes in base64, and with the last reply the CRC-32C of them all.
        method Backup() -> (size: ?int, data: ?string, crc32c: ?string)

        # The state file cannot be read or copied now; message says why and what to do
        error StoreFailed (message: string)
        """
}
