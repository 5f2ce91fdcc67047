// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Rules and alerts” of the ``description``.
    static let rulesAndAlertsText = """
        ## Rules and alerts

        # The state of an alert: one rule on one symbol and bound.
        type AlertStatus (
          rule: string,
          # The name of the source of the symbol.
          source: string,
          symbol: string,
          bound: Bound,
          state: AlertState,
          # Details of the state as text: `2m10s of 5m`.
          note: ?string,
          severity: Severity,
          # A number, or `low..high`; null while a limit that moves with the price is not known.
          limit: ?string,
          # The level at which the alert clears, if it is not the limit itself.
          clear: ?string,
          # The currency of `limit`, `clear` and `price`.
          currency: ?string,
          price: ?string,
          # The distance from the price to the limit in percent of the price; positive while the limit is not reached.
          distance_percent: ?string,
          # Since when the alert has been in its state.
          since: ?string,
          # The number of its last event.
          event: ?int,
          # The matching silence that lasts longest, and when it ends.
          silence: ?int,
          silence_ends: ?string,
          # Who acknowledged the firing, and when.
          acknowledged_by: ?string,
          acknowledged: ?string,
          # Whether the one-shot rule has already notified for this alert; it may still be firing.
          disarmed: bool,
          # The limit set at run time, if it is not the configured one.
          override: ?OverrideStatus
        )

        # Whether a rule works.
        type RuleState (
          ok,
          # There has been no usable response yet.
          waiting,
          # The exchange lists no symbol that the rule matches.
          matches_nothing,
          # Some symbols have a problem.
          impaired
        )

        # How many symbols of a rule are in a state that keeps it from working.
        type SymbolProblem (
          state: AlertState,
          symbols: int
        )

        # A rule that is not fully working.
        type RuleProblem (
          rule: string,
          state: RuleState,
          # What is wrong, if the rule is `impaired`.
          problems: []SymbolProblem
        )

        # The kind of a condition.
        type ConditionKind (
          # A limit below, above, or both: `min`, `max`.
          band,
          # A zone between two limits.
          within,
          # A rise or fall within a window.
          move,
          # A limit that is crossed.
          cross
        )

        # Which price decides.
        type PriceKind (
          last,
          bid,
          ask,
          # Halfway between bid and ask.
          mid
        )

        # What a distance is measured in.
        type DistanceUnit (
          # In the currency of the rule.
          amount,
          # Of the limit, or of the price that a move starts from.
          percent
        )

        # How far something is from a price.
        type RuleDistance (
          value: string,
          unit: DistanceUnit
        )

        # The condition of a rule and its modifiers, as values for programs.
        type RuleTerms (
          kind: ConditionKind,
          # The bounds of its alerts.
          bounds: []Bound,
          # The lower limit, or the lower end of a zone.
          min: ?string,
          # The upper limit, or the upper end of a zone.
          max: ?string,
          # How its limits are declared, if they are relative; `min` and `max` are then the computed limits, if these
          # are the same for every market.
          relative: ?RelativeLimits,
          # The limit that is crossed.
          cross: ?string,
          # How far the price has to move.
          distance: ?RuleDistance,
          # The time in which it has to move that far.
          window_ms: ?int,
          hysteresis: ?RuleDistance,
          # The currency of all amounts; null for the quote currency of each market.
          currency: ?string,
          price: PriceKind,
          # How long the condition must hold before the alert fires.
          for_ms: int,
          # The interval of repeat notifications; null for none.
          repeat_ms: ?int,
          cooldown_ms: int,
          once: bool,
          # When the rule expires; null for never.
          expires: ?string,
          # The names of the receivers; null for those whose filters match.
          notify: ?[]string,
          # The text of its events; null if it is made from the evidence.
          message: ?string
        )

        # Limits as changes of a price.
        type RelativeLimits (
          # The lower limit, as a change in percent: `-5`; null if it is an amount, or absent.
          min: ?string,
          # The upper limit, as a change in percent: `10`.
          max: ?string,
          # What they are relative to: `price` for the first usable price, a day such as `2026-11-01` for the last price
          # before it began in UTC, or an amount in the currency of the rule.
          from: string
        )

        # One rule of the settings.
        type RuleStatus (
          name: string,
          # The name of the source of its symbols.
          source: string,
          # The symbols and patterns as they are written in the settings.
          symbols: []string,
          # The condition and its modifiers as text: `min 4800000 max 7500000 hysteresis 0.5% for 1m`.
          condition: string,
          # The same for people: amounts as their currency is written.
          condition_text: string,
          currency: ?string,
          severity: Severity,
          # The number of listed symbols that the rule matches.
          matches: int,
          # The number of its firing alerts.
          firing: int,
          # The limits that are the same for all its symbols.
          limits: []RuleLimit,
          state: RuleState,
          # What is wrong, if the rule is `impaired`.
          problems: []SymbolProblem,
          # Its limits that were set at run time and are in effect.
          overrides: ?[]OverrideStatus,
          # The condition and its modifiers as values; null from a daemon of an earlier version.
          terms: ?RuleTerms
        )

        # A fixed limit of a rule.
        type RuleLimit (
          bound: Bound,
          # A number, or `low..high`.
          limit: string,
          currency: string
        )

        # Returns the alerts, in the order of the rules; at most 500. A response or a reload between two pages may
        # repeat or omit some.
        method ListAlerts(
          # The name of a source; all if null. A symbol may also have its source before it: `kraken:btcusd`.
          source: ?string,
          # Whether to return only the alerts that are firing.
          firing_only: ?bool,
          symbol: ?string,
          # The `next` of the previous page; null for the first one.
          next: ?int
        ) -> (
          simulated: bool,
          alerts: []AlertStatus,
          # The `next` to request the next page with; null if this is the last one.
          next: ?int
        )

        # Returns the rules, by source and in the order of the settings files; at most 200.
        method ListRules(
          # The `next` of the previous page; null for the first one.
          next: ?int
        ) -> (
          rules: []RuleStatus,
          # The `next` to request the next page with; null if this is the last one.
          next: ?int
        )

        # Acknowledges a firing: its repeat notifications stop until it resolves. The alert is found by the number of
        # one of its events, or by rule and symbol; without a symbol all alerts of the rule are acknowledged. Only for
        # those who may reload.
        method Acknowledge(
          event: ?int,
          rule: ?string,
          symbol: ?string,
          # Whether to resume repeat notifications instead.
          undo: ?bool
        ) -> (
          # The alerts concerned, in their new state; at most 500.
          alerts: []AlertStatus,
          # The number of alerts that were changed.
          changed: int,
          # Whether the change would survive a crash now; if not, it is saved as soon as possible.
          saved: bool
        )

        # Re-arms the alerts of a one-shot rule that have already notified. Only for those who may reload.
        method Arm(rule: string, symbol: ?string) -> (
          # The alerts that were disarmed, in their new state; at most 500.
          alerts: []AlertStatus,
          saved: bool
        )

        # There is no rule of that name.
        error NoSuchRule (
          rule: string,
          # The rule that was probably meant.
          suggestion: ?string
        )

        """
}
