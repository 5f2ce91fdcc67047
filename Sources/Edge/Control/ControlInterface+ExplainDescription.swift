internal import Engine

extension ControlInterface {
    /// The part of the ``description`` about why alerts are as they are.
    static let explainDescription = """
        # Something that holds of an alert now
        type AlertFact (
          # What keeps it from evaluating: feed_stale, frozen, missing, unusable, unconvertible, stale_rate, expired.
          # Its state: no_baseline, window_too_short, inactive, pending, firing; of a crossing where the price is:
          # below, at, above. What concerns the notification: notified, acknowledged, suppressed, repeats, owes_end
          # (the end of a
          # firing waits for the end of a silence), silenced, cooldown, disarmed, expires.
          kind: string,
          # Since when it holds, or when it was.
          since: ?string,
          # Until when it holds, or when it will be.
          until: ?string,
          # How long a breach has held, and how long it must.
          held_ms: ?int,
          hold_ms: ?int,
          # More in a word: the reason of suppressed, the price that is missing, the currencies that have no way.
          detail: ?string,
          # The number of the silence.
          number: ?int,
          # Who did it.
          by: ?string
        )

        # A price that decides about an alert, in the currency of the alert
        type AlertLevel (
          # limit: there it is breached. clear: there a firing is over.
          role: string,
          # at_least, at_most, above or below: where the price must be.
          comparison: string,
          price: string,
          # Whether the price is there.
          reached: ?bool,
          # The level less the price, and the same in per cent of the price.
          away: ?string,
          away_percent: ?string
        )

        # Why an alert fires, does not fire, or was not notified
        type AlertExplanation (
          alert: AlertStatus,
          # When the price of the alert was received.
          price_time: ?string,
          # What keeps it from evaluating, then its state, then what concerns the notification.
          facts: []AlertFact,
          levels: []AlertLevel,
          # What a rise or fall is measured from; null for other conditions, and with fewer than two prices.
          window_ms: ?int,
          lowest: ?string,
          highest: ?string,
          # How the price came into currency; null when it is the market's own.
          conversion: ?ConversionRecord
        )

        # What else an event of an alert was decided on; what is null played no part
        type EventDetails (
          # Where a firing is over, when that is not the limit itself.
          clear: ?string,
          # The price in the market's own currency, when it was converted.
          market_price: ?string,
          # How long the limit was reached before the alert fired.
          pending_ms: ?int,
          # When the firing began that the event is about.
          firing_since: ?string,
          # The window of a rise or fall, and the price of it that it was measured from.
          window_ms: ?int,
          extreme: ?string,
          # The end of the cooldown that held it back.
          cooldown_until: ?string,
          # The limit of the settings, when another one was in its place, and who put it there.
          settings_limit: ?string,
          limit_by: ?string,
          limit_since: ?string
        )

        # Why the alerts of a rule are as they are: of all its symbols or of one
        method Explain(rule: string, symbol: ?string) -> (
          simulated: bool,
          rule: RuleStatus,
          alerts: []AlertExplanation
        )

        # No rule in force has that name; suggestion is the one that was probably meant
        error NoSuchRule (rule: string, suggestion: ?string)
        """
}
