// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Limits” of the ``description``.
    static let limitsText = """
        ## Limits

        # Whether a limit set at run time is in effect, or why not.
        type OverrideState (
          in_effect,
          # The settings have no such rule.
          no_rule,
          # The rule does not match the symbol.
          other_symbols,
          # The rule has no such limit.
          no_limit,
          # The rule has another currency.
          other_currency,
          # The limit contradicts the other settings of the rule.
          faulty
        )

        # A limit set at run time.
        type OverrideStatus (
          rule: string,
          # The name of the source of the symbol.
          source: string,
          symbol: string,
          # `min` or `max`.
          bound: Bound,
          limit: string,
          # The configured limit; null if the settings no longer have one.
          settings_limit: ?string,
          # Null if it is not known yet.
          currency: ?string,
          # The name and the number of the user who set it.
          by: string,
          user: int,
          since: string,
          state: OverrideState
        )

        # A limit that was set, and the limit before it.
        type LimitChangeStatus (
          override: OverrideStatus,
          before: string,
          # The amount and the currency that were given, if they were converted into the currency of the rule.
          given: ?string,
          given_currency: ?string
        )

        # Sets another `min` or `max` for a symbol, which replaces the configured one until it is reset. Only for those
        # who may reload.
        method SetLimit(
          symbol: string,
          # Required if several rules have such a limit for the symbol.
          rule: ?string,
          # A number, or a change of the current limit: `+2%`, `-5000`. With a percentage, more than 12 significant
          # digits are rounded half to even.
          min: ?string,
          max: ?string,
          # The currency of amounts in `min` and `max`; that of the rule if absent. Amounts in another currency are
          # converted once, at the current exchange rates, and rounded half to even to 12 significant digits.
          currency: ?string
        ) -> (
          simulated: bool,
          changes: []LimitChangeStatus,
          # Whether it would survive a crash now; if not, it is saved as soon as possible.
          saved: bool
        )

        # Returns the limits set at run time, including those that are not in effect, in the order in which they were
        # set.
        method ListOverrides() -> (overrides: []OverrideStatus)

        # Restores the configured limits of a symbol, of a rule, of both, or all. Only for those who may reload.
        method ResetLimits(
          symbol: ?string,
          rule: ?string,
          # Whether to reset all limits if neither symbol nor rule is given.
          all: ?bool
        ) -> (
          # The limits that were removed.
          reset: []OverrideStatus,
          saved: bool
        )

        """
}
