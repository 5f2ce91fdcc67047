internal import AlertClient
internal import Control
internal import JSON
internal import Time

extension FuzzEntry {
    /// What a daemon answers to alertctl: the first byte chooses the command, the rest is an object with a reply for
    /// each method by its name.
    package static let clientReplies = FuzzEntry(name: "client-replies", seeds: replySeeds) { bytes in
        guard let choice = bytes.first, let document = try? JSONDocument(Array(bytes.dropFirst()), limit: 1 << 20)
        else { return false }
        return runAgainstDaemon(clientLines[Int(choice) % clientLines.count], document.root) == 0
    }

    /// The commands of ``clientReplies``, in the order of the first byte.
    package static let clientLines = [
        "status", "list", "show btcinr", "alerts", "alerts --all", "rules", "explain", "explain rule", "events",
        "events --limit 9223372036854775807", "why 9223372036854775807", "why 1", "history btcinr",
        "history btcinr --step 1s", "history btcinr --step none", "history btcinr --last 9223372036854775807 --step 1d",
        "history btcinr --step 100d --until 0001-01-01 --last 9223372036854775807", "rates", "convert 5 INR SEK",
        "silence list", "silence list --all", "silence add btcinr --for 1h", "silence expire 1", "limit list",
        "limit rule btcinr max 5", "ack 9223372036854775807", "ack rule", "arm rule", "poll", "reload", "drill",
        "tail --lines 9223372036854775807", "tail --after 5",
    ]
}

@Sendable
private func replySeeds() -> [[UInt8]] {
    let bars =
        #"{"time":"2026-11-20T22:00:00.000Z","open":"1","high":"2","low":"1","close":"2","#
        + #""samples":9223372036854775807}"#
    let replies =
        #"{"ListBars":{"simulated":false,"bars":[\#(bars),\#(bars)]},"ListEvents":"#
        + #"{"simulated":false,"events":[],"more":true}}"#
    return FuzzEntry.clientLines.indices.map { [UInt8($0)] + Array(replies.utf8) }
}

/// Runs alertctl against a daemon with these replies; returns its exit code.
private func runAgainstDaemon(_ line: String, _ replies: JSONValue) -> Int32 {
    let now = WallTime(milliseconds: 1_795_000_000_000)
    var environment = ClientEnvironment(
        now: { now }, write: { _ in }, warn: { _ in },
        connect: { _ throws(ClientError) in JSONDaemon(replies: replies) }, pause: { _ in }, checkFiles: { _ in [] })
    environment.isTerminal = true
    environment.width = 80
    let words = line.split(separator: " ").map(String.init)
    _ = runClient(["--json"] + words, in: environment)
    return runClient(words, in: environment)
}

/// Gives every call the reply of its method, and goes away after some of them.
private final class JSONDaemon: ControlConnection {
    private static let limit = 12
    private let replies: JSONValue
    private var count = 0

    init(replies: JSONValue) {
        self.replies = replies
    }

    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply {
        work()
        count += 1
        guard count <= Self.limit else { throw .closed }
        let members = try? replies.object().members
        let reply = members?.first { $0.key == method.rawValue }?.value ?? replies
        guard let read = try? Reply(json: reply) else { throw .malformed("unreadable") }
        return read
    }

    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError) {
        let reply = try call(method, parameters, returning: Reply.self, meanwhile: {})
        for _ in 0..<2 where !each(reply) { return }
        if method == .monitorEvents { throw .malformed("the end") }
    }
}
