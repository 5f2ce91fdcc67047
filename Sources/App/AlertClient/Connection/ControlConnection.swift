package import Control
package import JSON

/// A way to talk to the daemon: the control socket, or a stand-in in tests.
package protocol ControlConnection {
    /// Calls a method and waits for its one answer.
    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type
    ) throws(ClientError) -> Reply

    /// Calls a method that answers again and again, and hands over each answer until the last one or until the daemon
    /// goes away between two of them. A body that returns false ends it, and with it the use of the connection.
    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        each: (Reply) -> Bool
    ) throws(ClientError)
}

extension ControlConnection {
    func status() throws(ClientError) -> DaemonStatus {
        try call(.status, Nothing(), returning: StatusReply.self).status
    }

    /// Calls `MonitorEvents` and hands over each answer, until the daemon goes away.
    ///
    /// - Throws: ``ClientError/closed`` when the daemon goes away; it never returns otherwise.
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
