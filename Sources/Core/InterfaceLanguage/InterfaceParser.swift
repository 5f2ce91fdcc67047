extension InterfaceDefinition {
    /// Parses an interface description.
    ///
    /// - Parameter text: the description in the interface definition language of Varlink.
    /// - Throws: ``InterfaceSyntaxError`` for invalid syntax, duplicate names and unknown types.
    package init(_ text: String) throws(InterfaceSyntaxError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var parser = InterfaceParser(lines: lines, tokens: try InterfaceScanner.tokens(of: lines))
        self = try parser.definition()
        try check()
    }

    private func check() throws(InterfaceSyntaxError) {
        let types = Set(members.filter { $0.keyword == "type" }.map(\.name))
        var names: Set<String> = []
        for member in members {
            guard names.insert(member.name).inserted else {
                throw InterfaceSyntaxError(line: 1, message: "“\(member.name)” is declared twice")
            }
            for field in member.fields {
                if let name = field.type.typeName, !types.contains(name) {
                    throw InterfaceSyntaxError(line: 1, message: "\(member.name).\(field.name): no type “\(name)”")
                }
            }
        }
    }
}

extension InterfaceMember {
    /// All fields; the parameters of a method are before the fields of its reply.
    fileprivate var fields: [InterfaceField] {
        switch kind {
        case .object(let fields), .error(let fields): fields
        case .method(let parameters, let reply): parameters + reply
        case .enumeration: []
        }
    }
}

extension InterfaceType {
    /// The name of the type, or of the innermost type of an array or optional; nil for a built-in type.
    fileprivate var typeName: String? {
        switch self {
        case .named(let name): name
        case .array(let inner), .optional(let inner): inner.typeName
        case .bool, .int, .float, .string: nil
        }
    }
}

private struct InterfaceParser {
    let lines: [String]
    let tokens: [InterfaceToken]
    private var position = 0
    /// The lines of the last comment, and the number of its last line.
    private var comment: (text: [String], line: Int) = ([], 0)

    init(lines: [String], tokens: [InterfaceToken]) {
        self.lines = lines
        self.tokens = tokens
    }

    mutating func definition() throws(InterfaceSyntaxError) -> InterfaceDefinition {
        consumeComments()
        try expect("interface")
        let name = try expectWord("the name of the interface")
        let said = commentAbove(line: tokens[position - 1].line)
        var sections: [InterfaceSection] = []
        var title = ""
        var start = 1
        var members: [InterfaceMember] = []
        while true {
            consumeComments { [tokens] in Self.sectionTitle(tokens[$0]) == nil }
            if let next = Self.sectionTitle(tokens[position]) {
                sections.append(section(title, from: start, to: tokens[position].line - 1, members))
                (title, start, members) = (next, tokens[position].line, [])
                position += 1
            } else if tokens[position].kind == .end {
                break
            } else {
                members.append(try member())
            }
        }
        sections.append(section(title, from: start, to: lines.count, members))
        return InterfaceDefinition(name: name, comment: said, sections: sections)
    }

    /// Returns the title of a section heading: `Prices` for `## Prices`.
    private static func sectionTitle(_ token: InterfaceToken) -> String? {
        guard case .comment(let text) = token.kind, text.hasPrefix("# ") else { return nil }
        return String(text.dropFirst(2))
    }

    private func section(
        _ title: String, from first: Int, to last: Int, _ members: [InterfaceMember]
    ) -> InterfaceSection {
        InterfaceSection(title: title, lines: Array(lines[(first - 1)..<last]), members: members)
    }

    private mutating func member() throws(InterfaceSyntaxError) -> InterfaceMember {
        let first = tokens[position].line
        let keyword = try expectWord("type, method or error")
        let said = commentAbove(line: first)
        let name = try expectWord("a name")
        let kind: InterfaceMember.Kind
        switch keyword {
        case "type": kind = try typeKind()
        case "error": kind = .error(try fields())
        case "method":
            let parameters = try fields()
            try expect("->")
            kind = .method(parameters: parameters, reply: try fields())
        default: throw failure("type, method or error is expected, not “\(keyword)”", at: first)
        }
        let last = tokens[position - 1].line
        return InterfaceMember(name: name, comment: said, kind: kind, lines: Array(lines[(first - 1)..<last]))
    }

    /// Reads an object or an enumeration. An object has a colon after its first name.
    private mutating func typeKind() throws(InterfaceSyntaxError) -> InterfaceMember.Kind {
        let names = tokens[position...].dropFirst().prefix { $0.kind != .word(")") }.filter { token in
            if case .word = token.kind { true } else { false }
        }
        guard let second = names.dropFirst().first ?? names.first else { return .object(try fields()) }
        return second.kind == .word(":") ? .object(try fields()) : .enumeration(try cases())
    }

    private mutating func fields() throws(InterfaceSyntaxError) -> [InterfaceField] {
        try list { parser throws(InterfaceSyntaxError) in
            let line = parser.tokens[parser.position].line
            let said = parser.commentAbove(line: line)
            let name = try parser.expectWord("the name of a field")
            try parser.expect(":")
            return InterfaceField(name: name, type: try parser.type(), comment: said)
        }
    }

    private mutating func cases() throws(InterfaceSyntaxError) -> [InterfaceCase] {
        try list { parser throws(InterfaceSyntaxError) in
            let said = parser.commentAbove(line: parser.tokens[parser.position].line)
            return InterfaceCase(name: try parser.expectWord("a word of the enumeration"), comment: said)
        }
    }

    private mutating func list<Element>(
        _ element: (inout InterfaceParser) throws(InterfaceSyntaxError) -> Element
    ) throws(InterfaceSyntaxError) -> [Element] {
        try expect("(")
        consumeComments()
        var elements: [Element] = []
        if accept(")") { return elements }
        while true {
            elements.append(try element(&self))
            consumeComments()
            if accept(")") { return elements }
            try expect(",")
            consumeComments()
        }
    }

    private mutating func type() throws(InterfaceSyntaxError) -> InterfaceType {
        let line = tokens[position].line
        switch try expectWord("a type", isSign: true) {
        case "?": return .optional(try type())
        case "[]": return .array(try type())
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case let name where name.first?.isUppercase == true: return .named(name)
        case let word: throw failure("“\(word)” is not a type", at: line)
        }
    }

    // MARK: Tokens

    private func failure(_ message: String, at line: Int) -> InterfaceSyntaxError {
        InterfaceSyntaxError(line: line, message: message)
    }

    /// Returns the comment that ends right above a line, as one paragraph, and clears the last comment.
    private mutating func commentAbove(line: Int) -> String {
        defer { comment = ([], 0) }
        guard comment.line == line - 1 else { return "" }
        let parts = comment.text.map { text in text.drop { $0 == " " } }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func consumeComments(while condition: (Int) -> Bool = { _ in true }) {
        while case .comment(let text) = tokens[position].kind, condition(position) {
            let line = tokens[position].line
            comment = comment.line == line - 1 ? (comment.text + [text], line) : ([text], line)
            position += 1
        }
    }

    private mutating func accept(_ word: String) -> Bool {
        guard tokens[position].kind == .word(word) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: String) throws(InterfaceSyntaxError) {
        guard accept(word) else { throw failure("“\(word)” is expected", at: tokens[position].line) }
    }

    private mutating func expectWord(_ what: String, isSign: Bool = false) throws(InterfaceSyntaxError) -> String {
        guard case .word(let word) = tokens[position].kind, isSign || word.first?.isLetter == true else {
            throw failure("\(what) is expected", at: tokens[position].line)
        }
        position += 1
        return word
    }
}
