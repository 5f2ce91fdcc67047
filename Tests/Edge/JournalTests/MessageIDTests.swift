import Events
import Testing
import Time

@testable import Journal

struct MessageIDTests {
    /// A sentence for a list in the manual: it begins with a capital, and the list puts no full stop behind it.
    @Test func eachKindOfEntrySaysWhatItIs() {
        for id in MessageID.all {
            #expect(!id.name.isEmpty)
            #expect(id.meaning.split(separator: " ").count >= 3, "\(id.name)")
            #expect(id.meaning.first?.isUppercase == true, "\(id.name)")
            #expect(id.meaning.last != ".", "\(id.name)")
        }
    }

    @Test func noTwoKindsSayTheSame() {
        #expect(Set(MessageID.all.map(\.meaning)).count == MessageID.all.count)
    }

    @Test func theOnesOfEventsComeFirstAndAreCalledLikeThem() {
        let kinds = EventKind.allCases
        #expect(MessageID.all.prefix(kinds.count).map(\.name) == kinds.map(\.rawValue))
        for kind in kinds { #expect(MessageID.all.contains(.of(kind))) }
    }

    @Test func eachFieldIsExplainedInWholeSentences() {
        for field in JournalField.allCases {
            #expect(field.rawValue.hasPrefix("ALERTD_"))
            #expect(field.help.count > 10 && field.help.first?.isUppercase == true, "\(field)")
            #expect(field.help.last == "." && !field.help.contains("  "), "\(field)")
        }
        #expect(Set(JournalField.allCases.map(\.help)).count == JournalField.allCases.count)
    }

    @Test func aRecordKnowsItsKind() {
        for id in MessageID.all {
            #expect(JournalRecord(time: WallTime(milliseconds: 0), message: "", messageID: id.text).kind == id.name)
        }
        let other = "39f53479d3a045ac8e11786248231fbf"
        #expect(JournalRecord(time: WallTime(milliseconds: 0), message: "", messageID: other).kind == nil)
        #expect(JournalRecord(time: WallTime(milliseconds: 0), message: "").kind == nil)
    }

    @Test func aRecordIsOrdinaryUnlessItSaysMore() {
        let record = JournalRecord(time: WallTime(milliseconds: 5), message: "m")
        #expect(record.priority == 6)
        #expect(record.identifier == "alertd")
        #expect(record.process == nil && record.cursor.isEmpty && record.values.isEmpty)
    }

    @Test func anEntryHasTheFieldsItWasGivenInTheOrderOfTheList() {
        let entry = JournalEntry(
            message: "m", id: .feedFailed, priority: 4, [.count: "3", .failure: "timeout", .rule: "a\nb"])
        #expect(
            entry.fields.dropFirst(4).map { String(decoding: $0, as: UTF8.self) }
                == ["ALERTD_RULE=a\nb", "ALERTD_FAILURE=timeout", "ALERTD_COUNT=3"])
    }
}
