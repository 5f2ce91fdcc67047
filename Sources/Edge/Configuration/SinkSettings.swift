/// The settings in `[sinks]`, with the limits and documentation of its keys.
package struct SinkSettings: Equatable, Sendable {
    /// True if events are written to the journal.
    package var journal = true
    /// True if events are written to standard output.
    package var stdout = true
    /// The maximum number of concurrent readers of the event socket.
    package var eventReaders = 1_024

    package init() {}

    static let reference: [SettingsReference.Row] = [
        ("journal", .boolean, "true", "Whether events are written to the journal"),
        ("stdout", .boolean, "true", "Whether events are written to standard output"),
        ("event_readers", .integer, "1024", "Maximum number of concurrent readers of the event socket, 1 to 10000"),
    ]

    /// The range of `event_readers`. Each reader needs a descriptor and a buffer; the limit keeps both within what a
    /// service may have.
    private static let readerRange: ClosedRange<Int64> = 1...10_000

    init(reading table: TableReader) {
        journal = table.boolean("journal") ?? journal
        stdout = table.boolean("stdout") ?? stdout
        eventReaders = table.integer("event_readers", in: Self.readerRange).map { Int($0) } ?? eventReaders
    }

    /// Returns the keys whose values differ, such as `sinks.journal`.
    package func keys(differingFrom other: SinkSettings) -> [String] {
        let differences = [
            ("journal", journal != other.journal), ("stdout", stdout != other.stdout),
            ("event_readers", eventReaders != other.eventReaders),
        ]
        return differences.filter(\.1).map { "sinks.\($0.0)" }
    }
}
