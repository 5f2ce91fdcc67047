import Events
import Glibc
import Market
import TestSupport
import Testing

@testable import Journal

struct JournalEntryTests {
    @Test func allFactsBecomeFields() throws {
        let fields = JournalEntry(try fullEvent()).fields.map(text)
        #expect(
            fields == [
                "MESSAGE=BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00 (rule 'btc band')",
                "MESSAGE_ID=905de4d1c9624e7ea3d47c91e82c3708", "PRIORITY=2", "SYSLOG_IDENTIFIER=alertd",
                "ALERTD_KIND=fired", "ALERTD_NUMBER=7", "ALERTD_SEVERITY=critical", "ALERTD_SOURCE=wazirx",
                "ALERTD_RULE=btc band",
                "ALERTD_SYMBOL=btcinr", "ALERTD_BOUND=max", "ALERTD_PRICE=7500100", "ALERTD_LIMIT=7500000.50",
                "ALERTD_CURRENCY=INR", "ALERTD_REASON=already_breached", "ALERTD_SAMPLE_AGE_MS=2123",
            ])
    }

    @Test(
        arguments: zip(
            EventKind.allCases,
            ["4", "5", "4", "4", "4", "5", "4", "4", "5", "5", "4", "5", "4", "5", "4", "5", "5"]))
    func whatAnEventDoesNotHaveIsNoField(kind: EventKind, priority: String) {
        let fields = JournalEntry(bareEvent(kind)).fields.map(text)
        #expect(
            fields == [
                "MESSAGE=what it is", "MESSAGE_ID=\(MessageID.of(kind).text)", "PRIORITY=\(priority)",
                "SYSLOG_IDENTIFIER=alertd", "ALERTD_KIND=\(kind.rawValue)", "ALERTD_NUMBER=1",
                "ALERTD_SEVERITY=warning",
            ])
    }

    @Test func theSeverityOfAFiredIsItsPriority() {
        let priorities = Severity.allCases.map { severity in
            var occurrence = bareEvent(.fired).occurrence
            occurrence.severity = severity
            return text(JournalEntry(Event(number: 1, occurrence: occurrence)).fields[2])
        }
        #expect(priorities == ["PRIORITY=6", "PRIORITY=4", "PRIORITY=2"])
    }

    @Test func aMessageIsOneLineAndOtherValuesKeepTheirBytes() {
        var occurrence = bareEvent(.fired, text: "a\nb\u{1B}\u{9B}").occurrence
        occurrence.rule = "two\nlines=\u{0}"
        let fields = JournalEntry(Event(number: 1, occurrence: occurrence)).fields
        #expect(text(fields[0]) == #"MESSAGE=a\nb\u001b\u009b (rule 'two\nlines=\u0000')"#)
        #expect(fields.contains(Array("ALERTD_RULE=two\nlines=\u{0}".utf8)))
    }

    @Test func theIdsAre128BitsAndDifferent() {
        let all = MessageID.all
        #expect(Set(all.map(\.text)).count == all.count)
        #expect(Set(all.map(\.name)).count == all.count)
        for id in all {
            #expect(id.text.utf8.count == 32)
            #expect(id.text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
            #expect(id.name.allSatisfy { $0 == "_" || $0.isLowercase })
        }
    }

    /// Every field that the list requires is in the entry, so that the catalog can show it.
    @Test func anEventHasTheFieldsOfItsId() throws {
        for kind in EventKind.allCases {
            var event = try fullEvent().occurrence
            event.kind = kind
            let fields = JournalEntry(Event(number: 1, occurrence: event)).fields.map(text)
            for field in MessageID.of(kind).fields {
                #expect(fields.contains { $0.hasPrefix("\(field.rawValue)=") }, "\(kind): \(field)")
            }
        }
    }

    @Test func sendingIsNoFailureWhetherAJournaldListensOrNot() {
        #expect(JournalEntry(message: "a test of alertd sends this", id: .started, priority: 7).send() == 0)
    }
}
