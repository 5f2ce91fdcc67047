extension ControlInterface {
    /// The part of the ``description`` about limits that are changed at run time.
    static let limitDescription = """
        # A limit that was changed at run time
        type OverrideState (
          rule: string,
          symbol: string,
          # min or max.
          bound: string,
          limit: string,
          # What the settings say; null where they have no such limit any more.
          settings_limit: ?string,
          # Null where it is not known yet.
          currency: ?string,
          # The user's name, and the number of the user.
          by: string,
          user: int,
          since: string,
          # in_force, or why it is not: no_rule, other_symbols, no_limit, other_currency, faulty.
          state: string
        )

        # A limit that was changed, and what it was before
        type LimitChangeStatus (
          override: OverrideState,
          before: string
        )

        # Another min or max for a symbol, in place of that of the settings until it is reset; for those who may
        # reload. A number, or what is to be added to the limit in force: +2%, -5000. With a percentage, more than 12
        # significant digits are rounded half to even. rule is needed where several have such a limit for the symbol.
        method SetLimit(symbol: string, rule: ?string, min: ?string, max: ?string) -> (
          simulated: bool,
          changes: []LimitChangeStatus,
          # Whether it would outlive a crash now; else it is saved as soon as that can be done.
          saved: bool
        )

        # The limits that were changed, in the order in which that was done, also those that are not in force
        method ListOverrides() -> (overrides: []OverrideState)

        # Puts the limits of the settings in force again, of a symbol, of a rule, of both, or all; for those who may
        # reload
        method ResetLimits(symbol: ?string, rule: ?string, all: ?bool) -> (
          reset: []OverrideState,
          saved: bool
        )
        """
}
