/// Swift code without its comments and strings, and those on their own; every line keeps its number.
///
/// It understands as much of the language as the style checks need: interpolations count as text, and regular
/// expressions as code.
struct SwiftCode {
    private enum State {
        case code
        case lineComment
        case blockComment(depth: Int)
        /// The string ends at `fence`.
        case string(fence: String)

        var isCode: Bool {
            if case .code = self { true } else { false }
        }
    }

    let lines: [String]
    /// The rest: the comments and strings of each line, without interpolations.
    let prose: [String]

    init(_ text: String) {
        var state = State.code
        var code: [UInt8] = []
        var prose: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let wasCode = state.isCode
            let count = Self.step(&state, rest)
            let passed = rest.prefix(count)
            let lineEnds = passed.filter { $0 == UInt8(ascii: "\n") }
            code += wasCode && state.isCode ? passed : lineEnds[...]
            prose += wasCode ? lineEnds[...] : passed
            rest = rest.dropFirst(count)
        }
        lines = Self.lines(code)
        self.prose = Self.lines(prose).map { $0.contains("\\(") ? $0.replacing(Self.interpolation, with: "…") : $0 }
    }

    /// An interpolation with at most two levels of parentheses inside.
    private static var interpolation: Regex<Substring> { /\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/ }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Advances the state over the next bytes, and returns how many they are.
    private static func step(_ state: inout State, _ rest: ArraySlice<UInt8>) -> Int {
        let ordinary = rest.prefix { !special.contains($0) }.count
        guard ordinary == 0 else { return ordinary }
        switch state {
        case .code: return stepInCode(&state, rest)
        case .lineComment: return stepInLine(&state, rest)
        case .blockComment(let depth): return stepInComment(&state, depth, rest)
        case .string(let fence): return stepInString(&state, fence, rest)
        }
    }

    private static let special = Set("/*\"#\\\n".utf8)

    private static func stepInCode(_ state: inout State, _ rest: ArraySlice<UInt8>) -> Int {
        if rest.starts(with: "//".utf8) {
            state = .lineComment
            return 2
        }
        if rest.starts(with: "/*".utf8) {
            state = .blockComment(depth: 1)
            return 2
        }
        for opening in ["#\"\"\"", "\"\"\"", "#\"", "\""] where rest.starts(with: opening.utf8) {
            state = .string(fence: String(opening.reversed()))
            return opening.utf8.count
        }
        return 1
    }

    private static func stepInLine(_ state: inout State, _ rest: ArraySlice<UInt8>) -> Int {
        if rest.first == UInt8(ascii: "\n") { state = .code }
        return 1
    }

    private static func stepInComment(_ state: inout State, _ depth: Int, _ rest: ArraySlice<UInt8>) -> Int {
        if rest.starts(with: "/*".utf8) {
            state = .blockComment(depth: depth + 1)
            return 2
        }
        guard rest.starts(with: "*/".utf8) else { return 1 }
        state = depth == 1 ? .code : .blockComment(depth: depth - 1)
        return 2
    }

    private static func stepInString(_ state: inout State, _ fence: String, _ rest: ArraySlice<UInt8>) -> Int {
        if rest.starts(with: fence.utf8) {
            state = .code
            return fence.utf8.count
        }
        // A quote that does not open a string, as in a regular expression, has an effect up to the end of its line at
        // most.
        if rest.first == UInt8(ascii: "\n"), fence == "\"" { state = .code }
        return rest.first == UInt8(ascii: "\\") && !fence.hasSuffix("#") ? min(2, rest.count) : 1
    }
}
