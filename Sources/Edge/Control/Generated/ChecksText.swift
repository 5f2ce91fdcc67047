// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Checks” of the ``description``.
    static let checksText = """
        ## Checks

        # Whether the prices of two sources agree.
        type CheckState (
          # They differ by no more than they may.
          together,
          # They have differed by more for long enough.
          diverged,
          # They have not been compared yet, or cannot be.
          waiting
        )

        # A check of the prices of two sources against each other.
        type CheckStatus (
          name: string,
          # The two markets with their sources, such as `kraken:btcusd`; the first is compared with the second.
          first: string,
          second: string,
          # The largest difference that is not reported, in percent of the second price.
          within_percent: string,
          for_ms: int,
          state: CheckState,
          # Details of the state as text: what is missing, or `5m of 10m` while it is about to change.
          note: ?string,
          # The difference at the last comparison in percent of the second price, and when that was.
          difference_percent: ?string,
          compared: ?string
        )

        """
}
