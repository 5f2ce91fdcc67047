internal import FoundationEssentials

/// A call as it comes: everything but its parameters, which the method decodes.
struct CallHead: Decodable {
    private enum CodingKeys: String, CodingKey {
        case method, parameters, more, oneway, upgrade
    }

    var method: String
    var more: Bool
    var oneway: Bool
    var upgrade: Bool

    /// Reads a message without its NUL; nil when it is no call.
    init?(_ message: [UInt8]) {
        guard let head: CallHead = try? decodedJSON(message) else { return nil }
        self = head
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        more = try container.decodeIfPresent(Bool.self, forKey: .more) ?? false
        oneway = try container.decodeIfPresent(Bool.self, forKey: .oneway) ?? false
        upgrade = try container.decodeIfPresent(Bool.self, forKey: .upgrade) ?? false
        _ = try container.decodeIfPresent(SomeObject.self, forKey: .parameters)
    }
}

/// Any JSON object.
struct SomeObject: Decodable {
    private enum CodingKeys: CodingKey {}

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }
}

/// The parameters of a call or of a reply; absent ones are read as an empty object.
struct MessageParameters<Parameters: Decodable>: Decodable {
    var parameters: Parameters?

    static func decode(from message: [UInt8]) throws -> Parameters {
        let decoded: Self = try decodedJSON(message)
        return try decoded.parameters ?? decodedJSON(Array("{}".utf8))
    }
}

/// A reply as it comes, with parameters of the expected type unless it is an error.
struct Reply<Parameters: Decodable>: Decodable {
    private enum CodingKeys: String, CodingKey {
        case parameters, continues, error
    }

    var parameters: Parameters?
    var continues: Bool
    var error: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        continues = try container.decodeIfPresent(Bool.self, forKey: .continues) ?? false
        error = try container.decodeIfPresent(String.self, forKey: .error)
        guard error == nil else { return }
        parameters = try container.decodeIfPresent(Parameters.self, forKey: .parameters)
    }
}

/// What cannot be read as JSON that is well-formed UTF-8 and not nested without end.
struct MalformedJSON: Error {}

func decodedJSON<Value: Decodable>(_ text: [UInt8]) throws -> Value {
    guard String(validating: text, as: UTF8.self) != nil, !JSONOutline.isTooDeep(text) else { throw MalformedJSON() }
    return try JSONDecoder().decode(Value.self, from: Data(text))
}

/// The JSON text of a value; nil when it has none, such as a number that is not finite.
func encodedJSON(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map(Array.init)
}

/// Puts messages together from parts that are JSON already.
enum MessageText {
    static func call(_ method: String, parametersJSON: [UInt8], more: Bool) -> [UInt8] {
        object("method", method, parametersJSON, flag: more ? "more" : nil)
    }

    static func reply(parametersJSON: [UInt8], continues: Bool) -> [UInt8] {
        Array("{\"parameters\":".utf8) + parametersJSON + end(flag: continues ? "continues" : nil)
    }

    static func error(_ error: VarlinkError) -> [UInt8] {
        object("error", error.name, error.parametersJSON, flag: nil)
    }

    private static func object(_ key: String, _ value: String, _ parametersJSON: [UInt8], flag: String?) -> [UInt8] {
        let quoted = encodedJSON(value) ?? Array("\"\"".utf8)
        return Array("{\"\(key)\":".utf8) + quoted + Array(",\"parameters\":".utf8) + parametersJSON + end(flag: flag)
    }

    private static func end(flag: String?) -> [UInt8] {
        Array((flag.map { ",\"\($0)\":true}" } ?? "}").utf8)
    }
}
