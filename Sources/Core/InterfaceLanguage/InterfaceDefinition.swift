/// An interface described in the interface definition language of Varlink.
package struct InterfaceDefinition: Equatable, Sendable {
    /// The full name, such as `org.alertd.Control`.
    package let name: String
    /// The comment above the interface, as one paragraph.
    package let comment: String
    /// The sections in the order of the text. A section begins with a comment line such as `## Prices`. The text
    /// before the first one is a section without a title.
    package let sections: [InterfaceSection]

    /// The members of all sections, in order.
    package var members: [InterfaceMember] { sections.flatMap(\.members) }

    /// Returns the fields of an object type, or nil if there is no such type.
    package func fields(of type: String) -> [InterfaceField]? {
        for member in members where member.name == type {
            if case .object(let fields) = member.kind { return fields }
        }
        return nil
    }

    /// Returns the words of an enumeration type, or nil if there is no such type.
    package func words(of type: String) -> [InterfaceCase]? {
        for member in members where member.name == type {
            if case .enumeration(let cases) = member.kind { return cases }
        }
        return nil
    }
}

/// A section of an interface: a group of related members.
package struct InterfaceSection: Equatable, Sendable {
    /// The text of the heading without `##`.
    package let title: String
    /// The lines of the section including its heading. The lines of all sections together are the whole text.
    package let lines: [String]
    /// The members in the order of the text.
    package let members: [InterfaceMember]
}

/// A type, a method or an error.
package struct InterfaceMember: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case object([InterfaceField])
        case enumeration([InterfaceCase])
        case method(parameters: [InterfaceField], reply: [InterfaceField])
        case error([InterfaceField])
    }

    package let name: String
    /// The comment above the member, as one paragraph.
    package let comment: String
    package let kind: Kind
    /// The lines of the definition, without the comment above it.
    package let lines: [String]

    /// The keyword at the start of the definition.
    package var keyword: String {
        switch kind {
        case .object, .enumeration: "type"
        case .method: "method"
        case .error: "error"
        }
    }
}

/// A field of an object, of the parameters or reply of a method, or of an error.
package struct InterfaceField: Equatable, Sendable {
    package let name: String
    package let type: InterfaceType
    /// The comment above the field, as one paragraph.
    package let comment: String
}

/// A word of an enumeration.
package struct InterfaceCase: Equatable, Sendable {
    package let name: String
    /// The comment above the word, as one paragraph.
    package let comment: String
}

/// The type of a field. Anonymous objects and enumerations are not supported; they must be named types.
package indirect enum InterfaceType: Equatable, Sendable {
    case bool
    case int
    case float
    case string
    case named(String)
    case array(InterfaceType)
    /// A value that may be null or omitted.
    case optional(InterfaceType)

    /// The text in the language: `?[]string`.
    package var text: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .named(let name): name
        case .array(let element): "[]\(element.text)"
        case .optional(let wrapped): "?\(wrapped.text)"
        }
    }
}

/// The reason why a text is not an interface description.
package struct InterfaceSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line of the mistake, counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}
