// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Silences” of the ``description``.
    static let silencesText = """
        ## Silences

        # The state of a silence.
        type SilenceState (
          active,
          # It recurs, and now is outside its hours.
          waiting,
          # It has ended; if it was ended early, `ended_by` says by whom.
          expired
        )

        # A time in which matching events are recorded but suppressed. It matches everything that all given matchers
        # match; at least one of `source`, `symbol`, `rule` and `severity` is given.
        type SilenceStatus (
          # Identifies the silence; events that it suppressed refer to it.
          number: int,
          # The name of a source.
          source: ?string,
          # A name, or a pattern in which `*` stands for any characters.
          symbol: ?string,
          rule: ?string,
          severity: ?Severity,
          state: SilenceState,
          created: string,
          # Who created it, from the credentials of the socket.
          created_by: string,
          created_by_uid: int,
          # Why it was created.
          comment: ?string,
          # When it is or was due to end.
          ends: string,
          # Whether it was created with an end instead of a duration.
          until: bool,
          # When it ended; null while it is active.
          ended: ?string,
          ended_by: ?string,
          ended_by_uid: ?int,
          # The number of alerts that it matches now, and of those that are firing.
          alerts: int,
          firing: int,
          # The hours of the day in which it silences, in the time zone that is named last, else in the daemon's local
          # time: `22:00-07:00 mon-fri`, `22:00-07:00 Europe/Stockholm`; null for at any time.
          daily: ?string
        )

        # Creates a silence, for a duration or until an instant; with `daily` and neither of them, for 366 days. Only
        # those who may reload.
        method AddSilence(
          # The name of a source; all if null. A symbol may also have its source before it: `kraken:btcusd`.
          source: ?string,
          symbol: ?string,
          rule: ?string,
          severity: ?Severity,
          duration_ms: ?int,
          until: ?string,
          comment: ?string,
          # The hours of the day in which it silences, the days on which they begin, and the time zone; without one,
          # they are in the daemon's local time: `22:00-07:00`, `22:00-07:00 mon-fri`, `00:00-24:00 sat Asia/Tokyo`.
          daily: ?string
        ) -> (
          silence: SilenceStatus,
          # A warning if it matches nothing now.
          note: ?string,
          # Whether it would survive a crash now; if not, it is saved as soon as possible.
          saved: bool
        )

        # Returns the silences, by number; at most 200.
        method ListSilences(
          # Whether to include those that ended within the last 30 days.
          all: ?bool,
          # The `next` of the previous page; null for the first one.
          next: ?int
        ) -> (
          silences: []SilenceStatus,
          # The `next` to request the next page with; null if this is the last one.
          next: ?int
        )

        # Ends silences early, either all or none of those given. Only for those who may reload.
        method ExpireSilences(
          # All active silences if null.
          numbers: ?[]int
        ) -> (
          # By number; at most 200 of them.
          silences: []SilenceStatus,
          # How many have ended.
          count: int,
          # Whether it would survive a crash now; if not, it is saved as soon as possible.
          saved: bool
        )

        """
}
