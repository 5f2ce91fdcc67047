package import InterfaceLanguage

/// A generator of a JSON Schema for each output of a program. An output is a type whose comment names a command.
///
/// The fields of an output are always present. An optional field without a value is null. Only fields whose comments
/// begin with “Only” may be absent.
package struct SchemaGenerator {
    private let members: [String: InterfaceMember]
    private let outputs: [InterfaceMember]
    private let prefix: String

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - outputs: the description of the outputs, an interface that consists of types.
    ///   - interface: the description of the interface whose types the outputs use.
    ///   - program: the name of the program.
    /// - Throws: ``InterfaceSyntaxError``, also for a type that is in neither text.
    package init(_ outputs: String, using interface: String, program: String) throws(InterfaceSyntaxError) {
        let lines = outputs.split(separator: "\n", omittingEmptySubsequences: false)
        let own = lines.drop { !$0.hasPrefix("interface ") }.dropFirst().joined(separator: "\n")
        let definition = try InterfaceDefinition(interface + "\n" + own)
        members = Dictionary(definition.members.map { ($0.name, $0) }) { first, _ in first }
        let isOutput = { (member: InterfaceMember) in
            member.keyword == "type"
                && (member.comment.contains("`\(program)") || member.comment.contains("any command"))
        }
        self.outputs = definition.members.filter(isOutput)
        prefix = "urn:alertd:schema:"
    }

    /// Returns the schemas, one file each.
    package func files() -> [GeneratedFile] {
        outputs.map { output in
            let name = Self.fileName(output.name)
            var keys: [(String, SchemaValue)] = [
                ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("$id", .text(prefix + name)),
            ]
            keys += definition(of: output)
            let used = names(usedBy: output)
            if !used.isEmpty {
                let definitions = used.sorted().compactMap { name in
                    members[name].map { (name, SchemaValue.object(definition(of: $0))) }
                }
                keys.append(("$defs", .object(definitions)))
            }
            return GeneratedFile(name: "\(name).json", text: SchemaValue.object(keys).text() + "\n")
        }
    }

    /// Returns the file name without extension: `limit-list` for `LimitListOutput`.
    private static func fileName(_ type: String) -> String {
        let ending = ["Output", "Line"].first { type.hasSuffix($0) } ?? ""
        let words = type.dropLast(ending.count).map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
        return String(words.joined().drop { $0 == "-" })
    }

    /// Returns all types that a type refers to, directly or indirectly.
    private func names(usedBy member: InterfaceMember) -> Set<String> {
        var found: Set<String> = []
        var open = [member]
        while let next = open.popLast() {
            guard case .object(let fields) = next.kind else { continue }
            for name in fields.compactMap(\.type.name) where found.insert(name).inserted {
                if let member = members[name] { open.append(member) }
            }
        }
        return found
    }

    private func definition(of member: InterfaceMember) -> [(String, SchemaValue)] {
        let comment: [(String, SchemaValue)] = member.comment.isEmpty ? [] : [("description", .text(member.comment))]
        switch (member.kind, member.name) {
        case (_, "Decimal"):
            return comment + [("type", .text("string")), ("pattern", .text("^-?[0-9]+(\\.[0-9]+)?$"))]
        case (_, "Time"):
            let pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$"
            return comment + [
                ("type", .text("string")), ("format", .text("date-time")), ("pattern", .text(pattern)),
            ]
        case (.enumeration(let cases), _):
            return comment + [("type", .text("string")), ("enum", .list(cases.map { .text($0.name) }))]
        case (.object(let fields), _):
            let required = fields.filter { !$0.comment.hasPrefix("Only ") }.map { SchemaValue.text($0.name) }
            return comment + [
                ("type", .text("object")), ("properties", .object(fields.map { ($0.name, schema(of: $0)) })),
                ("required", .list(required)),
            ]
        default: return comment
        }
    }

    private func schema(of field: InterfaceField) -> SchemaValue {
        let comment: [(String, SchemaValue)] = field.comment.isEmpty ? [] : [("description", .text(field.comment))]
        return .object(comment + Self.schema(of: field.type))
    }

    private static func schema(of type: InterfaceType) -> [(String, SchemaValue)] {
        switch type {
        case .bool: [("type", .text("boolean"))]
        case .int: [("type", .text("integer"))]
        case .float: [("type", .text("number"))]
        case .string: [("type", .text("string"))]
        case .named(let name): [("$ref", .text("#/$defs/\(name)"))]
        case .array(let element): [("type", .text("array")), ("items", .object(schema(of: element)))]
        case .optional(let wrapped):
            [("anyOf", .list([.object(schema(of: wrapped)), .object([("type", .text("null"))])]))]
        }
    }
}

extension InterfaceType {
    /// The name of the type, or of the innermost type of an array or optional; nil for a built-in type.
    fileprivate var name: String? {
        switch self {
        case .named(let name): name
        case .array(let inner), .optional(let inner): inner.name
        case .bool, .int, .float, .string: nil
        }
    }
}

/// A JSON value with a layout for people.
private indirect enum SchemaValue {
    case text(String)
    case list([SchemaValue])
    case object([(String, SchemaValue)])

    /// Returns the value as JSON, without a final newline.
    ///
    /// - Parameter indent: the indentation of the last line.
    /// - Returns: one or several lines.
    func text(_ indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .text(let text): return Self.quoted(text)
        case .list(let values):
            let flat = "[\(values.map { $0.text(inner) }.joined(separator: ", "))]"
            return flat.count + indent.count <= 100 || values.isEmpty
                ? flat
                : "[\n" + values.map { inner + $0.text(inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            let flat = "{ \(members.map { "\(Self.quoted($0)): \($1.text(inner))" }.joined(separator: ", ")) }"
            if !flat.contains("\n"), flat.count + indent.count <= 100 { return flat }
            let lines = members.map { "\(inner)\(Self.quoted($0)): \($1.text(inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
