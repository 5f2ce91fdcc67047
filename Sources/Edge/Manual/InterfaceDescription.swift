/// Reads Varlink's definition language as far as the manual needs it: members, their comments and their text.
enum InterfaceDescription {
    /// A type, a method or an error.
    struct Member {
        var keyword: String
        var name: String
        /// The comment above it, as one paragraph.
        var comment: String
        /// Its lines, without those of the comment.
        var definition: [String] = []

        /// The fields of a type that is written one field a line.
        var fields: [Field] {
            var comment: [Substring] = []
            return definition.dropFirst().compactMap { line in
                let text = line.drop { $0 == " " }
                if let words = InterfaceDescription.comment(text) {
                    comment.append(words)
                    return nil
                }
                defer { comment = [] }
                let parts = text.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                let type = parts[1].drop { $0 == " " }.prefix { $0 != "," }
                let said = comment.joined(separator: " ")
                return Field(name: String(parts[0]), type: String(type), comment: said)
            }
        }
    }

    struct Field {
        var name: String
        var type: String
        var comment: String
    }

    /// The members in their order.
    static func members(of text: String) -> [Member] {
        var members: [Member] = []
        var comment: [Substring] = []
        var depth = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if depth == 0, let words = self.comment(line) {
                comment.append(words)
                continue
            }
            let words = line.split(separator: " ", maxSplits: 2)
            if depth == 0, words.count > 1, ["type", "method", "error"].contains(words[0]) {
                let name = words[1].prefix { $0 != "(" }
                let said = comment.joined(separator: " ")
                members.append(Member(keyword: String(words[0]), name: String(name), comment: said))
            }
            if depth == 0 { comment = [] }
            let isMember = depth > 0 || !words.isEmpty
            depth += self.comment(line.drop { $0 == " " }) == nil ? balance(line) : 0
            if isMember, words.first != "interface", !members.isEmpty {
                members[members.count - 1].definition.append(String(line))
            }
        }
        return members
    }

    /// What follows the sign of a comment; nil for a line that is none.
    static func comment(_ line: Substring) -> Substring? {
        line.hasPrefix("#") ? line.dropFirst().drop { $0 == " " } : nil
    }

    /// How many parentheses the line opens and does not close.
    private static func balance(_ line: Substring) -> Int {
        line.reduce(0) { $1 == "(" ? $0 + 1 : $1 == ")" ? $0 - 1 : $0 }
    }
}
