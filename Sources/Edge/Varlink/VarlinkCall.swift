package import EventLoop
package import JSON
internal import VarlinkMessages

/// One call of a client, as the handler of its method gets it.
@LoopActor
package final class VarlinkCall {
    private let connection: VarlinkConnection
    private let parameters: JSONValue
    private let isStream: Bool
    private let isOneway: Bool
    private var isAnswered = false

    /// The full name of the method.
    package let method: String
    /// Whether the client takes more than one reply.
    package let wantsMore: Bool

    init(_ head: CallHead, isStream: Bool, connection: VarlinkConnection) {
        self.connection = connection
        parameters = head.parameters
        self.isStream = isStream
        isOneway = head.oneway
        method = head.method
        wantsMore = head.more
    }

    /// Stands for the connection, as long as it is open.
    package var client: ObjectIdentifier { ObjectIdentifier(connection) }

    /// The credentials of the caller.
    package var peer: PeerCredentials { connection.peer }

    /// Whether the connection is gone, so that replies go nowhere.
    package var isClosed: Bool { connection.isClosed }

    /// Reads the parameters; those that the type does not know are skipped.
    ///
    /// - Throws: `InvalidParameter`, with the name of the first parameter that is missing or is not what it should be.
    package func decodeParameters<Parameters: JSONReadable>(
        as type: Parameters.Type
    ) throws(VarlinkError) -> Parameters {
        do throws(JSONError) {
            return try Parameters(json: parameters)
        } catch {
            throw VarlinkError(parameterOf: error)
        }
    }

    /// Answers. After the last reply, on a closed connection and to a call that wants no reply it does nothing.
    ///
    /// - Parameters:
    ///   - parameters: what it answers; an object.
    ///   - continues: whether more replies follow; only when the client ``wantsMore``.
    package func reply(_ parameters: some JSONWritable, continues: Bool = false) {
        send(continues: continues) { parameters.write(to: &$0) }
    }

    /// Answers with parameters that are encoded already: one JSON object.
    package func reply(parametersJSON: [UInt8], continues: Bool = false) {
        send(continues: continues) { $0.raw(parametersJSON) }
    }

    private func send(continues: Bool, _ parameters: (inout JSONWriter) -> Void) {
        guard !isAnswered else { return }
        isAnswered = !continues
        guard !isOneway, !isClosed else { return }
        connection.send(MessageText.reply(continues: continues && wantsMore, parameters), ofStream: isStream)
    }

    /// Has `action` called on the loop once the connection is closed, by either side, or at once when it is; never from
    /// inside of ``reply(_:continues:)``.
    package func onClose(_ action: @escaping @LoopActor @Sendable () -> Void) {
        connection.onClose(action)
    }

    /// Waits until the client has read most of what it was answered, or is gone; at least for a turn of the loop.
    package func untilRoom() async {
        await connection.untilRoom()
    }

    /// Runs the handler and sees to it that there is a last reply.
    func run(_ handler: VarlinkMethod.Handler) async {
        do {
            try await handler(self)
            reply(parametersJSON: Array("{}".utf8))
        } catch {
            fail(error)
        }
    }

    /// Answers the error, unless the last reply is out.
    func fail(_ error: VarlinkError) {
        guard !isAnswered else { return }
        isAnswered = true
        guard !isOneway else { return }
        connection.send(MessageText.error(error), ofStream: isStream)
    }
}
