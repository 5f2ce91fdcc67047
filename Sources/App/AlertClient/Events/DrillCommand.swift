internal import Arguments
internal import Control
internal import Events

/// `alertctl drill [--sink NAME]`: tells a test event in the way of any other.
enum DrillCommand: Command {
    static let specification = CommandLineSpecification(
        "drill", summary: "Tell a test event, and say what became of it",
        discussion: [
            "The event is numbered, saved and handed to every sink as an alert would be. It says in all its forms "
                + "that it is a test. The exit code is 1 when a sink failed. With --sink the other sinks do not get "
                + "it; the stream of all events has it nevertheless, so that its numbers have no hole.",
            "For root, the user of the daemon and the group alertd-admin.",
        ],
        examples: [
            Example("alertctl drill", "Would I hear of it?"),
            Example("alertctl drill --sink journal", "Only to the journal."),
        ],
        options: [
            OptionSpecification(
                "sink", value: "NAME", kind: .live("sinks"), help: "Only to this sink, as status names it")
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let reply = try context.connect().call(
            .drill, DrillParameters(sink: context.arguments.value("sink")), returning: DrillReply.self)
        let columns = [
            Column("sink", "SINK"), Column("result", "RESULT"), Column("detail", "DETAIL"),
        ]
        let rows = reply.results.map { result in
            [
                Cell(.text(result.sink), .strong),
                Cell(.text(result.result), result.result == .delivered ? .good : .alarm), Cell(.text(result.detail)),
            ]
        }
        context.show(
            Report(parts: [
                .words("Event \(reply.event.number): \(reply.event.text)", .none),
                .metadata([Field("number", .count(reply.event.number)), Field("saved", .flag(reply.saved))]),
                .table(Table(key: "results", columns: columns, rows: rows, whenEmpty: "No sink is in use.")),
            ]))
        context.noteUnsaved(reply.saved)
        return reply.results.contains { $0.result == .failed } ? .failure : .success
    }
}
