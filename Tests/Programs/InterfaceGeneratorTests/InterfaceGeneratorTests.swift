import Foundation
import InterfaceLanguage
import Testing

@testable import InterfaceGenerator

@Suite struct InterfaceGeneratorTests {
    private func files(_ text: String) throws -> [String: String] {
        let definition = try InterfaceDefinition(
            "# An example.\ninterface org.example.Things\n\n## Some things\n\(text)")
        let files = InterfaceGenerator(definition, source: "example.varlink").files()
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    }

    @Test func aTypeReadsAndWritesItsFields() throws {
        let text = try files(
            "# A thing; null for none.\ntype Thing (\n# How old.\nage_ms: ?int, in: []string, colour: Colour)\n"
                + "type Colour (red)")
        let expected = """
            // Made from example.varlink by interfacegen.

            package import JSON

            /// A thing; nil for none.
            package struct Thing: Equatable, Sendable {
                /// How old.
                package var ageMilliseconds: Int?
                package var `in`: [String]
                package var colour: ThingsInterface.Colour

                package init(ageMilliseconds: Int? = nil, `in`: [String], colour: ThingsInterface.Colour) {
                    self.ageMilliseconds = ageMilliseconds
                    self.`in` = `in`
                    self.colour = colour
                }
            }

            extension Thing: JSONReadable, JSONWritable {
                package init(json: JSONValue) throws(JSONError) {
                    var object = try json.object()
                    ageMilliseconds = try object.readIfPresent("age_ms")
                    `in` = try object.read("in")
                    colour = try object.read("colour")
                }

                package func write(to writer: inout JSONWriter) {
                    writer.beginObject()
                    writer.member("age_ms", ageMilliseconds)
                    writer.member("in", `in`)
                    writer.member("colour", colour)
                    writer.endObject()
                }
            }

            """
        #expect(text["Types.swift"] == expected)
        let words = """
            // Made from example.varlink by interfacegen.

            extension ThingsInterface {
                package enum Colour: WireWord {
                    case red
                    /// A word of a later version.
                    case unknown(String)

                    package init(rawValue: String) {
                        switch rawValue {
                        case "red": self = .red
                        default: self = .unknown(rawValue)
                        }
                    }

                    package var rawValue: String {
                        switch self {
                        case .red: "red"
                        case .unknown(let word): word
                        }
                    }
                }
            }

            """
        #expect(text["Enumerations.swift"] == words)
    }

    @Test func methodsAndErrorsGetTypesUnlessTheyAreEmpty() throws {
        let text = try files(
            "# Finds.\nmethod FindThing(name: string) -> ()\nmethod Stop() -> (done: bool)\n"
                + "error Gone ()\nerror Bad (a: int)")
        let calls = try #require(text["Calls.swift"])
        let types = calls.split(separator: "\n").filter { $0.hasPrefix("package struct") }
        #expect(types.map { $0.split(separator: " ")[2] } == ["FindThingParameters:", "StopReply:", "Bad:"])
        let interface = try #require(text["Interface.swift"])
        #expect(interface.contains("        /// Finds.\n        case findThing = \"FindThing\"\n"))
        #expect(interface.contains("case gone = \"Gone\"\n        case bad = \"Bad\"\n"))
    }

    @Test(arguments: [
        ("symbol", "symbol"), ("sample_age_ms", "sampleAgeMilliseconds"), ("ms", "ms"),
        ("created_by_uid", "createdByUID"),
        ("GetSymbol", "getSymbol"), ("for", "`for`"), ("crc32c", "crc32c"),
    ])
    func namesFollowTheRule(name: String, expected: String) {
        #expect(SwiftNames.member(name) == expected)
    }

    @Test func longParameterListsFillLines() throws {
        let fields = (1...12).map { "some_longer_name_\($0): string" }.joined(separator: ", ")
        let text = try #require(try files("type Long (\(fields))")["Types.swift"])
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(lines.contains("    package init("))
        #expect(lines.contains { $0.hasPrefix("        someLongerName1: String, ") && $0.hasSuffix(",") })
        #expect(lines.contains("    ) {"))
    }

    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    @Test func theBuildKnowsTheNamesOfTheFiles() throws {
        #expect(try Set(files("type Thing (age: int)").keys) == Set(InterfaceGenerator.fileNames))
        let plugin = Self.root.appending(path: "Sources/Programs/GenerateInterface/GenerateInterface.swift")
        let names = InterfaceGenerator.fileNames.map { "\"\($0.dropLast(".swift".count))\"" }.joined(separator: ", ")
        #expect(try String(contentsOf: plugin, encoding: .utf8).contains("= [\(names)].map"))
    }

    /// `make generate` writes what this compares.
    @Test func theCommittedSchemasAreWhatIsGenerated() throws {
        let text = { (path: String) in try String(contentsOf: Self.root.appending(path: path), encoding: .utf8) }
        let files = try SchemaGenerator(
            text("Sources/App/AlertClient/Reports/outputs.varlink"),
            using: text("Sources/Edge/Control/org.alertd.Control.varlink"), program: "alertctl"
        ).files()
        let folder = Self.root.appending(path: "share/alertd/schemas").path
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == Set(files.map(\.name)))
        for file in files {
            #expect(
                try text("share/alertd/schemas/\(file.name)") == file.text,
                "\(file.name) is out of date; run make generate")
        }
    }

    @Test func anOutputBecomesASchema() throws {
        let outputs = """
            # Outputs.
            interface org.example.Output

            ## Things
            # A number.
            type Decimal ()

            # `tool list-all`; a "list".
            type ListAllOutput (
              things: []Thing,
              # Only with --more.
              more: ?int
            )

            # A thing.
            type Thing (colour: Colour, price: ?Decimal)
            """
        let files = try SchemaGenerator(
            outputs, using: "interface org.example.Things\n# Its colour.\ntype Colour (red, blue)", program: "tool"
        ).files()
        #expect(files.map(\.name) == ["list-all.json"])
        #expect(
            files.first?.text == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$id": "urn:alertd:schema:list-all",
                  "description": "`tool list-all`; a \\"list\\".",
                  "type": "object",
                  "properties": {
                    "things": { "type": "array", "items": { "$ref": "#/$defs/Thing" } },
                    "more": { "description": "Only with --more.", "anyOf": [{ "type": "integer" }, { "type": "null" }] }
                  },
                  "required": ["things"],
                  "$defs": {
                    "Colour": { "description": "Its colour.", "type": "string", "enum": ["red", "blue"] },
                    "Decimal": { "description": "A number.", "type": "string", "pattern": "^-?[0-9]+(\\\\.[0-9]+)?$" },
                    "Thing": {
                      "description": "A thing.",
                      "type": "object",
                      "properties": {
                        "colour": { "$ref": "#/$defs/Colour" },
                        "price": { "anyOf": [{ "$ref": "#/$defs/Decimal" }, { "type": "null" }] }
                      },
                      "required": ["colour", "price"]
                    }
                  }
                }

                """)
    }
}
