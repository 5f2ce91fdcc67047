import Testing

@testable import InterfaceLanguage

@Suite struct InterfaceParserTests {
    private let text = """
        # What it is,
        # in two lines.
        interface org.example.Things

        # Not about the type below.

        type Bare (a: int)

        ## Colours
        # A colour that
        # has a name.
        type Colour (
          red,
          # Of leaves.
          green
        )

        # A thing.
        type Thing (
          # Its name.
          name: string,
          tags: ?[]string,
          colour: Colour,
          weight: float, done: bool
        )
        # Finds things
        method Find(name: ?string) -> (things: []Thing)
        method Stop() -> ()

        # It is not there
        error NotFound (name: string)
        """

    @Test func readsMembersWithTheirComments() throws {
        let definition = try InterfaceDefinition(text)
        #expect(definition.name == "org.example.Things")
        #expect(definition.comment == "What it is, in two lines.")
        #expect(definition.members.map(\.name) == ["Bare", "Colour", "Thing", "Find", "Stop", "NotFound"])
        #expect(definition.members.map(\.keyword) == ["type", "type", "type", "method", "method", "error"])
        let comments = ["", "A colour that has a name.", "A thing.", "Finds things", "", "It is not there"]
        #expect(definition.members.map(\.comment) == comments)
        let cases = [InterfaceCase(name: "red", comment: ""), InterfaceCase(name: "green", comment: "Of leaves.")]
        #expect(definition.members[1].kind == .enumeration(cases))
        #expect(
            definition.fields(of: "Thing") == [
                InterfaceField(name: "name", type: .string, comment: "Its name."),
                InterfaceField(name: "tags", type: .optional(.array(.string)), comment: ""),
                InterfaceField(name: "colour", type: .named("Colour"), comment: ""),
                InterfaceField(name: "weight", type: .float, comment: ""),
                InterfaceField(name: "done", type: .bool, comment: ""),
            ])
        let name = InterfaceField(name: "name", type: .optional(.string), comment: "")
        let things = InterfaceField(name: "things", type: .array(.named("Thing")), comment: "")
        #expect(definition.members[3].kind == .method(parameters: [name], reply: [things]))
        #expect(definition.members[4].kind == .method(parameters: [], reply: []))
        #expect(definition.fields(of: "Thing")?.map(\.type.text) == ["string", "?[]string", "Colour", "float", "bool"])
        #expect(definition.fields(of: "Colour") == nil)
    }

    @Test func sectionsAreTheWholeText() throws {
        let definition = try InterfaceDefinition(text)
        #expect(definition.sections.map(\.title) == ["", "Colours"])
        #expect(definition.sections.map(\.members.count) == [1, 5])
        #expect(definition.sections.flatMap(\.lines).joined(separator: "\n") == text)
        #expect(definition.members[1].lines == ["type Colour (", "  red,", "  # Of leaves.", "  green", ")"])
    }

    @Test(arguments: [
        ("", 1, "interface"), ("interface", 1, "name"), ("interface a.b\nthing T ()", 2, "type, method or error"),
        ("interface a.b\ntype T (a: number)", 2, "number"), ("interface a.b\ntype T (a: int\ntype U ()", 3, ","),
        ("interface a.b\nmethod M()", 2, "->"), ("interface a.b\ntype T (a, b: int)", 2, ","),
        ("interface a.b\ntype T (a: int,)", 2, "name of a field"), ("interface a.b\n\n;", 3, ";"),
        ("interface a.b\ntype T (a: U)", 1, "T.a: no type “U”"),
        ("interface a.b\ntype T (a: int)\nerror T ()", 1, "twice"),
        ("interface a.b\ntype T (a: [](b: int))", 2, "("),
    ])
    func whatIsNoDescriptionIsRefused(text: String, line: Int, words: String) {
        do {
            _ = try InterfaceDefinition(text)
            Issue.record("read: \(text)")
        } catch {
            #expect(error.line == line && error.message.contains(words), "\(error)")
        }
    }
}
