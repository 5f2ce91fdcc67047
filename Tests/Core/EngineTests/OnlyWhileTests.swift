import Engine
import Events
import Market
import Rules
import TestSupport
import Testing
import Time

/// `only_while`: a maximum of 100 that notifies only in the zone from 105 to 110, whose rule is the second one.
@Suite("Notifying only while another rule fires")
struct OnlyWhileTests {
    private static let zone = Draft(kind: .within("105", "110"))

    private static func rules(
        _ draft: Draft = Draft(kind: .max("100")), zone: Draft = zone, zoneIsFirst: Bool = false
    ) throws -> [Rule] {
        var draft = draft
        draft.onlyWhile = "zone"
        let rules = [try draft.rule(), try zone.rule("zone")]
        return zoneIsFirst ? rules.reversed() : rules
    }

    private static let stories: [(prices: String, story: [String])] = [
        // Both at once: the other one is evaluated first, but events keep the order of the file.
        ("99 106", ["2:fired:max", "2:fired:within"]),
        // Late, when the other one fires, too.
        ("99 101 106", ["2:fired:max:only_while:suppressed", "3:fired:max:only_while", "3:fired:within"]),
        // The end of the other one is not its end.
        ("99 106 101 99", ["2:fired:max", "2:fired:within", "3:resolved:within", "4:resolved:max"]),
        // Nobody was notified of this firing.
        ("99 101 99", ["2:fired:max:only_while:suppressed", "3:resolved:max:fired_suppressed:suppressed"]),
        // Both end at once.
        ("99 106 99", ["2:fired:max", "2:fired:within", "3:resolved:max", "3:resolved:within"]),
        // A price of no use changes nothing.
        ("99 101 ? 106", ["2:fired:max:only_while:suppressed", "4:fired:max:only_while", "4:fired:within"]),
    ]

    @Test(arguments: stories.indices, [false, true])
    func isSuppressedUntilTheOtherFires(_ index: Int, restarts: Bool) throws {
        var timeline = Timeline(try Self.rules())
        timeline.restartsAfterEachPoll = restarts
        #expect(try timeline.run(Self.stories[index].prices) == Self.stories[index].story)
    }

