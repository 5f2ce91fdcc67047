internal import InterfaceLanguage

/// A property that represents a field on the wire.
struct SwiftProperty {
    /// The name on the wire.
    var key: String
    var name: String
    var type: String
    var comment: String

    var isOptional: Bool { type.hasSuffix("?") }
}

/// A structure that is an object on the wire.
struct SwiftStructure {
    var name: String
    var comment: String
    var properties: [SwiftProperty]
}

/// An enumeration that is a string on the wire.
struct SwiftEnumeration {
    var name: String
    var comment: String
    var cases: [InterfaceCase]
}

extension SwiftText {
    mutating func add(_ structure: SwiftStructure) {
        document(structure.comment)
        block("package struct \(structure.name): Equatable, Sendable") { text in
            for property in structure.properties {
                text.document(property.comment)
                text.add("package var \(property.name): \(property.type)")
            }
            text.add()
            let parameters = structure.properties.map { "\($0.name): \($0.type)\($0.isOptional ? " = nil" : "")" }
            text.function("package init", parameters) { text in
                for property in structure.properties { text.add("self.\(property.name) = \(property.name)") }
            }
        }
        add()
        block("extension \(structure.name): JSONReadable, JSONWritable") { text in
            text.addReading(structure.properties)
            text.add()
            text.addWriting(structure.properties)
        }
    }

    private mutating func addReading(_ properties: [SwiftProperty]) {
        block("package init(json: JSONValue) throws(JSONError)") { text in
            text.add("var object = try json.object()")
            for property in properties {
                let read = property.isOptional ? "readIfPresent" : "read"
                text.add("\(property.name) = try object.\(read)(\"\(property.key)\")")
            }
        }
    }

    private mutating func addWriting(_ properties: [SwiftProperty]) {
        block("package func write(to writer: inout JSONWriter)") { text in
            text.add("writer.beginObject()")
            for property in properties { text.add("writer.member(\"\(property.key)\", \(property.name))") }
            text.add("writer.endObject()")
        }
    }

    mutating func add(_ enumeration: SwiftEnumeration, in namespace: String) {
        block("extension \(namespace)") { text in
            text.document(enumeration.comment)
            text.block("package enum \(enumeration.name): WireWord") { text in
                text.addCases(enumeration.cases)
                text.add()
                text.addConversions(enumeration.cases)
            }
        }
    }

    private mutating func addCases(_ cases: [InterfaceCase]) {
        for word in cases {
            document(word.comment)
            add("case \(SwiftNames.member(word.name))")
        }
        add("/// A word of a later version.")
        add("case unknown(String)")
    }

    private mutating func addConversions(_ cases: [InterfaceCase]) {
        block("package init(rawValue: String)") { text in
            text.add("switch rawValue {")
            for word in cases { text.add("case \"\(word.name)\": self = .\(SwiftNames.member(word.name))") }
            text.add("default: self = .unknown(rawValue)")
            text.add("}")
        }
        add()
        block("package var rawValue: String") { text in
            text.add("switch self {")
            for word in cases { text.add("case .\(SwiftNames.member(word.name)): \"\(word.name)\"") }
            text.add("case .unknown(let word): word")
            text.add("}")
        }
    }
}
