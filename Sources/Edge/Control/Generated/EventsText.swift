// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Events” of the ``description``.
    static let eventsText = """
        ## Events

        # An event, as on the event socket.
        type EventRecord (
          # 1, 2, 3 … without gaps.
          number: int,
          # When it was decided.
          time: string,
          # What happened.
          kind: EventKind,
          # The source of prices that it is about; null if it is about none or all of them.
          source: ?string,
          # The name of the rule, for events of an alert.
          rule: ?string,
          # The market: `btcinr`.
          symbol: ?string,
          # The bound of the rule, for events of an alert.
          bound: ?Bound,
          # How important it is; for events of an alert, as its rule says.
          severity: Severity,
          # The price that the event was decided on, in `currency`.
          price: ?string,
          # The limit itself, in `currency`, also for `resolved`; `low..high` for the bound `within`.
          limit: ?string,
          # The currency of `price` and `limit`.
          currency: ?string,
          # The usable price of the symbol before this one.
          previous: ?PricePoint,
          # The exchange's own time of the price; null if it is off by more than a day.
          exchange_time: ?string,
          # When the price was received.
          received: ?string,
          # The age of the price when it was received, by the exchange's time; never negative.
          sample_age_ms: ?int,
          # Whether it was notified; if not, it was suppressed.
          notified: bool,
          # Why it is not an ordinary event of its kind, or why it is suppressed or notified late; null if there is
          # nothing to add.
          reason: ?Reason,
          # How the price was converted to `currency`; null if it is the market's own.
          conversion: ?ConversionRecord,
          # One line for people.
          text: string,
          # The number of the silence that suppressed it.
          silence: ?int,
          # The only sink that a drill is for; it is in the stream of all events, too.
          sink: ?string,
          # Further details of the decision.
          details: ?EventDetails
        )

        # How a price was converted from the market's currency to the rule's.
        type ConversionRecord (
          # The value of one unit of the market's currency in the rule's.
          rate: string,
          # The date of the reference rates, if they were used.
          date: ?string,
          # Where the rates come from.
          source: string,
          # The currencies on the path: `INR>EUR>SEK`.
          path: string
        )

        # Further details of the decision behind an event; null where they do not apply.
        type EventDetails (
          # The level at which the alert clears, if it is not the limit itself.
          clear: ?string,
          # The price in the market's own currency, if it was converted.
          market_price: ?string,
          # How long the limit was breached before the alert fired.
          pending_ms: ?int,
          # When the firing that the event is about began.
          firing_since: ?string,
          # The window of a rise or fall.
          window_ms: ?int,
          # The price in the window that the rise or fall was measured from.
          extreme: ?string,
          # The end of the cooldown that suppressed it.
          cooldown_until: ?string,
          # The configured limit, if another one was set at run time, who set it and when.
          settings_limit: ?string,
          limit_by: ?string,
          limit_since: ?string,
          # For `touched`: the start of the first minute and the end of the last minute in which the limit was reached.
          touched_from: ?string,
          touched_until: ?string,
          # For `diverged` and `converged`: the name of the check.
          check: ?string,
          # For `diverged` and `converged`: the market that the event's market was compared with, such as
          # `kraken:btcusd`.
          other: ?string,
          # The price of that market, in `currency`.
          other_price: ?string,
          # The difference in percent of that price; negative if the event's market is cheaper.
          difference_percent: ?string,
          # The largest difference that is not reported, in percent.
          within_percent: ?string,
          # For `receiver_failed` and `receiver_recovered`: the name of the receiver.
          receiver: ?string
        )

        # Returns events that match all given parameters; at most 500.
        method ListEvents(
          # The name of a source; all if null. A symbol may also have its source before it: `kraken:btcusd`.
          source: ?string,
          # Only events with a greater number.
          after: ?int,
          # Only events with a smaller number.
          before: ?int,
          # The first instant that is included.
          since: ?string,
          # The first instant that is not included.
          until: ?string,
          rule: ?string,
          # A symbol, or a pattern in which `*` stands for any characters.
          symbol: ?string,
          kind: ?EventKind,
          severity: ?Severity,
          # The largest number of events to return.
          limit: ?int,
          # Whether to begin with the newest event instead of the oldest.
          newest_first: ?bool
        ) -> (
          simulated: bool,
          # The name of the source.
          source: string,
          events: []EventRecord,
          # Whether more events match than are returned.
          more: bool
        )

        # Returns events as they happen. Requires the flag `more`.
        method MonitorEvents(
          # Begin with the first kept event whose number is greater than this; with the next new event if null.
          after: ?int
        ) -> (
          # Null in a reply that only reports missed events.
          event: ?EventRecord,
          # The number of events lost before this reply, because the client was too slow or they are no longer kept.
          missed: ?int
        )

        # The delivery of an event at a sink.
        type DeliveryResult (
          delivered,
          # Queued until there is room.
          waiting,
          failed
        )

        # The result of a drill at one sink or receiver.
        type DrillResult (
          sink: string,
          result: DeliveryResult,
          # Details as text: `2 readers`; null if there are none.
          detail: ?string
        )

        # Sends a test event, marked as such, to all sinks and receivers, or to one. The reply comes when each receiver
        # has answered, after 20 s at the latest. Only for those who may reload.
        method Drill(
          # The only sink or receiver to send it to; all if null.
          sink: ?string
        ) -> (event: EventRecord, results: []DrillResult, saved: bool)

        """
}
