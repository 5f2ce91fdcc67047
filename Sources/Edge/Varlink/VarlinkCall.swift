package import EventLoop
package import JSON
internal import VarlinkMessages

/// A call of a client, as it is passed to the handler of its method.
@LoopActor
package final class VarlinkCall {
    private let connection: VarlinkConnection
    private let parameters: JSONValue
    private let isStream: Bool
    private let isOneway: Bool
    private var isAnswered = false

    /// The full name of the method.
    package let method: String
    /// True if the client accepts more than one reply.
    package let wantsMore: Bool

    init(_ head: CallHead, isStream: Bool, connection: VarlinkConnection) {
        self.connection = connection
        parameters = head.parameters
        self.isStream = isStream
        isOneway = head.oneway
        method = head.method
        wantsMore = head.more
    }

    /// The identity of the connection, which is unique while it is open.
    package var client: ObjectIdentifier { ObjectIdentifier(connection) }

    /// The credentials of the caller.
    package var peer: PeerCredentials { connection.peer }

    /// True after the connection was closed, so that replies are not sent.
    package var isClosed: Bool { connection.isClosed }

    /// Reads the parameters. Parameters that the type does not have are skipped.
    ///
    /// - Throws: `InvalidParameter`, with the name of the first parameter that is missing or invalid.
    package func decodeParameters<Parameters: JSONReadable>(
        as type: Parameters.Type
    ) throws(VarlinkError) -> Parameters {
        do throws(JSONError) {
            return try Parameters(json: parameters)
        } catch {
            throw VarlinkError(parameterOf: error)
        }
    }

    /// Sends a reply. Does nothing after the last reply, on a closed connection, or if the caller wants no reply.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the reply; an object.
    ///   - continues: true if more replies follow, which is allowed only if the client ``wantsMore``.
    package func reply(_ parameters: some JSONWritable, continues: Bool = false) {
        send(continues: continues) { parameters.write(to: &$0) }
    }

    /// Sends a reply whose parameters are already encoded as one JSON object.
    package func reply(parametersJSON: [UInt8], continues: Bool = false) {
        send(continues: continues) { $0.raw(parametersJSON) }
    }

    private func send(continues: Bool, _ parameters: (inout JSONWriter) -> Void) {
        guard !isAnswered else { return }
        isAnswered = !continues
        guard !isOneway, !isClosed else { return }
        connection.send(MessageText.reply(continues: continues && wantsMore, parameters), ofStream: isStream)
    }

    /// Makes the loop call `action` after the connection is closed by either side, or soon if it is already closed;
    /// never from inside ``reply(_:continues:)``.
    package func onClose(_ action: @escaping @LoopActor @Sendable () -> Void) {
        connection.onClose(action)
    }

    /// Waits until the client has read most of its replies or is gone, at least for a turn of the loop.
    package func untilRoom() async {
        await connection.untilRoom()
    }

    /// Runs the handler, and ensures that there is a last reply.
    func run(_ handler: VarlinkMethod.Handler) async {
        do {
            try await handler(self)
            reply(parametersJSON: Array("{}".utf8))
        } catch {
            fail(error)
        }
    }

    /// Replies with the error, unless the last reply was sent.
    func fail(_ error: VarlinkError) {
        guard !isAnswered else { return }
        isAnswered = true
        guard !isOneway else { return }
        connection.send(MessageText.error(error), ofStream: isStream)
    }
}
