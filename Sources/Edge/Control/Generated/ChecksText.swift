// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Checks” of the ``description``.
    static let checksText = """
        ## Checks

        # Whether the two prices of a check agree.
        type CheckState (
          # They differ by `within_percent` or less.
          together,
          # They have differed by more for at least `for_ms`.
          diverged,
          # They have not been compared yet, or cannot be.
          waiting
        )

        # A check that compares the prices of two sources.
        type CheckStatus (
          name: string,
          # The two markets with their sources, such as `kraken:btcusd`; the first is compared with the second.
          first: string,
          second: string,
          # The largest difference that is not reported, in percent of the second price.
          within_percent: string,
          for_ms: int,
          state: CheckState,
          # Details of the state as text: why the prices cannot be compared, or `5m of 10m` while it is about to change.
          note: ?string,
          # The difference at the last comparison, in percent of the second price.
          difference_percent: ?string,
          # When they were last compared.
          compared: ?string
        )

        """
}
