internal import Arguments
internal import Control
internal import Market
internal import Time

/// `alertctl poll`: has the daemon ask the exchange now.
enum PollCommand: Command {
    static let specification = CommandLineSpecification(
        "poll", summary: "Have the daemon ask the exchange now",
        examples: [Example("alertctl poll --timeout 30s", "Is the exchange back?")])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let reply = try context.connect().call(.poll, Nothing(), returning: PollReply.self)
        let result = reply.result
        let isGood = result.state == .ok
        let length = Milliseconds(Int64(result.durationMilliseconds)).description
        let counts =
            [
                counted(result.symbols, "symbol"), counted(result.badElements, "bad element"),
                counted(result.events, "event"),
            ].joined(separator: ", ") + " in \(length)"
        let why = result.message.map { ": \($0)" } ?? ""
        context.show(
            Report(parts: [
                .words(
                    isGood ? "Polled: \(counts)." : "The poll failed, \(result.state)\(why)", isGood ? .none : .alarm),
                .fields(
                    key: nil,
                    [
                        Field("state", .text(result.state)), Field("message", .text(result.message)),
                        Field("symbols", .count(result.symbols)), Field("bad_elements", .count(result.badElements)),
                        Field("duration_ms", .count(result.durationMilliseconds)),
                        Field("events", .count(result.events)),
                    ]),
            ]))
        return isGood ? .success : .failure
    }
}
