package import Control
package import JSON
package import Time
package import VarlinkMessages

/// A connection to the daemon: the control socket, or a fake in tests.
package protocol ControlConnection {
    /// Calls a method, runs `work` while the daemon answers, and then waits for the single reply.
    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply

    /// Calls a method that streams replies. Each reply is passed to `each`, until the last one or until the daemon
    /// closes the connection between two replies. If `each` returns false, the stream ends, and the connection can no
    /// longer be used.
    ///
    /// - Throws: ``ClientError/timedOut(_:)`` if the stream has not ended after `limit`; nil means no limit.
    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError)

    /// Runs the body while calls wait for the daemon: whenever the descriptor is readable, and several times a second
    /// in any case.
    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void)

    /// Calls `MonitorEvents` and passes each reply to `each`, until `each` or the companion returns false.
    ///
    /// - Throws: ``ClientError/closed`` if the companion ended the stream.
    func monitor(
        _ parameters: MonitorEventsParameters, beside companion: WaitCompanion, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError)
}

extension ControlConnection {
    package func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) {}

    /// The default for connections that wait for nothing else: calls the companion after each reply.
    package func monitor(
        _ parameters: MonitorEventsParameters, beside companion: WaitCompanion, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError) {
        var isOver = false
        try stream(.monitorEvents, parameters, returning: MonitorEventsReply.self, within: nil) { reply in
            isOver = !each(reply) || !companion.act()
            return !isOver
        }
    }

    /// Calls a method and waits for the single reply.
    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type
    ) throws(ClientError) -> Reply {
        try call(method, parameters, returning: Reply.self, meanwhile: {})
    }

    func status() throws(ClientError) -> DaemonStatus {
        try call(.status, Nothing(), returning: StatusReply.self).status
    }

    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        each: (Reply) -> Bool
    ) throws(ClientError) {
        try stream(method, parameters, returning: Reply.self, within: nil, each: each)
    }

    /// Calls `MonitorEvents` and passes each reply to `each`, until it returns false.
    ///
    /// - Throws: ``ClientError/closed`` if the daemon closes the connection, ``ClientError/timedOut(_:)`` after the
    ///   limit.
    func monitor(
        _ parameters: MonitorEventsParameters, within limit: Milliseconds? = nil, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError) {
        var isOver = false
        try stream(.monitorEvents, parameters, returning: MonitorEventsReply.self, within: limit) { reply in
            isOver = !each(reply)
            return !isOver
        }
        if !isOver { throw .closed }
    }
}
