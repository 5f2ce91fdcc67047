/// A text with tags in a subset of Mustache: `{{ name }}`, `{{#name}}…{{/name}}`, `{{^name}}…{{/name}}` and
/// `{{! comment }}`. Unknown names are errors when the template is parsed, and every value is escaped when it is
/// inserted.
package struct RequestTemplate: Equatable, Sendable {
    /// The template as it was written.
    package let source: String
    let nodes: [Node]

    /// The maximum size of a template, in bytes.
    package static let limitBytes = 16 << 10
    /// The maximum number of tags. If every value is cut to the shortest limit, 100 values × 25 events × 96 bytes are
    /// 240 kB.
    package static let limitTags = 100
    /// The maximum nesting depth of sections.
    package static let limitDepth = 8

    /// A part of a template. `at` is its offset, in Unicode scalars.
    indirect enum Node: Equatable, Sendable {
        case text(String, at: Int)
        case value(TemplateField, at: Int)
        case section(TemplateName, isInverted: Bool, [Node])
    }

    /// Parses a template.
    ///
    /// - Throws: ``TemplateError``.
    package init(_ source: String) throws(TemplateError) {
        self.source = source
        guard source.utf8.count <= Self.limitBytes else { throw TemplateError(.tooLong, at: 0) }
        var parser = TemplateParser(source)
        nodes = try parser.parse()
    }

    /// True if the template has a section for each event, so that the number of events in a request must be limited.
    package var usesEvents: Bool { Self.usesEvents(nodes) }

    private static func usesEvents(_ nodes: [Node]) -> Bool {
        nodes.contains { node in
            guard case .section(let name, let isInverted, let inner) = node else { return false }
            return name == .list(.events) && !isInverted || usesEvents(inner)
        }
    }

    /// All names that tags may have, for advice.
    package static var names: [String] { TemplateName.all }
}

/// A fault of a template, and its position.
package struct TemplateError: Error, Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        case tooLong
        case tooManyTags
        case tooDeep
        /// `{{` without `}}`
        case unclosedTag
        /// A tag without a name, or with a malformed one.
        case badName(String)
        case unknownName(String)
        /// A tag that would insert a value without escaping.
        case unescaped
        case partial
        case delimiters
        /// A condition or list in a tag for a value.
        case notAValue(String)
        case unclosedSection(String)
        case unopenedSection(String)
        /// The end of a section other than the innermost open one.
        case crossedSections(open: String, closed: String)
        /// A list inside the same list.
        case nestedList(String)
    }

    package var fault: Fault
    /// The number of Unicode scalars before the fault.
    package var offset: Int

    init(_ fault: Fault, at offset: Int) {
        (self.fault, self.offset) = (fault, offset)
    }

    /// The fault, without a full stop.
    package var message: String {
        switch fault {
        case .tooLong: "is longer than \(RequestTemplate.limitBytes) bytes"
        case .tooManyTags: "has more than \(RequestTemplate.limitTags) tags"
        case .tooDeep: "has more than \(RequestTemplate.limitDepth) sections inside each other"
        case .unclosedTag: "has a {{ without a }}"
        case .badName(let text): text.isEmpty ? "has a tag without a name" : "has a tag with \"\(text)\" as its name"
        case .unknownName(let name): "has an unknown name {{\(name)}}"
        case .unescaped: "has a tag that would insert a value without escaping it"
        case .partial: "has a partial {{> … }}, which is not supported"
        case .delimiters: "changes the delimiters of tags, which is not supported"
        case .notAValue(let name): "inserts {{\(name)}}, which is not a value"
        case .unclosedSection(let name): "has a section \"\(name)\" without {{/\(name)}}"
        case .unopenedSection(let name): "ends a section \"\(name)\" that has not begun"
        case .crossedSections(let open, let closed): "ends \"\(closed)\" inside of the section \"\(open)\""
        case .nestedList(let name): "has {{#\(name)}} inside of {{#\(name)}}"
        }
    }

    /// Advice; nil for an unknown name, because the advice then depends on the name.
    package var advice: String? {
        switch fault {
        case .tooLong, .tooManyTags, .tooDeep: "use a shorter one"
        case .unclosedTag: "write it as {{ name }}"
        case .badName: "write a name such as {{ text }}"
        case .unknownName: nil
        case .unescaped: "write {{ name }} with two braces, with a space before it if another brace precedes"
        case .partial: "write the whole text here"
        case .delimiters: "use {{ and }}"
        case .notAValue(let name): "write it as {{#\(name)}} … {{/\(name)}}"
        case .unclosedSection(let name): "end it with {{/\(name)}}"
        case .unopenedSection(let name): "begin it with {{#\(name)}}"
        case .crossedSections(let open, _): "write {{/\(open)}} before it"
        case .nestedList: "remove one of them"
        }
    }
}
