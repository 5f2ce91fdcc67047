// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Daemon” of the ``description``.
    static let daemonText = """
        ## Daemon

        # The state of the running daemon.
        type DaemonStatus (
          version: string,
          pid: int,
          # When the daemon started.
          started: string,
          # Whether prices come from the built-in simulated market.
          simulated: bool,
          # The first source.
          feed: FeedStatus,
          # All sources, in the order of the settings.
          sources: []FeedStatus,
          # The number of symbols in the last usable responses of all sources.
          symbols: int,
          # The number of rules.
          rules: int,
          # The number of firing alerts.
          firing: int,
          # The number of active silences.
          silences: int,
          # The rules that are not fully working; at most 20.
          problems: []RuleProblem,
          # The number of the last event; 0 if there has been none.
          last_event: int,
          # The number of clients connected to the event socket.
          event_readers: int,
          event_readers_limit: int,
          # The number of clients that the event socket turned away since the start.
          event_readers_refused: int,
          # The number of clients connected to the control socket.
          clients: int,
          clients_limit: int,
          # The number of clients that the control socket turned away since the start.
          clients_refused: int,
          history: HistoryStatus,
          store: StoreStatus,
          sinks: []SinkStatus,
          # The checks that compare the prices of two sources.
          checks: ?[]CheckStatus,
          # The receivers that do not accept notifications.
          receivers_failing: []FailingReceiver,
          # Null without [lease].
          lease: ?LeaseStatus,
          configuration: ConfigurationStatus
        )

        # The state of polling the exchange.
        type FeedStatus (
          # The name of the source.
          source: string,
          # What kind of source it is, such as `wazirx` or `simulator`.
          type: string,
          # The number of symbols in its last usable response, and of its rules and firing alerts.
          symbols: int,
          rules: int,
          firing: int,
          # Null for the simulated market.
          url: ?string,
          state: FetchState,
          # The last failure, or a note that there are too many alerts, and what to do about it; null if there is
          # neither.
          message: ?string,
          interval_ms: int,
          polls: int,
          failures: int,
          consecutive_failures: int,
          # The number of unusable elements in responses since the start.
          bad_elements: int,
          # When the last usable response was received.
          last_success: ?string,
          last_attempt: ?string,
          next_poll: ?string,
          # Until when the exchange asked not to be polled; null if it did not.
          not_before: ?string,
          # The last eight polls, newest last: 1 for a usable response, 0 for a failure.
          reach: string,
          # Whether there has been no usable response for three intervals.
          stale: bool,
          # The number of gaps in the prices of symbols that are still to be looked up in candles.
          gaps: int,
          # Why the last lookup failed; null if it did not.
          gaps_message: ?string
        )

        # How much price history is kept.
        type HistoryStatus (
          keep_ms: int,
          # The largest number of polls that are kept.
          capacity: int,
          polls: int,
          # The memory in use, and the most that may be used.
          bytes: int,
          limit_bytes: int,
          # When the oldest kept poll was received.
          oldest: ?string
        )

        # Whether state is saved.
        type StoreState (
          ok,
          # The daemon polls and notifies, but cannot save its state.
          degraded
        )

        # The state file.
        type StoreStatus (
          # The path of the file.
          path: string,
          state: StoreState,
          # Why it is degraded and what to do about it; null while it is not.
          message: ?string,
          # Since when it has been degraded.
          since: ?string,
          # The number of events that are not saved yet.
          unsaved: int,
          # The size of the file and its log on disk.
          bytes: int,
          # The number of saved events.
          events: int,
          # When something was last saved.
          last_saved: ?string
        )

        # What a sink has done since the start.
        type SinkStatus (
          # `journal`, `stdout` or `socket`.
          name: string,
          delivered: int,
          # The number of events dropped because a queue was full.
          dropped: int,
          failed: int,
          # The last failure; null if there has been none.
          message: ?string
        )

        # The result of a poll on request.
        type PollResult (
          state: FetchState,
          # The failure and what to do about it; null if there was none.
          message: ?string,
          symbols: int,
          bad_elements: int,
          duration_ms: int,
          # The number of events that the poll caused.
          events: int
        )

        # Returns the state of the daemon.
        method Status() -> (status: DaemonStatus)

        # Reads the settings files again. Only for root, the daemon's own user and its administrators.
        method Reload() -> (result: ReloadResult)

        # Polls the exchange now instead of at the next interval. Only for those who may reload.
        method Poll(
          # The name of the source; required if there are several.
          source: ?string,
          # Whether to poll although the exchange asked to wait.
          force: ?bool
        ) -> (result: PollResult)

        # Returns a copy of the state file at this moment. Requires the flag `more`; only for those who may reload. The
        # first reply has the size, the next ones have the content, and the last one has the checksum.
        method Backup() -> (
          # The size of the whole copy in bytes.
          size: ?int,
          # The next bytes of the copy, in base64.
          data: ?string,
          # The CRC-32C of the whole copy, as eight hexadecimal digits.
          crc32c: ?string
        )

        # The settings contain errors, and nothing was changed.
        error ReloadFailed (
          # The errors, each as `file:line:column`, what is wrong and what to do.
          findings: []string
        )

        # The exchange was polled too recently, or asked to wait.
        error PollTooSoon (
          retry_after_ms: int,
          # Until when the exchange asked not to be polled; null if it did not.
          not_before: ?string
        )

        # The state file cannot be read or copied now.
        error StoreFailed (
          # Why, and what to do.
          message: string
        )

        # The request cannot be carried out in the current state.
        error Refused (
          # Why, and what to do.
          message: string
        )

        # What does not exist.
        type ThingKind (event, silence, sink, receiver, source)

        # Nothing of that kind has that name.
        error NoSuchThing (
          kind: ThingKind,
          name: string,
          # The name that was probably meant.
          suggestion: ?string,
          # The existing names, if they are few.
          known: ?[]string
        )

        """
}
