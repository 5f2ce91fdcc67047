package import Control
package import JSON
package import Time
package import VarlinkMessages

/// A connection to the daemon: the control socket, or a fake in tests.
package protocol ControlConnection {
    /// Calls a method, does some work while the daemon answers, and then waits for its one reply.
    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply

    /// Calls a method with a stream of replies, and hands over each one until the last, or until the daemon closes the
    /// connection between two of them. A body that returns false ends the stream; the connection cannot be used after.
    ///
    /// - Throws: ``ClientError/timedOut(_:)`` if the stream has not ended after `limit`; nil is no limit.
    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError)

    /// While a call waits for the daemon, the body runs whenever the descriptor is readable, and many times a second.
    func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void)

    /// Calls `MonitorEvents` and hands over each reply, until the body or the companion returns false.
    ///
    /// - Throws: ``ClientError/closed`` when the companion ended the stream.
    func monitor(
        _ parameters: MonitorEventsParameters, beside companion: WaitCompanion, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError)
}

extension ControlConnection {
    package func whileWaiting(on descriptor: Int32, _ body: @escaping () -> Void) {}

    /// For connections on which nothing else happens at the same time.
    package func monitor(
        _ parameters: MonitorEventsParameters, beside companion: WaitCompanion, each: (MonitorEventsReply) -> Bool
    ) throws(ClientError) {
        var isOver = false
        try stream(.monitorEvents, parameters, returning: MonitorEventsReply.self, within: nil) { reply in
            isOver = !each(reply) || !companion.act()
            return !isOver
        }
    }

    /// Calls a method and waits for its one reply.
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

    /// Calls `MonitorEvents` and hands over each reply, until the body returns false.
    ///
    /// - Throws: ``ClientError/closed`` when the daemon closes the connection, ``ClientError/timedOut(_:)`` after the
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
