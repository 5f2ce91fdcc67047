// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Explanations” of the ``description``.
    static let explanationsText = """
        ## Explanations

        # What kind of fact holds for an alert now.
        type FactKind (
          # It is not evaluated because there has been no usable response for too long.
          feed_stale,
          # It is not evaluated because the market is frozen.
          frozen,
          # It is not evaluated because the symbol is not in the last response.
          missing,
          # It is not evaluated because the price that the rule names is missing or not positive.
          unusable,
          # It is not evaluated because there is no conversion path to the rule's currency.
          unconvertible,
          # It is not evaluated because the reference rates are too old.
          stale_rate,
          # It is not evaluated because its rule has expired.
          expired,
          # It has not seen a usable price yet.
          no_baseline,
          # Its limits are relative to a price that is not known yet.
          no_base,
          # There are fewer than two prices in its window.
          window_too_short,
          inactive,
          pending,
          firing,
          # A crossing whose price is below the limit.
          below,
          # A crossing whose price is at the limit.
          at,
          # A crossing whose price is above the limit.
          above,
          # It was notified.
          notified,
          acknowledged,
          # Its firing is suppressed.
          suppressed,
          # When it notifies again.
          repeats,
          # Its firing has ended; the resolve notification is deferred until a silence ends.
          resolve_pending,
          # A silence matches it.
          silenced,
          cooldown,
          disarmed,
          # When its rule expires.
          expires,
          # There were no prices from `since` to `until`, and whether the limit was reached is still to be looked up in
          # candles.
          gap,
          # Whether the limit is reached during a gap in the prices is never looked up. `detail` is the reason: `source`
          # (no candles), `disabled` (`catch_up` is false), `condition` (not `min`, `max` or `within`), or `price` (not
          # the last price).
          not_caught_up
        )

        # Something that holds for an alert now.
        type AlertFact (
          kind: FactKind,
          # Since when it holds, or when it happened.
          since: ?string,
          # Until when it holds, or when it will happen.
          until: ?string,
          # How long a breach has lasted, and how long it must last.
          held_ms: ?int,
          hold_ms: ?int,
          # More detail: the reason of `suppressed`, the kind of price that is missing, the currencies without a
          # path.
          detail: ?string,
          # The number of the silence.
          number: ?int,
          # Who did it.
          by: ?string
        )

        # What happens at a level.
        type LevelRole (
          # The alert is breached.
          limit,
          # The alert clears.
          clear
        )

        # Where the price must be.
        type PriceComparison (at_least, at_most, above, below)

        # A price that decides about an alert, in the currency of the alert.
        type AlertLevel (
          role: LevelRole,
          comparison: PriceComparison,
          price: string,
          # Whether the price has reached it.
          reached: ?bool,
          # The level minus the price, and the same in percent of the price.
          away: ?string,
          away_percent: ?string
        )

        # Why an alert is firing, is not firing, or was not notified.
        type AlertExplanation (
          alert: AlertStatus,
          # When the price of the alert was received.
          price_time: ?string,
          # What keeps it from being evaluated, then its state, then what concerns notifications.
          facts: []AlertFact,
          levels: []AlertLevel,
          # The window that a rise or fall is measured in; null for other conditions, and with fewer than two prices.
          window_ms: ?int,
          lowest: ?string,
          highest: ?string,
          # How the price was converted to the currency of the alert; null if it is the market's own.
          conversion: ?ConversionRecord
        )

        # Explains why the alerts of a rule are in their current state; at most 200 alerts.
        method Explain(
          rule: string,
          # Only the alerts on this symbol.
          symbol: ?string,
          # The `next` of the previous page; null for the first one.
          next: ?int
        ) -> (
          simulated: bool,
          rule: RuleStatus,
          # Empty if the rule matches nothing.
          alerts: []AlertExplanation,
          # The `next` to request the next page with; null if this is the last one.
          next: ?int
        )

        """
}
