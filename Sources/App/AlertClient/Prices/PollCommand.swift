internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl poll`: makes the daemon poll a source now.
enum PollCommand: Command {
    static let specification = CommandLineSpecification(
        "poll", summary: "Make the daemon poll a source now",
        discussion: [
            "The daemon never polls more often than the source allows. If the source has asked it to wait, for example "
                + "during a ban, 'alertctl status' shows until when, and the request is refused unless --force is "
                + "given. Polling during a ban may prolong it.",
            accessText,
        ],
        examples: [Example("alertctl poll --timeout 30s", "Is the source reachable again?")],
        options: [
            oneSourceOption, OptionSpecification("force", help: "Poll even if the source asked to wait"),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let parameters = PollParameters(
            source: context.arguments.value("source"), force: context.arguments.has("force") ? true : nil)
        let reply = try context.connect().call(.poll, parameters, returning: PollReply.self)
        let result = reply.result
        let isGood = result.state == .ok
        let length = Milliseconds(Int64(result.durationMilliseconds)).description
        let counts =
            [
                counted(result.symbols, "symbol"), counted(result.badElements, "bad element"),
                counted(result.events, "event"),
            ].joined(separator: ", ") + " in \(length)"
        let ignored = result.badElementsMessage.map { [Part.text("\($0).", .alarm)] } ?? []
        context.show(
            Report(
                parts: [
                    .text(
                        isGood ? "Polled: \(counts)." : "The poll failed: \(result.message ?? result.state.text)",
                        isGood ? .none : .alarm),
                    .fields(
                        key: nil,
                        [
                            Field("state", .text(result.state)), Field("message", .text(result.message)),
                            Field("symbols", .count(result.symbols)), Field("bad_elements", .count(result.badElements)),
                            Field("bad_elements_message", .text(result.badElementsMessage)),
                            Field("duration_ms", .count(result.durationMilliseconds)),
                            Field("events", .count(result.events)),
                        ]),
                ] + ignored))
        return isGood ? .success : .failure
    }
}
