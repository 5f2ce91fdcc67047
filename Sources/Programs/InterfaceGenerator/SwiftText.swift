/// A builder for lines of Swift code in the layout of `swift format`.
struct SwiftText {
    private static let width = 120

    private(set) var lines: [String] = []
    private var indentation = 0

    mutating func add(_ line: String = "") {
        lines.append(line.isEmpty ? "" : String(repeating: " ", count: indentation * 4) + line)
    }

    /// Adds a line that ends with an opening brace, the lines of the body, and a closing brace.
    mutating func block(_ opening: String, _ body: (inout SwiftText) -> Void) {
        add(opening + " {")
        indentation += 1
        body(&self)
        indentation -= 1
        add("}")
    }

    /// Adds a documentation comment, or nothing for an empty text.
    mutating func document(_ comment: String) {
        var line = "///"
        for word in Self.inSwiftTerms(comment).split(separator: " ") {
            if indentation * 4 + line.count + 1 + word.count > Self.width {
                add(line)
                line = "///"
            }
            line += " \(word)"
        }
        if line != "///" { add(line) }
    }

    /// Adds a function with its body. Parameters that do not fit on one line are wrapped.
    mutating func function(_ name: String, _ parameters: [String], _ body: (inout SwiftText) -> Void) {
        let line = "\(name)(\(parameters.joined(separator: ", ")))"
        guard indentation * 4 + line.count + 2 > Self.width else { return block(line, body) }
        add("\(name)(")
        indentation += 1
        fill(parameters)
        indentation -= 1
        block(")", body)
    }

    private mutating func fill(_ parameters: [String]) {
        var line = ""
        for (index, parameter) in parameters.enumerated() {
            let piece = index == parameters.count - 1 ? parameter : parameter + ","
            if !line.isEmpty, indentation * 4 + line.count + 1 + piece.count > Self.width {
                add(line)
                line = ""
            }
            line += line.isEmpty ? piece : " \(piece)"
        }
        add(line)
    }

    /// Replaces “null”, the term used in the interface files, with Swift's “nil”.
    private static func inSwiftTerms(_ comment: String) -> String {
        comment.split(separator: " ").map { word in
            switch word.prefix(while: \.isLetter) {
            case "null": "nil" + word.dropFirst(4)
            case "Null": "Nil" + word.dropFirst(4)
            default: String(word)
            }
        }.joined(separator: " ")
    }
}
