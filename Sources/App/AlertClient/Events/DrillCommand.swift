internal import Arguments
internal import Control
internal import Events
internal import Time

/// `alertctl drill [--sink NAME]`: sends a test event the same way as any other event.
enum DrillCommand: Command {
    static let specification = CommandLineSpecification(
        "drill", summary: "Send a test event and report its delivery",
        discussion: [
            "The event is numbered, saved and sent to every sink and receiver like an alert, and is always marked as a "
                + "test. The output shows how each receiver responded. The exit code is 1 if one of them failed. With "
                + "--sink, the event goes only to that sink or receiver and to the event stream, whose numbers must "
                + "have no gaps.",
            accessText,
        ],
        examples: [
            Example("alertctl drill", "Would an alert reach me?"),
            Example("alertctl drill --sink journal", "Only to the journal."),
        ],
        options: [
            OptionSpecification(
                "sink", value: "NAME", kind: .live("sinks"), help: "Only to this sink or receiver")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        try run(context, sink: context.arguments.value("sink"))
    }

    /// Sends the event to one sink or receiver, or to all of them if `sink` is nil.
    static func run(_ context: Context, sink: String?) throws(ClientError) -> ExitCode {
        let reply = try context.connect(waiting: .seconds(25)).call(
            .drill, DrillParameters(sink: sink), returning: DrillReply.self)
        context.show(
            Report(parts: [
                .text("Event \(reply.event.number): \(reply.event.text)", .none),
                .metadata([Field("number", .count(reply.event.number)), Field("saved", .flag(reply.saved))]),
                .table(table(reply.results)),
            ]))
        context.warnUnlessSaved(reply.saved)
        return reply.results.contains { $0.result == .failed } ? .failure : .success
    }

    /// The results as a table, a row for each sink.
    static func table(_ results: [DrillResult]) -> Table {
        let columns = [
            Column("sink", "SINK"), Column("result", "RESULT"), Column("detail", "DETAIL"),
        ]
        let rows = results.map { result in
            [
                Cell(.text(result.sink), .strong),
                Cell(.text(result.result), result.result == .delivered ? .good : .alarm), Cell(.text(result.detail)),
            ]
        }
        return Table(key: "results", columns: columns, rows: rows, whenEmpty: "No sinks are in use.")
    }
}
