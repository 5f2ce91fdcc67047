// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Words” of the ``description``.
    static let wordsText = """
        ## Words

        # What happened.
        type EventKind (
          # An alert entered firing, or an earlier suppressed firing is notified now.
          fired,
          # A firing alert cleared.
          resolved,
          # An alert is still firing, and its repeat interval has passed.
          repeated,
          # Candles show that the price reached a limit while no prices were available.
          touched,
          # There has been no usable response for three intervals. The time starts over when the daemon starts, when the
          # machine resumes from suspend, and when a reload changes the interval.
          feed_stale,
          # The first usable response after `feed_stale`.
          feed_recovered,
          # A market that a rule names is frozen.
          symbol_frozen,
          # The exchange does not list a symbol that a rule names.
          symbol_missing,
          # A symbol that was frozen or missing is traded again.
          symbol_returned,
          # A reload or a limit set at run time changed the rules.
          rules_changed,
          # Events and alert states cannot be saved; polling and notifying continue.
          store_failed,
          # Events and alert states are saved again, including those from the meantime.
          store_recovered,
          # A receiver has failed for some time or refuses its credential; its queue is kept.
          receiver_failed,
          # A receiver that had failed accepts notifications again.
          receiver_recovered,
          # The prices of the two markets of a check differ by more than allowed.
          diverged,
          # The prices of the two markets of a check are close to each other again.
          converged,
          # A drill.
          test
        )

        # What is special about an event.
        type Reason (
          # The first usable price that the alert saw was already beyond the limit.
          already_breached,
          # There is a gap before the deciding price, so it is not known when the limit was reached.
          after_gap,
          # Like `after_gap`, but the machine was suspended during the gap.
          after_suspend,
          # Known only from candles that were fetched after a gap.
          caught_up,
          # A reload changed the rule of a firing alert.
          rule_changed,
          # A reload removed the rule of a firing alert.
          rule_removed,
          # The rule of a firing alert expired.
          rule_expired,
          # The symbol of a firing alert had vanished, and its slot was needed for other symbols.
          symbol_gone,
          # Suppressed because the alert notified a firing recently; or notified late for that reason.
          cooldown,
          # Suppressed by a silence; or notified late for that reason.
          silenced,
          # Suppressed because the firing that it ends was suppressed.
          fired_suppressed,
          # Suppressed because a one-shot rule has already notified; or notified late, after the alert was re-armed.
          disarmed
        )

        # The bound of a rule that an alert watches.
        type Bound (
          # The price is at or below the lower limit.
          min,
          # The price is at or above the upper limit.
          max,
          # The price is in a zone between two limits.
          within,
          # The price is far enough above the lowest price in the window.
          rise,
          # The price is far enough below the highest price in the window.
          fall,
          # The price rose to or above the limit.
          cross_up,
          # The price fell to or below the limit.
          cross_down
        )

        # How important an event is.
        type Severity (info, warning, critical)

        # The state of an alert, or why it cannot be evaluated now.
        type AlertState (
          firing,
          # The limit is breached, but not yet for as long as `for` requires.
          pending,
          inactive,
          # There is no baseline yet: no usable price, or fewer than two in a window.
          waiting,
          frozen,
          # The symbol is not in the last response.
          missing,
          # The last response has no positive price of the kind that the rule names.
          unusable,
          # There is no conversion path from the market's currency to the rule's.
          unconvertible,
          # The reference rates are too old to rely on.
          stale_rate,
          # The rule has expired.
          expired,
          # A one-shot rule has notified and is not re-armed.
          disarmed
        )

        # The state of a symbol.
        type SymbolState (
          ok,
          frozen,
          # Not in the last response.
          missing,
          # Without a positive price.
          unusable
        )

        # The state of requests to an exchange or to a source of rates: `ok`, or how the last request failed.
        type FetchState (
          ok,
          # There has been no response yet.
          starting,
          # Turned off in the settings.
          disabled,
          # Given up because the daemon was stopped or the source replaced.
          cancelled,
          # The host name could not be resolved.
          resolution,
          refused,
          unreachable,
          tls,
          timeout,
          truncated,
          too_large,
          redirect,
          rate_limited,
          # The exchange has banned this address for a while.
          banned,
          forbidden,
          # A key is missing or not accepted.
          unauthorized,
          rejected,
          server_error,
          not_json,
          empty,
          # A response without a single usable element.
          unusable,
          # The request cannot be made with these settings.
          settings,
          other
        )

        """
}
