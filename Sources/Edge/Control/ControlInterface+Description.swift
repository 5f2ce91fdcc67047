extension ControlInterface {
    /// The interface in Varlink's definition language, as `GetInterfaceDescription` answers it. What it says of types
    /// is what the `Codable` types of this module write and read.
    package static let description = [
        mainDescription, storeDescription, rateDescription, explainDescription, livingDescription, limitDescription,
    ].joined(separator: "\n\n")

    private static let mainDescription = """
        # The control interface of alertd. Prices and limits are decimal strings, times RFC 3339 in UTC with
        # milliseconds, names that end in _ms lengths in milliseconds. A field that is null may be left out.
        interface org.alertd.Control

        # What Status answers: what a person wants to know of a running daemon. Times are RFC 3339 in UTC.
        type DaemonStatus (
          version: string,
          pid: int,
          started: string,
          # Whether prices come from the built-in simulated market.
          simulated: bool,
          feed: FeedStatus,
          # How many symbols the last usable response had.
          symbols: int,
          rules: int,
          # How many alerts fire.
          firing: int,
          # How many silences are in force.
          silences: int,
          # Rules that cannot do their work now, each a line: no such symbol, frozen, unconvertible.
          problems: []string,
          # The number of the last event; 0 when there was none.
          last_event: int,
          # Readers of the event socket that are connected.
          event_readers: int,
          event_readers_limit: int,
          history: HistoryStatus,
          store: StoreStatus,
          sinks: []SinkStatus,
          configuration: ConfigurationStatus
        )

        # How polling the exchange goes.
        type FeedStatus (
          # wazirx or simulator.
          source: string,
          # Null when there is no request: the simulated market.
          url: ?string,
          # ok, starting, or the word for what went wrong last: refused, timeout, rate_limited
          state: string,
          # The last failure in words, with what to do; null while all is well.
          message: ?string,
          interval_ms: int,
          polls: int,
          failures: int,
          consecutive_failures: int,
          # Elements of responses that could not be used, since the start.
          bad_elements: int,
          # The last response that was usable.
          last_success: ?string,
          last_attempt: ?string,
          next_poll: ?string,
          # The last eight polls, newest last: 1 for a usable response, 0 for a failure.
          reach: string,
          # Whether there was no usable response for three intervals.
          stale: bool
        )

        # How much is kept of past prices.
        type HistoryStatus (
          keep_ms: int,
          # The most polls that are kept.
          capacity: int,
          polls: int,
          # What it takes in memory now, and the most that it may take.
          bytes: int,
          limit_bytes: int,
          # When the oldest poll that is kept was received.
          oldest: ?string
        )

        # Whether what has to outlive the process is saved.
        type StoreStatus (
          # The file.
          path: string,
          # ok, or degraded: the daemon polls and tells, but cannot save what it knows.
          state: string,
          # Why it is degraded, with what to do; null while all is well.
          message: ?string,
          # Since when it is degraded.
          since: ?string,
          # Events that are not saved yet.
          unsaved: int,
          # What the file and its log take on disk.
          bytes: int,
          # How many events are saved.
          events: int,
          # When something was last saved.
          last_saved: ?string
        )

        # What a sink has done since the start.
        type SinkStatus (
          # journal, stdout or socket.
          name: string,
          delivered: int,
          # Events that a bound did not leave room for.
          dropped: int,
          failed: int,
          # The last failure in words; null when there was none.
          message: ?string
        )

        # Where the settings in force come from.
        type ConfigurationStatus (
          # The files in the order in which they were read.
          files: []string,
          loaded: string,
          # When the last reload failed, and why; null when it succeeded.
          last_reload_failed: ?string,
          last_reload_message: ?string
        )

        # One symbol as the daemon sees it. Numbers are decimal strings, so that nothing is rounded.
        type SymbolStatus (
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
          # Of last against open, in per cent with two digits; null when it cannot be said.
          change_percent: ?string,
          exchange_time: ?string,
          received: string,
          # ok, frozen, missing (not in the last response) or unusable (no positive price).
          state: string,
          # How many alerts of this symbol fire.
          firing: int,
          # The limits nearest to the price on either side.
          min: ?string,
          max: ?string
        )

        # The prices of a symbol over a time.
        type WindowSummary (
          window_ms: int,
          samples: int,
          first: string,
          first_time: string,
          last: string,
          min: string,
          max: string,
          # Of the last price against the first, in per cent with two digits; null when it cannot be said.
          change_percent: ?string
        )

        # A price and when it was received.
        type PricePoint (
          time: string,
          price: string
        )

        # One rule on one symbol and bound.
        type AlertStatus (
          rule: string,
          symbol: string,
          # min, max, within, rise, fall, cross_up or cross_down.
          bound: string,
          # inactive, pending, firing, or why it cannot say: waiting (no baseline yet), frozen, missing, unusable,
          # unconvertible, stale_rate, expired, disarmed.
          state: string,
          # Why, or how long: 2m10s of 5m.
          note: ?string,
          # info, warning or critical.
          severity: string,
          # A number, or low..high; null while a limit that moves with the price is not known.
          limit: ?string,
          # Where it clears, when that is not the limit itself.
          clear: ?string,
          # What limit, clear and price are counted in.
          currency: ?string,
          price: ?string,
          # How far the price is from the limit, in per cent of the price; positive while the limit is not reached.
          distance_percent: ?string,
          # Since when it has been in its state.
          since: ?string,
          # The number of the event that notified of it last.
          event: ?int,
          # The silence in force that matches and lasts longest, and when it ends.
          silence: ?int,
          silence_ends: ?string,
          # Who stopped the repeats of its firing, and when.
          acknowledged_by: ?string,
          acknowledged: ?string,
          # Whether it has notified its once; it may fire all the same.
          disarmed: bool,
          # Who changed the limit, where it is not that of the settings.
          override: ?OverrideState
        )

        # One rule of the settings files.
        type RuleStatus (
          name: string,
          # The symbols and patterns as they were written.
          symbols: []string,
          # The condition and its modifiers in words: min 4800000 max 7500000 hysteresis 0.5% for 1m.
          condition: string,
          currency: ?string,
          severity: string,
          # How many symbols of the exchange it matches now.
          matches: int,
          firing: int,
          # Those that are the same on all its symbols, also in their currency.
          limits: []RuleLimit,
          # ok, or what keeps it from its work: matches nothing, 2 frozen, 1 missing, 1 unconvertible,
          # 1 expired.
          state: string,
          # Its limits that were changed at run time and are in force.
          overrides: ?[]OverrideState
        )

        # What happened; the keys are those of the event stream.
        type EventRecord (
          # 1, 2, 3 without holes.
          number: int,
          # When it was decided.
          time: string,
          # The kind: fired, resolved, repeated, feed_stale, feed_recovered, symbol_frozen, symbol_missing,
          # symbol_returned, rules_changed, store_failed, store_recovered or test.
          kind: string,
          # The name of the rule, for events of an alert.
          rule: ?string,
          # The market: btcinr.
          symbol: ?string,
          # Which condition of the rule: min, max, within, rise, fall, cross_up or cross_down.
          bound: ?string,
          # info, warning or critical, as the rule says.
          severity: string,
          # The price that decided, in currency.
          price: ?string,
          # The limit itself, in currency, also when the alert is over; for within low..high.
          limit: ?string,
          # What price and limit are counted in.
          currency: ?string,
          # The usable price of the symbol before this one.
          previous: ?PricePoint,
          # The exchange's own time of the price; null when it is more than a day off.
          exchange_time: ?string,
          # When the price was received.
          received: ?string,
          # How old it was then by the exchange's time; never negative.
          sample_age_ms: ?int,
          # Whether the sinks that get notified events only were given it.
          notified: bool,
          # already_breached, after_gap, after_suspend, rule_changed, rule_removed, rule_expired, or why it was not
          # notified or is notified late: cooldown, silenced, fired_suppressed, disarmed;
          # null when there is nothing to add.
          reason: ?string,
          # How the price came into currency; null when it is the market's own.
          conversion: ?ConversionRecord,
          # One line for people.
          text: string,
          # The number of the silence that holds it back.
          silence: ?int,
          # Of a drill that one sink is for: its name. The stream of all events has it too.
          sink: ?string,
          # What else an event of an alert was decided on; null where there is nothing.
          details: ?EventDetails
        )

        # How a price came from the market's currency into the rule's.
        type ConversionRecord (
          # How much of the rule's currency one unit of the market's is.
          rate: string,
          # The day of the reference rates, when they took part.
          date: ?string,
          # Where the rates come from.
          source: string,
          # The currencies on the way: INR>EUR>SEK.
          path: string
        )

        # What a reload changed, by rule name.
        type ReloadResult (
          added: []string,
          removed: []string,
          changed: []string,
          kept: []string,
          # Settings that a reload cannot change, each a key: they need a restart.
          needs_restart: []string,
          warnings: []string
        )

        # What a poll on request brought.
        type PollResult (
          # ok or the word for what went wrong.
          state: string,
          message: ?string,
          symbols: int,
          bad_elements: int,
          duration_ms: int,
          # Events that the poll gave rise to.
          events: int
        )
        # What a person wants to know of a running daemon
        method Status() -> (status: DaemonStatus)

        # The symbols of the last usable response, in its order. match is a pattern that knows * only: *inr.
        # quote is a quote asset in either case. received is null while there was no usable response.
        method ListTickers(match: ?string, quote: ?string) -> (
          simulated: bool,
          source: string,
          received: ?string,
          symbols: []SymbolStatus
        )

        # One symbol with its alerts, a summary of all prices that are kept of it, and these prices, oldest first
        method GetSymbol(symbol: string) -> (
          simulated: bool,
          symbol: SymbolStatus,
          alerts: []AlertStatus,
          window: ?WindowSummary,
          prices: []PricePoint
        )

        # The alerts, also those that do not fire unless firing_only is true
        method ListAlerts(firing_only: ?bool, symbol: ?string) -> (simulated: bool, alerts: []AlertStatus)

        # The rules of the settings files, in their order
        method ListRules() -> (rules: []RuleStatus)

        # The events as they happen; needs the flag more. With after, first those of a greater number that are
        # still kept, without a hole. A reply with missed tells how many events were lost before it; it may come
        # without an event.
        method MonitorEvents(after: ?int) -> (event: ?EventRecord, missed: ?int)

        # Reads the settings files again; for root, the user of the daemon, and its administrators
        method Reload() -> (result: ReloadResult)

        # Asks the exchange now and not at the next interval; for those who may reload
        method Poll() -> (result: PollResult)

        # The exchange does not list the symbol; suggestion is the one that was probably meant
        error NoSuchSymbol (symbol: string, suggestion: ?string)

        # Nothing was changed: each finding is file:line:column, what is wrong, and what to do
        error ReloadFailed (findings: []string)

        # The exchange was asked too short a time ago
        error PollTooSoon (retry_after_ms: int)
        """
}
