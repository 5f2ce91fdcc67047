package import InterfaceLanguage

/// A file that was generated from an interface description.
package struct GeneratedFile: Equatable, Sendable {
    package let name: String
    package let text: String
}

/// A generator of the Swift types of an interface, the code to read and write them as JSON, and a constant with the
/// text of the interface.
///
/// An object type becomes a structure. An enumeration becomes an enumeration nested in the namespace of the interface,
/// with an additional case for words of later versions. A method `Find` becomes `FindParameters` and `FindReply`, and
/// an error becomes a structure with its name; those without fields are omitted.
package struct InterfaceGenerator {
    private let definition: InterfaceDefinition
    private let source: String
    private let enumerations: Set<String>

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - definition: the interface.
    ///   - source: the name of the source file, for the first line of each generated file.
    package init(_ definition: InterfaceDefinition, source: String) {
        self.definition = definition
        self.source = source
        enumerations = Set(
            definition.members.compactMap { member in
                if case .enumeration = member.kind { member.name } else { nil }
            })
    }

    /// The names of the files. They are the same for each interface, because the build must know them in advance.
    package static let fileNames = ["Interface", "Enumerations", "Types", "Calls"].map { "\($0).swift" }

    /// Returns the generated files, in the order of ``fileNames``.
    package func files() -> [GeneratedFile] {
        let types = definition.members.filter { $0.keyword == "type" }
        let families = [
            types.filter { !$0.isObject }, types.filter(\.isObject), definition.members.filter { $0.keyword != "type" },
        ]
        let bodies =
            [file(imports: [], interface)]
            + families.map { family in
                file(imports: family.contains(where: \.isObject) ? ["JSON"] : [], add(family))
            }
        return zip(Self.fileNames, bodies).map(GeneratedFile.init)
    }

    /// The namespace of the interface: `ControlInterface` for `org.alertd.Control`.
    private var namespace: String { "\(definition.name.split(separator: ".").last ?? "")Interface" }

    private func file(imports: [String], _ body: (inout SwiftText) -> Void) -> String {
        var text = SwiftText()
        text.add("// Made from \(source) by interfacegen.")
        text.add()
        for module in imports { text.add("package import \(module)") }
        if !imports.isEmpty { text.add() }
        body(&text)
        return text.lines.joined(separator: "\n") + "\n"
    }

    // MARK: The interface itself

    private func interface(_ text: inout SwiftText) {
        text.document(definition.comment)
        text.block("package enum \(namespace)") { text in
            text.add("package static let name = \"\(definition.name)\"")
            text.add()
            text.add("/// The interface in Varlink's interface definition language.")
            text.add("package static let description = \"\"\"")
            for line in definition.sections.flatMap(\.lines) { text.add(line.isEmpty ? "" : "    \(line)") }
            text.add("    \"\"\"")
            text.add()
            addNames("Method", "The methods; the raw values are their names on the wire.", "a call", "method", &text)
            text.add()
            addNames("ErrorName", "The errors; the raw values are their names on the wire.", "a reply", "error", &text)
        }
    }

    private func addNames(
        _ type: String, _ comment: String, _ carrier: String, _ keyword: String, _ text: inout SwiftText
    ) {
        text.document(comment)
        text.block("package enum \(type): String, CaseIterable, Sendable") { text in
            for member in definition.members where member.keyword == keyword {
                text.document(member.comment)
                text.add("case \(SwiftNames.member(member.name)) = \"\(member.name)\"")
            }
            text.add()
            text.add("/// The name with that of the interface, as \(carrier) has it.")
            text.add("package var qualifiedName: String { \"\\(\(namespace).name).\\(rawValue)\" }")
        }
    }

    // MARK: Members

    private func add(_ members: [InterfaceMember]) -> (inout SwiftText) -> Void {
        { text in
            var isFirst = true
            for member in members {
                for part in parts(of: member) {
                    if !isFirst { text.add() }
                    isFirst = false
                    part(&text)
                }
            }
        }
    }

    private func parts(of member: InterfaceMember) -> [(inout SwiftText) -> Void] {
        switch member.kind {
        case .object(let fields): return [structure(member.name, member.comment, fields)]
        case .error(let fields) where fields.isEmpty: return []
        case .error(let fields):
            return [structure(member.name, "The parameters of the error `\(member.name)`. \(member.comment)", fields)]
        case .enumeration(let cases): return [enumeration(member, cases)]
        case .method(let parameters, let reply):
            let all = [
                ("\(member.name)Parameters", "The parameters of `\(member.name)`.", parameters),
                ("\(member.name)Reply", "The reply of `\(member.name)`.", reply),
            ]
            return all.filter { !$0.2.isEmpty }.map(structure)
        }
    }

    private func structure(
        _ name: String, _ comment: String, _ fields: [InterfaceField]
    ) -> (inout SwiftText) -> Void {
        let properties = fields.map { field in
            SwiftProperty(
                key: field.name, name: SwiftNames.member(field.name),
                type: SwiftNames.type(field.type, enumerations: enumerations, in: namespace), comment: field.comment)
        }
        return { $0.add(SwiftStructure(name: name, comment: comment, properties: properties)) }
    }

    private func enumeration(_ member: InterfaceMember, _ cases: [InterfaceCase]) -> (inout SwiftText) -> Void {
        { $0.add(SwiftEnumeration(name: member.name, comment: member.comment, cases: cases), in: namespace) }
    }
}

extension InterfaceMember {
    /// True if the member becomes structures, not an enumeration.
    fileprivate var isObject: Bool {
        if case .enumeration = kind { false } else { true }
    }
}
