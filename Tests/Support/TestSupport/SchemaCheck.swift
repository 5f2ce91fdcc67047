package import Foundation

/// Checks JSON against one of the schemas in share/alertd/schemas: the part of JSON Schema that these use. In addition,
/// nothing may be there that the schema does not describe.
package struct SchemaCheck {
    /// How strictly strings are checked.
    package enum Strings: Sendable {
        /// Enumerations and patterns hold, as in the output of a real daemon.
        case strict
        /// Any string will do, as in the replies of a fake one.
        case any
    }

    private let schema: Tree
    private let strings: Strings

    /// The folder of the schemas.
    package static let folder = packageFolder.appending(path: "share/alertd/schemas")

    /// Reads the schema of that name.
    ///
    /// - Throws: if there is none, or it is not JSON.
    package init(_ name: String, strings: Strings = .strict) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
        schema = try JSONDecoder().decode(Tree.self, from: data)
        self.strings = strings
    }

    /// What is wrong with a text of JSON, one line each; empty if nothing is.
    package func faults(in text: String) -> [String] {
        guard let value = try? JSONDecoder().decode(Tree.self, from: Data(text.utf8)) else {
            return ["not JSON: \(text.prefix(80))"]
        }
        return faults(in: value, schema, at: "$")
    }

    private func faults(in value: Tree, _ schema: Tree, at place: String) -> [String] {
        if case .string(let reference) = schema["$ref"] {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let target = self.schema["$defs"]?[name] else { return ["\(place): no definition of \(name)"] }
            return faults(in: value, target, at: place)
        }
        if case .list(let choices) = schema["anyOf"] {
            let all = choices.map { faults(in: value, $0, at: place) }
            return all.contains([]) ? [] : all.first ?? ["\(place): an empty choice"]
        }
        switch (schema["type"]?.text, value) {
        case ("null", .null), ("boolean", .flag), ("integer", .integer): return []
        case ("string", .string(let text)): return faults(inString: text, schema, at: place)
        case ("array", .list(let elements)):
            let item = schema["items"] ?? .null
            return elements.enumerated().flatMap { faults(in: $1, item, at: "\(place)[\($0)]") }
        case ("object", .object(let members)): return faults(inObject: members, schema, at: place)
        case (let type, _): return ["\(place): not of the type \(type ?? "none"): \(value)"]
        }
    }

    private func faults(inString text: String, _ schema: Tree, at place: String) -> [String] {
        guard strings == .strict else { return [] }
        if case .list(let words) = schema["enum"], !words.contains(where: { $0.text == text }) {
            return ["\(place): no such word: \(text)"]
        }
        if let pattern = schema["pattern"]?.text, text.range(of: pattern, options: .regularExpression) == nil {
            return ["\(place): \(text) does not match \(pattern)"]
        }
        return []
    }

    private func faults(inObject members: [String: Tree], _ schema: Tree, at place: String) -> [String] {
        let required: [Tree] = if case .list(let names) = schema["required"] { names } else { [] }
        let missing = required.compactMap(\.text).filter { members[$0] == nil }.map { "\(place): no \($0)" }
        return missing
            + members.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
                guard let property = schema["properties"]?[key] else { return ["\(place): \(key) is not described"] }
                return faults(in: value, property, at: "\(place).\(key)")
            }
    }
}

/// A value of JSON.
private enum Tree: Decodable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case fraction(Double)
    case string(String)
    case list([Tree])
    case object([String: Tree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .fraction(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([Tree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Tree].self))
        }
    }

    subscript(key: String) -> Tree? { if case .object(let members) = self { members[key] } else { nil } }

    var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension SchemaCheck {
    /// The schemas for the output of a command: one for each line, or any of several.
    ///
    /// - Parameter path: the names of the command, such as `["limit", "list"]`.
    /// - Returns: the names of the schemas.
    package static func names(for path: [String]) -> [String] {
        switch path.joined(separator: "-") {
        case "": ["status"]
        case "silence", "silence-expire": ["silence-list"]
        case "limit": ["limit", "limit-change"]
        case "limit-reset": ["limit-list"]
        case "config-check": ["check"]
        case "tail", "wait": ["event"]
        case "convert": ["convert", "convert-again", "convert-history"]
        case "export": ["export-header", "export-price", "event", "export-end"]
        case "receivers-list": ["receivers"]
        case "receivers-test": ["drill"]
        case "favourites-add", "favourites-remove": ["favourites"]
        case let name: [name]
        }
    }

    /// Whether there is no schema for a command.
    package static func isMissing(for path: [String]) -> Bool {
        names(for: path).allSatisfy { (try? SchemaCheck($0)) == nil }
    }

    /// What is wrong with the output of a command, one object per line; empty if nothing is.
    package static func faults(inOutput output: String, of path: [String], strings: Strings = .strict) -> [String] {
        let checks = names(for: path).compactMap { try? SchemaCheck($0, strings: strings) }
        guard !checks.isEmpty else { return ["no schema for \(path.joined(separator: " "))"] }
        return output.split(separator: "\n").flatMap { line in
            let faults = checks.map { $0.faults(in: String(line)) }
            return faults.contains([]) ? [] : faults.first ?? []
        }
    }
}