    @Test func theOrderInTheFileMattersForTheOrderOfEventsOnly() throws {
        var timeline = Timeline(try Self.rules(zoneIsFirst: true))
        #expect(
            try timeline.run("99 101 106") == [
                "2:fired:max:only_while:suppressed", "3:fired:within", "3:fired:max:only_while",
            ])
    }

    @Test func theNamedRuleMayBeSuppressedItself() throws {
        var timeline = Timeline(try Self.rules(zone: Draft(kind: .within("105", "110"), cooldown: "1h")))
        try timeline.run("99 106 99")
        #expect(try timeline.run("106") == ["4:fired:max", "4:fired:within:cooldown:suppressed"])
    }

    @Test func itMayBeKeptFiring() throws {
        var timeline = Timeline(try Self.rules(zone: Draft(kind: .within("105", "110"), keepFiring: "1m")))
        try timeline.run("106 99")
        #expect(timeline.story.last == "2:resolved:max")
        #expect(try timeline.run("101") == ["3:fired:max"])
    }

    @Test func aCrossingIsNeverNotifiedLater() throws {
        var timeline = Timeline(try Self.rules(Draft(kind: .crossUp("100"))))
        #expect(
            try timeline.run("99 101 106 106 99 106") == [
                "2:fired:cross_up:only_while:suppressed", "3:fired:within", "5:resolved:within", "6:fired:cross_up",
                "6:fired:within",
            ])
    }

    @Test func theOrderOfSuppressions() throws {
        var timeline = Timeline(try Self.rules(Draft(kind: .max("100"), cooldown: "2m30s", once: true)))
        try timeline.run("106 99")
        #expect(try timeline.run("101 99").first == "3:fired:max:disarmed:suppressed")
        #expect(timeline.engine.arm(rule: "rule") == 1)
        timeline.engine.silences = [
            Silence(number: 1, rule: "rule", end: .after(timeline.now.boot.advanced(by: .seconds(45))))
        ]
        #expect(try timeline.run("101 101") == ["5:fired:max:silenced:suppressed"])
        #expect(timeline.engine.alerts().first?.note == "not notified: 'zone' is not firing")
        try timeline.run("99")
        #expect(try timeline.run("101").first == "8:fired:max:only_while:suppressed")
    }

    @Test func theCooldownComesLast() throws {
        var timeline = Timeline(try Self.rules(Draft(kind: .max("100"), cooldown: "3m")))
        try timeline.run("99 106 99")
        #expect(try timeline.run("101 106") == ["4:fired:max:only_while:suppressed", "5:fired:within"])
        #expect(timeline.engine.alerts().first?.note?.hasPrefix("not notified: cooldown") == true)
        #expect(try timeline.run("106 106 106") == ["8:fired:max:cooldown"])
    }

    @Test func aChainIsEvaluatedFromItsEnd() throws {
        var rules = [
            try Draft(kind: .max("100"), onlyWhile: "b").rule("a"),
            try Draft(kind: .min("120"), onlyWhile: "c").rule("b"),
            try Draft(kind: .within("105", "110")).rule("c"),
        ]
        for _ in 0..<3 {
            var timeline = Timeline(rules)
            let story = try timeline.run("130 106")
            let expected: Set = [
                "1:fired:max:only_while:suppressed", "2:fired:max:only_while", "2:fired:min", "2:fired:within",
            ]
            #expect(Set(story) == expected && story.count == 4)
            rules.append(rules.removeFirst())
        }
    }

    @Test func rulesInACircleAreEvaluatedAllTheSame() throws {
        let rules = [
            try Draft(kind: .max("100"), onlyWhile: "b").rule("a"),
            try Draft(kind: .max("101"), onlyWhile: "a").rule("b"),
            try Draft(kind: .max("102"), onlyWhile: "nobody").rule("c"),
        ]
        #expect(RuleOrder(rules).circles == [[0, 1]])
        var timeline = Timeline(rules)
        #expect(try timeline.run("99 103").count == 3)
    }

    @Test func aReloadThatTakesItAwayNotifiesWithTheNextPrice() throws {
        var timeline = Timeline(try Self.rules())
        try timeline.run("99 101")
        #expect(timeline.reload([try Draft(kind: .max("100")).rule(), try Self.zone.rule("zone")]).changed.isEmpty)
        #expect(try timeline.run("101") == ["3:fired:max:only_while"])
        #expect(timeline.occurrences.last?.text.hasSuffix("(notified late)") == true)
    }

    @Test func eventsNameTheOtherRule() throws {
        var timeline = Timeline(try Self.rules())
        try timeline.run("99 101 106")
        #expect(timeline.occurrences.map(\.details.onlyWhile) == ["zone", "zone", nil])
        #expect(timeline.occurrences[1].text.hasSuffix("(notified now that 'zone' is firing, too)"))
    }
}

@Suite("Rules that name each other")
struct RuleOrderTests {
    private func rules(_ names: [(String, String?)]) throws -> [Rule] {
        try names.map { try Draft(kind: .max("1"), onlyWhile: $0.1).rule($0.0) }
    }

    @Test func eachComesAfterTheOneThatItNames() throws {
        #expect(RuleOrder(try rules([("a", nil), ("b", "a"), ("c", "b")])).depths.isEmpty)
        #expect(RuleOrder(try rules([("a", nil), ("b", nil)])).companions.isEmpty)
        #expect(RuleOrder(try rules([("a", "b"), ("b", "c"), ("c", nil), ("d", "a")])).depths == [2, 1, 0, 3])
    }

    @Test func circlesAreFound() throws {
        let order = RuleOrder(try rules([("x", "b"), ("a", "c"), ("b", "a"), ("c", "b"), ("d", "d"), ("e", "gone")]))
        #expect(order.circles == [[1, 3, 2], [4]])
        #expect(order.depths.count == 6)
    }

    @Test func whatARuleNeedsIsFound() throws {
        let all = try rules([("a", "b"), ("b", "c"), ("c", "a"), ("d", "b"), ("e", nil)])
        #expect(all.needed(by: [all[3]]).map(\.name) == ["b", "c", "a"])
        #expect(all.needed(by: [all[0]]).map(\.name) == ["b", "c"])
        #expect(all.needed(by: [all[4]]).isEmpty)
    }
}
