// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Receivers” of the ``description``.
    static let receiversText = """
        ## Receivers

        # Whether a receiver accepts notifications.
        type ReceiverState (
          # It does, or nothing has been sent since the start.
          ok,
          # The last attempt failed and will be repeated.
          failing,
          # Nothing is sent until its credential or the settings change.
          stopped
        )

        # A receiver that does not accept notifications.
        type FailingReceiver (
          name: string,
          # Whether it sends nothing until its settings or credential change.
          stopped: bool,
          message: ?string,
          # The name of the systemd credential with its token, password or address; null if it has none.
          credential: ?string
        )

        # A receiver of notifications. Counts are of events since the start.
        type ReceiverStatus (
          name: string,
          # `webhook`, `ntfy`, `email` and so on.
          type: string,
          state: ReceiverState,
          # Why it fails or has stopped; null while it works.
          message: ?string,
          # The number of queued events, and the time of the oldest of them.
          queued: int,
          oldest: ?string,
          delivered: int,
          # Those that it permanently refused.
          refused: int,
          # Those that could not be delivered within `max_age`.
          expired: int,
          # Those that a user dropped, or that no longer fitted into the queue.
          dropped: int,
          last_success: ?string,
          last_failure: ?string,
          # When the next attempt is made; null if none is scheduled.
          next_attempt: ?string
        )

        # What happened to an event at a receiver.
        type DeliveryState (
          queued,
          delivered,
          # The receiver permanently refused it.
          refused,
          # It could not be delivered within `max_age`.
          expired,
          # A user dropped it, the queue was full, or the receiver was removed.
          dropped
        )

        # The delivery of an event to a receiver.
        type Delivery (
          receiver: string,
          state: DeliveryState,
          # When it ended; null while it is queued.
          time: ?string,
          # Details as text; null if there are none.
          detail: ?string
        )

        # An event that is queued for a receiver.
        type QueueEntry (
          number: int,
          # The time of the event.
          time: string
        )

        # Returns the receivers in the order of the settings.
        method ListReceivers() -> (receivers: []ReceiverStatus)

        # Returns the events that are queued for a receiver, oldest first; at most 500.
        method ListQueue(receiver: string) -> (
          # The number of all queued events.
          count: int,
          entries: []QueueEntry
        )

        # Returns what happened to an event at each receiver that it was meant for.
        method ListDeliveries(number: int) -> (deliveries: []Delivery)

        # Retries queued notifications now. Only for those who may reload.
        method RetryQueue(
          # The only receiver to try; all if null.
          receiver: ?string
        ) -> ()

        # Discards the notifications that are queued for a receiver. Only for those who may reload.
        method DropQueue(receiver: string) -> (
          # The number of events that were dropped.
          dropped: int
        )

        """
}
