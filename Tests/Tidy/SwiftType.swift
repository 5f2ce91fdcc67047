/// A part of a type at the top of a file: its declaration, or an extension of it.
struct SwiftType: Equatable {
    /// `Price`, or `Price.Parts` of an extension of a nested type.
    let name: String
    let lineCount: Int
}

extension SwiftCode {
    /// What is declared at the top of the file, in its order; what fits a line is left out.
    var types: [SwiftType] {
        var found: [SwiftType] = []
        var open: (name: String, line: Int)?
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("}"), let type = open {
                found.append(SwiftType(name: type.name, lineCount: number - type.line + 1))
                open = nil
            } else if let name = Self.typeName(in: line) {
                open = (name, number)
            }
        }
        return found
    }

    /// The name of the type that is declared or extended by this line, at the top of a file and on several lines.
    static func typeName(in line: String) -> String? {
        guard let first = line.utf8.first, first > UInt8(ascii: "/"), line.utf8.last == UInt8(ascii: "{") else {
            return nil
        }
        return line.firstMatch(of: declaration).map { String($0.1) }
    }

    private static var declaration: Regex<(Substring, Substring)> {
        /^(?:@\w+(?:\([^)]*\))? |[a-z]+ )*(?:class|struct|enum|actor|extension|protocol) ([A-Z][\w.]*)/
    }
}
