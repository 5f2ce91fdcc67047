package import Control
package import JSON

/// A connection to the daemon: the control socket, or a fake in tests.
package protocol ControlConnection {
    /// Calls a method and waits for its one reply.
    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type
    ) throws(ClientError) -> Reply

    /// Calls a method with a stream of replies, and hands over each one until the last, or until the daemon closes the
    /// connection between two of them. A body that returns false ends the stream; the connection cannot be used after.
    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        each: (Reply) -> Bool
    ) throws(ClientError)
}

extension ControlConnection {
    func status() throws(ClientError) -> DaemonStatus {
        try call(.status, Nothing(), returning: StatusReply.self).status
    }

    /// Calls `MonitorEvents` and hands over each reply, until the daemon closes the connection.
    ///
    /// - Throws: ``ClientError/closed`` when the daemon closes the connection; it never returns otherwise.
    func monitor(
        _ parameters: MonitorEventsParameters, each: (MonitorEventsReply) -> Void
    ) throws(ClientError) {
        try stream(.monitorEvents, parameters, returning: MonitorEventsReply.self) { reply in
            each(reply)
            return true
        }
        throw .closed
    }
}
