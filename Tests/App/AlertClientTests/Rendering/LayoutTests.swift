import Control
import Testing

@testable import AlertClient

/// How long texts fit a terminal.
struct LayoutTests {
    private static let condition = "fall 10% window 15m cooldown 1h hysteresis 0.5% for 2m repeat 1h expires 2099-01-01"

    private func rules(width: Int) -> [String] {
        let run = Run(width: width)
        run.daemon.replies[.listRules] = ListRulesReply(rules: [
            RuleStatus(
                name: "sudden drop", source: "wazirx", symbols: ["*inr"], condition: Self.condition,
                conditionText: Self.condition, severity: .warning, matches: 139,
                firing: 0, limits: [], state: .impaired,
                problems: [SymbolProblem(state: .frozen, symbols: 2), SymbolProblem(state: .missing, symbols: 1)])
        ])
        return run.output("rules").split(separator: "\n").map(String.init)
    }

    @Test func aLongConditionIsNarrowedBeforeOtherColumnsAreDropped() {
        let lines = rules(width: 80)
        #expect(lines[0].hasPrefix("RULE         SYMBOLS  CONDITION") && lines[0].hasSuffix("FIRING  STATE"))
        #expect(lines[1].hasPrefix("sudden drop  *inr     fall 10% window 15m cooldown  "))
        #expect(lines[1].hasSuffix("2 frozen, 1 missing") && lines[1].count == 80)
        let condition = lines.dropFirst().map { $0.dropFirst(22).prefix(32) }
        let words = condition.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words == Self.condition, "\(lines)")
    }

    @Test func itIsWholeWhereThereIsRoom() {
        let lines = rules(width: 200)
        #expect(lines[1].contains("  \(Self.condition)  "))
        #expect(rules(width: 30)[0] == "RULE         STATE")
    }

    @Test func aLongFieldWrapsBelowItsBeginning() {
        let formatter = Run(width: 60).formatter
        let report = Report(parts: [
            .fields(
                key: nil,
                [
                    Field("a", "Short", .text("one")),
                    Field("b", "Longest", .text("a text of several words that do not fit one line of 60 columns")),
                ])
        ])
        #expect(
            HumanRenderer(formatter: formatter, hasHeader: true).render(report)
                == """
                   Short: one
                 Longest: a text of several words that do not fit one line
                          of 60 columns

                """)
    }

    @Test func aVeryNarrowFieldIsCut() {
        let report = Report(parts: [.fields(key: nil, [Field("a", "Long", .text("a text of several words"))])])
        let formatter = Run(width: 20).formatter
        #expect(HumanRenderer(formatter: formatter, hasHeader: true).render(report) == " Long: a text of se…\n")
    }

    @Test func whatIsLeftOutIsCountedInASCIIToo() {
        #expect(Run().formatter.more("3 more") == "… and 3 more")
        #expect(Run(variables: [:]).formatter.more("3 more") == "... and 3 more")
    }

    @Test func aMissingOrEmptyFieldIsForProgramsOnly() {
        #expect(Field("a", "A", .missing).hiddenIfMissing.title == nil)
        #expect(Field("a", "A", .list([])).hiddenIfMissing.title == nil)
        #expect(Field("a", "A", .list(["b"])).hiddenIfMissing.title == "A")
        #expect(Field("a", "A", .count(0)).hiddenIfMissing.title == "A")
    }
}
