/// A function, an initialiser or a deinitialiser.
struct SwiftFunction: Equatable {
    let name: String
    /// Counted from 1.
    let firstLine: Int
    let lastLine: Int

    var lineCount: Int { lastLine - firstLine + 1 }
}

extension SwiftCode {
    /// The functions that have a body, in the order in which they end.
    var functions: [SwiftFunction] {
        var finder = FunctionFinder()
        for (index, line) in lines.enumerated() { finder.read(line, number: index + 1) }
        return finder.found
    }
}

/// Follows braces to find the ends of functions.
private struct FunctionFinder {
    private(set) var found: [SwiftFunction] = []
    private var braces = 0
    private var parentheses = 0
    /// A declaration whose body has not begun; the body's brace is in no parenthesis of the parameters.
    private var declared: (name: String, line: Int, parentheses: Int)?
    private var open: [(name: String, line: Int, braces: Int)] = []

    mutating func read(_ line: String, number: Int) {
        if let name = Self.declaration(in: line) { declared = (name, number, parentheses) }
        for character in line.utf8 {
            switch character {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses -= 1
            case UInt8(ascii: "{"): begin()
            case UInt8(ascii: "}"): end(number)
            default: break
            }
        }
    }

    private mutating func begin() {
        if let function = declared, function.parentheses == parentheses {
            open.append((function.name, function.line, braces))
            declared = nil
        }
        braces += 1
    }

    private mutating func end(_ number: Int) {
        braces -= 1
        if let function = declared, function.parentheses == parentheses { declared = nil }
        guard let function = open.last, function.braces == braces else { return }
        found.append(SwiftFunction(name: function.name, firstLine: function.line, lastLine: number))
        open.removeLast()
    }

    private static func declaration(in line: String) -> String? {
        guard line.contains("func ") || line.contains("init"),
            let match = line.firstMatch(of: /^\s*(?:[@\w()]+\s+)*(?:func\s+([^\s(<]+)|(init)[?]?[<(]|(deinit)\s*\{)/)
        else { return nil }
        return (match.1 ?? match.2 ?? match.3).map(String.init)
    }
}
