/// What an interface description says of types, read with a parser that knows no more than the description needs.
struct InterfaceDefinition {
    /// A type as it is written: `?[]string`, `PricePoint`.
    struct Field: Equatable {
        var name: String
        var type: String
    }

    private(set) var name = ""
    /// The fields by `type PricePoint`, `method Status in`, `method Status out`, `error NoSuchSymbol`.
    private(set) var members: [String: [Field]] = [:]

    init(_ text: String) throws {
        var words = Self.words(of: text)[...]
        while let keyword = words.popFirst() {
            let name = try Self.take(&words)
            switch keyword {
            case "interface": self.name = name
            case "method":
                members["method \(name) in"] = try Self.fields(&words)
                guard try Self.take(&words) == "->" else { throw Malformed(around: name) }
                members["method \(name) out"] = try Self.fields(&words)
            case "type", "error": members["\(keyword) \(name)"] = try Self.fields(&words)
            default: throw Malformed(around: keyword)
            }
        }
    }

    struct Malformed: Error {
        var around: String
    }

    private static func words(of text: String) -> [String] {
        let lines = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }
        var spaced = lines.joined(separator: " ")
        for mark in ["(", ")", ":", ","] {
            spaced = spaced.split(separator: mark, omittingEmptySubsequences: false).joined(separator: " \(mark) ")
        }
        return spaced.split(separator: " ").map(String.init)
    }

    private static func take(_ words: inout ArraySlice<String>) throws -> String {
        guard let word = words.popFirst() else { throw Malformed(around: "the end") }
        return word
    }

    private static func fields(_ words: inout ArraySlice<String>) throws -> [Field] {
        guard try take(&words) == "(" else { throw Malformed(around: "(") }
        var fields: [Field] = []
        while true {
            let name = try take(&words)
            if name == ")" { return fields }
            guard try take(&words) == ":" else { throw Malformed(around: name) }
            fields.append(Field(name: name, type: try take(&words)))
            let mark = try take(&words)
            if mark == ")" { return fields }
            guard mark == "," else { throw Malformed(around: mark) }
        }
    }
}
