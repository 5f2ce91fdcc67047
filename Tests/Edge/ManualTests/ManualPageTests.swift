import Arguments
import Configuration
import Control
import Delivery
import Events
import Foundation
import InterfaceLanguage
import Journal
import Market
import Rules
import TestSupport
import Testing
import Time

@testable import Manual

struct ManualPageTests {
    private func page(_ name: String) throws -> String {
        try #require(ManualPages.page(name), "\(name)")
    }

    @Test func eachKeyOfTheSettingsIsThereWithWhatHoldsWithoutIt() throws {
        let text = try page("alertd.toml.5")
        let sections = text.split(separator: ".SH ")
        for table in SettingsReference.Table.allCases {
            let section = try #require(sections.first { $0.hasPrefix("\"\(table.header)\"") }, "\(table)")
            let words = section.replacing("\n", with: " ").replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
                .replacing("\\(aq", with: "'")
            for key in SettingsReference.keys where key.table == table {
                #expect(section.contains(".TP\n\\fB\(key.name)\\fR\n"), "\(key.name)")
                if let absent = key.absent?.split(separator: " ").first {
                    #expect(words.contains(absent), "\(key.name)")
                }
            }
            let fixed = SettingsReference.keys.contains { $0.table == table && $0.needsRestart }
            #expect(words.contains("needs a restart") == fixed)
        }
        #expect(SettingsReference.keys.count(where: \.needsRestart) == SettingsReference.needRestart.count)
    }

    @Test func theExampleOfTheSettingsIsGood() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).toml")
        defer { try? FileManager.default.removeItem(at: file) }
        try ManualPages.settingsExample.write(to: file, atomically: true, encoding: .utf8)
        #expect(try SettingsLoader().load(file.path).warnings.isEmpty)
        let settings = try SettingsLoader().load(file.path).settings
        #expect(settings.rules.map(\.name) == ["bitcoin band", "sudden drop", "ethinr cross"])
    }

    @Test func eachKindReasonAndBoundIsThere() throws {
        let text = try page("alertd-events.7")
        let words =
            EventKind.allCases.map(\.rawValue) + Reason.allCases.map(\.rawValue) + Bound.allCases.map(\.rawValue)
        for word in words { #expect(text.contains(".TP\n\\fB\(word)\\fR\n"), "\(word)") }
        for method in ControlInterface.Method.allCases {
            #expect(text.contains(".SS \"method \(method.rawValue)\""), "\(method)")
        }
        for error in ControlInterface.ErrorName.allCases {
            #expect(text.contains(".SS \"error \(error.rawValue)\""), "\(error)")
        }
    }

    /// The fields of the page are those of the lines on the socket, in their order.
    @Test func eachFieldOfALineIsThere() throws {
        let event = Event(
            number: 1,
            occurrence: Occurrence(
                time: WallTime(milliseconds: 0), kind: .fired, severity: .info,
                previous: PreviousPrice(price: try Price("1"), time: WallTime(milliseconds: 0)),
                conversion: ConversionEvidence(rate: try Price("1"), date: nil, source: "ECB", path: "INR>EUR"),
                text: ""))
        let line = String(decoding: EventRecord(event).line, as: UTF8.self)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let interface = try #require(ManualPages.interface)
        let fields = { (name: String) in interface.fields(of: name)?.map(\.name) ?? [] }
        #expect(Set(object.keys) == Set(fields("EventRecord")))
        #expect(Set((object["previous"] as? [String: Any] ?? [:]).keys) == Set(fields("PricePoint")))
        #expect(Set((object["conversion"] as? [String: Any] ?? [:]).keys) == Set(fields("ConversionRecord")))
        let places = fields("EventRecord").map { line.range(of: "\"\($0)\":")?.lowerBound }
        #expect(places.compactMap(\.self).count == places.count)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 ?? line.startIndex < $1 ?? line.startIndex })
        let text = try page("alertd-events.7")
        for field in fields("EventRecord") { #expect(text.contains(".TP\n\\fB\(field)\\fR \\fI"), "\(field)") }
    }

    @Test func eachFieldAndIdOfTheJournalIsThere() throws {
        let text = try page("alertd.journal-fields.7")
        for field in JournalField.allCases { #expect(text.contains(".TP\n\\fB\(field.rawValue)=\\fR\n")) }
        for id in MessageID.all { #expect(text.contains(".TP\n\\fB\(id.text)\\fR \\fI\(id.name)\\fR\n")) }
        for field in ["MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER"] {
            #expect(text.contains("\\fB\(field)=\\fR\n"))
        }
    }

    @Test func theWholeDefinitionOfTheInterfaceIsThere() throws {
        let members = try #require(ManualPages.interface).members
        let lines = members.flatMap(\.lines).filter { !$0.isEmpty }
        let all = ControlInterface.description.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.isEmpty }
        #expect(lines == all.dropFirst().map(String.init))
        #expect(members.allSatisfy { !$0.comment.isEmpty })
    }

    @Test func anUnknownPageIsNone() {
        #expect(ManualPages.page("alertd.8") == nil)
    }
}

/// What other programs report about the pages.
struct ManualLintTests {
    @Test(.enabled(if: ManualReader.mandoc.isInstalled, "mandoc is not installed"), arguments: ManualPages.names)
    func mandocFindsNoFault(name: String) throws {
        #expect(try ManualReader.mandoc.faults(in: try #require(ManualPages.page(name))) == "")
    }

    @Test(.enabled(if: ManualReader.groff.isInstalled, "groff is not installed"), arguments: ManualPages.names)
    func groffFindsNoFault(name: String) throws {
        #expect(try ManualReader.groff.faults(in: try #require(ManualPages.page(name))) == "")
    }
}
