/// One reply as a client reads it.
struct ClientReply {
    private let message: [UInt8]

    init(_ message: [UInt8]) {
        self.message = message
    }

    /// The parameters as a value.
    func decoded<Answer: Decodable>(as type: Answer.Type) throws(VarlinkClientError) -> Answer {
        let reply: Reply<Answer> = try read()
        if let error = reply.error { throw remote(error) }
        if let parameters = reply.parameters { return parameters }
        do {
            return try decodedJSON(Array("{}".utf8))
        } catch {
            throw .protocolViolation("the reply has no parameters")
        }
    }

    /// The parameters as their text.
    func parametersJSON() throws(VarlinkClientError) -> [UInt8] {
        let reply: Reply<SomeObject> = try read()
        if let error = reply.error { throw remote(error) }
        guard !JSONOutline.hasBareControlCharacter(message) else {
            throw .protocolViolation("a string with a control character")
        }
        return rawParameters
    }

    /// Whether more replies follow.
    func continues() throws(VarlinkClientError) -> Bool {
        try (read() as Reply<SomeObject>).continues
    }

    private var rawParameters: [UInt8] {
        JSONOutline.member("parameters", of: message).map(Array.init) ?? Array("{}".utf8)
    }

    private func remote(_ name: String) -> VarlinkClientError {
        .remote(name: name, parametersJSON: rawParameters)
    }

    private func read<Answer: Decodable>() throws(VarlinkClientError) -> Reply<Answer> {
        do {
            return try decodedJSON(message)
        } catch is MalformedJSON {
            throw .protocolViolation("not UTF-8, or nested too deep")
        } catch let error as DecodingError {
            throw .protocolViolation(Self.words(for: error))
        } catch {
            throw .protocolViolation("no JSON")
        }
    }

    private static func words(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(path(context, key)) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(path(context)) is of another type"
        case .dataCorrupted(let context): context.codingPath.isEmpty ? "no JSON" : "\(path(context)) is not usable"
        @unknown default: "no JSON"
        }
    }

    private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        let names = (context.codingPath + [key].compactMap(\.self)).map(\.stringValue)
        return names.isEmpty ? "the reply" : names.joined(separator: ".")
    }
}
