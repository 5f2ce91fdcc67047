import Engine
import Events
import Foundation
import FuzzEntries
import InterfaceLanguage
import JSON
import Rules
import Testing

@testable import Control

@Suite struct ControlInterfaceTests {
    let definition: InterfaceDefinition

    init() throws {
        definition = try InterfaceDefinition(ControlInterface.description)
    }

    @Test func theDescriptionIsTheFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Edge/Control/org.alertd.Control.varlink")
        #expect(try String(contentsOf: file, encoding: .utf8) == ControlInterface.description)
    }

    @Test func namesAreThoseOfTheDescription() {
        #expect(definition.name == ControlInterface.name)
        let names = { (keyword: String) in definition.members.filter { $0.keyword == keyword }.map(\.name) }
        #expect(names("method") == ControlInterface.Method.allCases.map(\.rawValue))
        #expect(names("error") == ControlInterface.ErrorName.allCases.map(\.rawValue))
        #expect(ControlInterface.Method.getSymbol.qualifiedName == "org.alertd.Control.GetSymbol")
        #expect(ControlInterface.ErrorName.pollTooSoon.qualifiedName == "org.alertd.Control.PollTooSoon")
    }

    @Test func everythingIsExplained() {
        #expect(definition.members.filter { $0.comment.isEmpty }.map(\.name) == [])
        #expect(definition.fields(of: "EventRecord")?.filter { $0.comment.isEmpty }.map(\.name) == [])
    }

    /// The words of the core are words of the interface, with a meaning for people.
    @Test func wordsOfTheCoreAreKnown() {
        let words = { (type: String) in definition.words(of: type) ?? [] }
        #expect(words("EventKind").map(\.name) == EventKind.allCases.map(\.rawValue))
        #expect(words("Reason").map(\.name) == Reason.allCases.map(\.rawValue))
        #expect(words("Bound").map(\.name) == Bound.allCases.map(\.rawValue))
        #expect(words("Severity").map(\.name) == Severity.allCases.map(\.rawValue))
        #expect(words("AlertState").map(\.name) == AlertCondition.allCases.map(\.rawValue))
        #expect(words("ConditionKind").map(\.name) == ConditionKind.allCases.map(\.rawValue))
        for type in ["EventKind", "Reason", "Bound"] {
            #expect(words(type).allSatisfy { !$0.comment.isEmpty }, "\(type)")
        }
    }

    @Test func anUnknownWordIsKept() throws {
        let written = JSONWriter.text(of: [ControlInterface.Severity.critical, .unknown("fatal")])
        #expect(String(decoding: written, as: UTF8.self) == #"["critical","fatal"]"#)
        let read = try [ControlInterface.Severity](json: JSONDocument(written, limit: 100).root)
        #expect(read == [.critical, .unknown("fatal")])
        #expect("\(read[1])" == "fatal")
    }

    /// Each type writes what it reads, field by field, with a value in each.
    @Test(arguments: ControlReader.all.indices) func eachTypeWritesWhatItReads(_ index: Int) throws {
        let reader = ControlReader.all[index]
        let text = sample(try #require(fields[reader.name]))
        let document = try JSONDocument(Array(text.utf8), limit: 1 << 20)
        let written = try reader.rewrite(document.root)
        #expect(String(decoding: written, as: UTF8.self) == text)
    }

    /// What the description does not mark with `?` must be present; the rest may be null or absent.
    @Test(arguments: ControlReader.all.indices) func whatMayBeAbsentIsMarked(_ index: Int) throws {
        let reader = ControlReader.all[index]
        let all = try #require(fields[reader.name])
        for field in all {
            let isOptional = if case .optional = field.type { true } else { false }
            for text in [sample(all.filter { $0 != field }), sample(all, null: field)] {
                let document = try JSONDocument(Array(text.utf8), limit: 1 << 20)
                if isOptional {
                    #expect(throws: Never.self) { _ = try reader.rewrite(document.root) }
                } else {
                    #expect(throws: JSONError(.missing, path: field.name)) { _ = try reader.rewrite(document.root) }
                }
            }
        }
    }

    @Test func everyTypeHasAReader() {
        #expect(Set(fields.keys) == Set(ControlReader.all.map(\.name)))
    }

    /// The fields by the name of the Swift type.
    private var fields: [String: [InterfaceField]] {
        var fields: [String: [InterfaceField]] = [:]
        for member in definition.members {
            switch member.kind {
            case .object(let own), .error(let own): fields[member.name] = own
            case .method(let parameters, let reply):
                fields["\(member.name)Parameters"] = parameters
                fields["\(member.name)Reply"] = reply
            case .enumeration: break
            }
        }
        return fields.filter { !$0.value.isEmpty }
    }

    private func sample(_ fields: [InterfaceField], null: InterfaceField? = nil) -> String {
        let members = fields.map { "\"\($0.name)\":\($0 == null ? "null" : sample($0.type))" }
        return "{\(members.joined(separator: ","))}"
    }

    private func sample(_ type: InterfaceType) -> String {
        switch type {
        case .bool: "true"
        case .int: "7"
        case .float: "1.5"
        case .string: "\"text\""
        case .array(let element): "[\(sample(element)),\(sample(element))]"
        case .optional(let wrapped): sample(wrapped)
        case .named(let name):
            definition.fields(of: name).map { sample($0) } ?? "\"\(definition.words(of: name)?.last?.name ?? "")\""
        }
    }
}
