/// A parser of templates, which reads the text once from left to right.
struct TemplateParser {
    private typealias Node = RequestTemplate.Node

    /// A section whose end has not been read yet. The outermost frame is the template itself.
    private struct Frame {
        var name: TemplateName?
        var text = ""
        var isInverted = false
        var start = 0
        var nodes: [RequestTemplate.Node] = []
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var frames = [Frame()]
    private var tagCount = 0
    /// Text that has not been added as a node yet. ``wordsStart`` is its offset.
    private var words = String.UnicodeScalarView()
    private var wordsStart = 0

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    mutating func parse() throws(TemplateError) -> [RequestTemplate.Node] {
        while place < scalars.count {
            if isOpening(at: place) {
                try readTag()
            } else {
                if words.isEmpty { wordsStart = place }
                words.append(scalars[place])
                place += 1
            }
        }
        endWords()
        let outermost = frames.removeFirst()
        if let open = frames.first { throw TemplateError(.unclosedSection(open.text), at: open.start) }
        return outermost.nodes
    }

    private func isOpening(at index: Int) -> Bool {
        index + 1 < scalars.count && scalars[index] == "{" && scalars[index + 1] == "{"
    }

    private mutating func endWords() {
        guard !words.isEmpty else { return }
        append(.text(String(words), at: wordsStart))
        words = String.UnicodeScalarView()
    }

    private mutating func append(_ node: RequestTemplate.Node) {
        frames[frames.count - 1].nodes.append(node)
    }

    private mutating func readTag() throws(TemplateError) {
        let start = place
        tagCount += 1
        guard tagCount <= RequestTemplate.limitTags else { throw TemplateError(.tooManyTags, at: start) }
        guard start + 2 >= scalars.count || scalars[start + 2] != "{" else {
            throw TemplateError(.unescaped, at: start)
        }
        var end = start + 2
        while end + 1 < scalars.count, scalars[end] != "}" || scalars[end + 1] != "}" { end += 1 }
        guard end + 1 < scalars.count else { throw TemplateError(.unclosedTag, at: start) }
        let content = Self.trimmed(scalars[(start + 2)..<end])
        let name = Self.trimmed(content.dropFirst())
        switch content.first {
        case "!": removeLine(from: start, to: end + 2)
        case "#", "^":
            removeLine(from: start, to: end + 2)
            try begin(name, isInverted: content.first == "^", at: start)
        case "/":
            removeLine(from: start, to: end + 2)
            try finish(name, at: start)
        case "&": throw TemplateError(.unescaped, at: start)
        case ">": throw TemplateError(.partial, at: start)
        case "=": throw TemplateError(.delimiters, at: start)
        default:
            place = end + 2
            try insert(content, at: start)
        }
    }

    private mutating func insert(_ name: ArraySlice<Unicode.Scalar>, at start: Int) throws(TemplateError) {
        let text = Self.text(name)
        guard case .field(let field) = try Self.name(text, at: start) else {
            throw TemplateError(.notAValue(text), at: start)
        }
        endWords()
        append(.value(field, at: start))
    }

    private mutating func begin(
        _ name: ArraySlice<Unicode.Scalar>, isInverted: Bool, at start: Int
    ) throws(TemplateError) {
        let text = Self.text(name)
        let known = try Self.name(text, at: start)
        guard frames.count <= RequestTemplate.limitDepth else { throw TemplateError(.tooDeep, at: start) }
        if case .list = known, frames.contains(where: { $0.name == known && !$0.isInverted }) {
            throw TemplateError(.nestedList(text), at: start)
        }
        endWords()
        frames.append(Frame(name: known, text: text, isInverted: isInverted, start: start))
    }

    private mutating func finish(_ name: ArraySlice<Unicode.Scalar>, at start: Int) throws(TemplateError) {
        let text = Self.text(name)
        _ = try Self.name(text, at: start)
        endWords()
        guard frames.count > 1, let frame = frames.last, let name = frame.name else {
            throw TemplateError(.unopenedSection(text), at: start)
        }
        guard frame.text == text else {
            throw TemplateError(.crossedSections(open: frame.text, closed: text), at: start)
        }
        frames.removeLast()
        append(.section(name, isInverted: frame.isInverted, frame.nodes))
    }

    /// Continues after a tag. If nothing else is on the line of the tag, the whole line is removed.
    private mutating func removeLine(from start: Int, to end: Int) {
        place = end
        var first = start
        while first > 0, Self.isBlank(scalars[first - 1]) { first -= 1 }
        guard first == 0 || scalars[first - 1] == "\n" else { return }
        var next = end
        while next < scalars.count, Self.isBlank(scalars[next]) { next += 1 }
        if next + 1 < scalars.count, scalars[next] == "\r", scalars[next + 1] == "\n" { next += 1 }
        guard next == scalars.count || scalars[next] == "\n" else { return }
        words.removeLast(min(words.count, start - first))
        place = min(next + 1, scalars.count)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        isBlank(scalar) || scalar == "\n" || scalar == "\r"
    }

    private static func trimmed(_ part: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var part = part.drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
    }

    private static func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: part)
        return String(text)
    }

    private static func name(_ text: String, at start: Int) throws(TemplateError) -> TemplateName {
        let isName = (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 == 0x5F }
        if let name = TemplateName(text) { return name }
        // The name is shown in a message, so it is cut to fit on one line.
        let shown = String(text.unicodeScalars.prefix(40).map { $0.value < 0x20 ? " " : Character($0) })
        throw TemplateError(isName ? .unknownName(text) : .badName(shown), at: start)
    }
}
