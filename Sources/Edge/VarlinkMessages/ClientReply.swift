internal import JSON

/// A reply that a client received.
struct ClientReply {
    private let parameters: JSONValue?
    private let error: String?

    /// True if more replies follow.
    let continues: Bool

    init(_ message: [UInt8]) throws(VarlinkClientError) {
        do throws(JSONError) {
            var reply = try JSONDocument(message, limit: VarlinkClient.replyLimit).root.object()
            parameters = reply.member("parameters")
            continues = try reply.readIfPresent("continues") ?? false
            error = try reply.readIfPresent("error")
        } catch {
            throw .protocolViolation("\(error)")
        }
    }

    /// Decodes the parameters; a reply without parameters has an empty object.
    func decoded<Answer: JSONReadable>(as type: Answer.Type) throws(VarlinkClientError) -> Answer {
        let object = parameters ?? JSONDocument.emptyObject.root
        if let error { throw .remote(name: error, parametersJSON: object.text) }
        do throws(JSONError) {
            return try Answer(json: object)
        } catch {
            throw .protocolViolation("\(error.inside("parameters"))")
        }
    }
}
