/// A text with tags in a subset of Mustache: `{{ name }}`, `{{#name}}…{{/name}}`, `{{^name}}…{{/name}}` and
/// `{{! comment }}`. Every name is known when it is read, and every value is escaped when it is inserted.
package struct RequestTemplate: Equatable, Sendable {
    /// The template as it was written.
    package let source: String
    let nodes: [Node]

    /// The most bytes of a template.
    package static let limitBytes = 16 << 10
    /// The most tags: 100 values × 25 events × 96 bytes = 240 kB, where every value is cut to its shortest.
    package static let limitTags = 100
    /// The deepest nesting of sections.
    package static let limitDepth = 8

    /// A part of a template. `at` is where it begins, in Unicode scalars.
    indirect enum Node: Equatable, Sendable {
        case text(String, at: Int)
        case value(TemplateField, at: Int)
        case section(TemplateName, isInverted: Bool, [Node])
    }

    /// Reads a template.
    ///
    /// - Throws: ``TemplateError``.
    package init(_ source: String) throws(TemplateError) {
        self.source = source
        guard source.utf8.count <= Self.limitBytes else { throw TemplateError(.tooLong, at: 0) }
        var parser = TemplateParser(source)
        nodes = try parser.parse()
    }

    /// Whether it goes through the events one by one, so that a request must not have too many of them.
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

/// What is wrong with a template, and where.
package struct TemplateError: Error, Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        case tooLong
        case tooManyTags
        case tooDeep
        /// `{{` without `}}`
        case unclosedTag
        /// A tag without a name, or with a part that is not one.
        case badName(String)
        case unknownName(String)
        /// A tag that would insert a value as it is.
        case unescaped
        case partial
        case delimiters
        /// A condition or list where a value is inserted.
        case notAValue(String)
        case unclosedSection(String)
        case unopenedSection(String)
        /// The end of another section than the innermost one.
        case crossedSections(open: String, closed: String)
        /// A list inside of itself.
        case nestedList(String)
    }

    package var fault: Fault
    /// The number of Unicode scalars before the place.
    package var offset: Int

    init(_ fault: Fault, at offset: Int) {
        (self.fault, self.offset) = (fault, offset)
    }

    /// What is wrong, without a full stop.
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

    /// What to do; nil for an unknown name, where that depends on the name.
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
