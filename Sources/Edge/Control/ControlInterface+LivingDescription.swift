internal import Events

extension ControlInterface {
    /// The part of the ``description`` about living with alerts: silences, acknowledgement, drills.
    static let livingDescription = """
        # A time in which matching events are recorded but not notified. What is null of symbol, rule and severity
        # matches everything; at least one of them is not.
        type Silence (
          # What it is called by; events that it holds back name it.
          number: int,
          # A name, or a pattern that knows * only.
          symbol: ?string,
          rule: ?string,
          severity: ?string,
          # in_force, over (its time was up) or expired (ended before its time).
          state: string,
          created: string,
          # Who made it, from the credentials of the socket, and why.
          created_by: string,
          created_by_uid: int,
          comment: ?string,
          # When its time is or was up.
          ends: string,
          # Whether a time of day was asked for, and not a length of time.
          until: bool,
          # Since when it is over; null while it is in force.
          ended: ?string,
          ended_by: ?string,
          ended_by_uid: ?int,
          # How many alerts it matches now, and how many of these fire.
          alerts: int,
          firing: int
        )

        # What became of a drill at one sink
        type DrillResult (
          sink: string,
          # delivered, waiting (kept until there is room) or failed.
          result: string,
          # More in words: 2 readers; null when there is nothing to add.
          detail: ?string
        )

        # Begins a silence, which lasts duration_ms, or until a time; for those who may reload. note tells when it
        # matches nothing now. When saved is false the state file cannot be written now: it is tried again.
        method AddSilence(
          symbol: ?string,
          rule: ?string,
          severity: ?string,
          duration_ms: ?int,
          until: ?string,
          comment: ?string
        ) -> (silence: Silence, note: ?string, saved: bool)

        # The silences in force; with all, also those that were over within the last 30 days. By number
        method ListSilences(all: ?bool) -> (silences: []Silence)

        # Ends silences before their time: those of these numbers, or without numbers all that are in force; all of
        # them or none. For those who may reload.
        method ExpireSilences(numbers: ?[]int) -> (silences: []Silence, saved: bool)

        # Stops the repeats of a firing until it is over: the one that an event tells of, or those of a rule, on one
        # symbol or on all; with undo lets them go on. For those who may reload. alerts are those that it is about,
        # changed says how many of them are not as they were.
        method Acknowledge(event: ?int, rule: ?string, symbol: ?string, undo: ?bool) -> (
          alerts: []AlertStatus,
          changed: int,
          saved: bool
        )

        # Arms alerts that have notified their once; for those who may reload. alerts are those that were disarmed.
        method Arm(rule: string, symbol: ?string) -> (alerts: []AlertStatus, saved: bool)

        # Tells a test event, marked as such, to all sinks or to one; for those who may reload
        method Drill(sink: ?string) -> (event: EventRecord, results: []DrillResult, saved: bool)

        # There is nothing of that name: kind is event, silence or sink. suggestion is what was probably meant,
        # known are the names that there are, when they are few
        error NoSuchThing (kind: string, name: string, suggestion: ?string, known: ?[]string)

        # It cannot be done as things are; message says why, and what to do
        error Refused (message: string)
        """
}
