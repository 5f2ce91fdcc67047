/// An interface as it is described in Varlink's interface definition language.
package struct InterfaceDefinition: Equatable, Sendable {
    /// `org.alertd.Control`
    package let name: String
    /// The comment above the interface, as one paragraph.
    package let comment: String
    /// In the order of the text. A section begins with a comment line of two signs, `## Prices`; what stands before
    /// the first one is a section without a title.
    package let sections: [InterfaceSection]

    /// The members of all sections, in their order.
    package var members: [InterfaceMember] { sections.flatMap(\.members) }

    /// The fields of a type that is an object; nil when there is no such type.
    package func fields(of type: String) -> [InterfaceField]? {
        for member in members where member.name == type {
            if case .object(let fields) = member.kind { return fields }
        }
        return nil
    }

    /// The words of a type that is an enumeration; nil when there is no such type.
    package func words(of type: String) -> [InterfaceCase]? {
        for member in members where member.name == type {
            if case .enumeration(let cases) = member.kind { return cases }
        }
        return nil
    }
}

/// Members that belong together.
package struct InterfaceSection: Equatable, Sendable {
    /// The text of the heading, without its `##`.
    package let title: String
    /// The lines of the section, with its title; those of all sections are the whole text.
    package let lines: [String]
    /// In the order of the text.
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
    /// The comment above it, as one paragraph.
    package let comment: String
    package let kind: Kind
    /// Its lines as they are written, without those of the comment above it.
    package let lines: [String]

    /// The word that it begins with.
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
    /// The comment above it, as one paragraph.
    package let comment: String
}

/// One of the words of an enumeration.
package struct InterfaceCase: Equatable, Sendable {
    package let name: String
    /// The comment above it, as one paragraph.
    package let comment: String
}

/// The type of a field. Objects and enumerations inside of a field are not supported: they get a name.
package indirect enum InterfaceType: Equatable, Sendable {
    case bool
    case int
    case float
    case string
    case named(String)
    case array(InterfaceType)
    /// May be null or left out.
    case optional(InterfaceType)

    /// As it is written: `?[]string`.
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

/// Why a text is not an interface description.
package struct InterfaceSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}
