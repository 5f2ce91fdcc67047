import Events
import Market
import Receivers
import Rules
import TestSupport
import Testing
import Time

@testable import Notifications

struct ComposerTests {
    private let composer: NotificationComposer = {
        var composer = NotificationComposer(
            instance: instance, source: SourceName(unchecked: "wazirx"), displayCurrency: Currency("USD"))
        composer.convert = { amount, _ in amount.multiplied(by: Price(unchecked: 12, scale: 3)) }
        return composer
    }()

    private func compose(_ events: [Event], after delay: Int64 = 0, title: String? = nil, message: String? = nil) throws
        -> Notification
    {
        var target = receiver(.ntfy)
        target.title = try title.map { try MessageTemplate($0) }
        target.message = try message.map { try MessageTemplate($0) }
        let now = WallTime(milliseconds: sampleTime.milliseconds + delay)
        return try required(composer.notification(of: events, for: target, at: now))
    }

    @Test func oneEventHasItsEvidence() throws {
        let notification = try compose([fullEvent()])
        #expect(notification.title == "BTC/INR: maximum ₹75,00,000.50 reached")
        let lines = notification.body.split(separator: "\n").map { $0.replacing("\u{A0}", with: " ") }
        #expect(
            lines == [
                "BTC/INR ₹75,00,100.00 is at or above its maximum ₹75,00,000.00",
                "Price: ₹75,00,100.00 ($90,001.20)", "Limit: maximum ₹75,00,000.50 ($90,000.01)",
                "Distance: at the limit", "Change: +0.01% since 2026-11-21T06:22:14.001Z",
                "Since: 2026-11-21T06:22:44.123Z", "Source: wazirx, 2s old", "Rule: btc band (critical)",
            ], "\(lines)")
        #expect(notification.id == "\(instance)-7")
    }

    @Test func ownTextsReplaceThem() throws {
        let notification = try compose([fullEvent()], title: "{symbol}!", message: "now {price}")
        #expect(notification.title == "btcinr!" && notification.body == "now 7500100")
    }

    /// Alone and in a group.
    @Test func anEndMayHaveATextOfItsOwn() throws {
        var target = receiver(.ntfy)
        target.message = try MessageTemplate("now {price}")
        target.messageRepeated = try MessageTemplate("still {price}")
        target.messageResolved = try MessageTemplate("back at {price}")
        let kinds: [(EventKind, String)] = [(.fired, "105"), (.resolved, "95"), (.repeated, "106")]
        let events = try kinds.enumerated().map { try alertEvent(Int64($0 + 1), $1.0, price: $1.1) }
        for (event, text) in zip(events, ["now 105", "back at 95", "still 106"]) {
            let single = composer.notification(of: [event], for: target, at: sampleTime)
            #expect(single?.body == text)
        }
        let group = try required(composer.notification(of: events, for: target, at: sampleTime))
        #expect(group.body.contains("back at 95") && group.body.contains("still 106"), "\(group.body)")
        target.message = nil
        let fired = try required(composer.notification(of: [events[0]], for: target, at: sampleTime))
        #expect(fired.body.contains("Price: "), "\(fired.body)")
    }

    @Test func lateOnesSaySo() throws {
        #expect(try !compose([fullEvent()], after: 60_000).body.contains("Delivered"))
        #expect(try compose([fullEvent()], after: 7_200_000).body.hasSuffix("Delivered 2h after the event"))
    }

    @Test(arguments: [
        (EventKind.resolved, "BTC/INR: resolved, maximum ₹100.00"),
        (.repeated, "BTC/INR: still firing, maximum ₹100.00"),
        (.touched, "BTC/INR: maximum ₹100.00 was reached"),
    ])
    func titlesSayWhatHappened(kind: EventKind, title: String) throws {
        #expect(try compose([alertEvent(1, kind)]).title == title)
    }

    @Test func whatWasReachedInAGapSaysWhen() throws {
        var details = DecisionDetails()
        details.touchedFrom = WallTime(milliseconds: sampleTime.milliseconds / 60_000 * 60_000 - 3_600_000)
        details.touchedUntil = WallTime(milliseconds: sampleTime.milliseconds / 60_000 * 60_000 - 3_540_000)
        let event = try alertEvent(1, .touched, price: "105", details: details)
        let text = "Reached: between "
        #expect(try compose([event]).body.contains(text) && !compose([event]).body.contains("Since: "))
        #expect(try compose([event], message: "now {price}").body.hasPrefix("now 105\n\(text)"))
    }

    @Test(arguments: EventKind.allCases) func everyKindHasATitle(kind: EventKind) throws {
        #expect(try !compose([bareEvent(kind)]).title.isEmpty)
    }

    @Test func aCrashOfTheMarketIsOneNotification() throws {
        let events = try (1...37).map { number in
            var details = DecisionDetails()
            details.window = .seconds(900)
            details.extreme = try Price("100")
            return try alertEvent(
                Int64(number), symbol: "c\(number)inr", bound: .fall, severity: number == 30 ? .critical : .warning,
                price: "\(90 - number)", limit: "90", details: details)
        }
        let notification = try compose(events)
        #expect(notification.title == "37 markets fell 10% or more within 15m")
        let lines = notification.body.split(separator: "\n")
        // The critical one, and those that fell furthest, in order of time.
        #expect(lines.prefix(3) == ["• CRITICAL c30inr is at 60", "• c34inr is at 56", "• c35inr is at 55"])
        #expect(lines.last?.hasPrefix("… and 32 more: C33/INR, C32/INR, ") == true, "\(lines)")
        #expect(lines.count == 6)
    }

    @Test(
        arguments: zip(
            Bound.allCases,
            [
                "are at or below their minimum", "are at or above their maximum", "are in their zone", "rose", "fell",
                "crossed above their limit", "crossed below their limit",
            ]))
    func aGroupSaysWhatItsMarketsDid(bound: Bound, text: String) throws {
        let events = try ["btcinr", "ethinr"].map { try alertEvent(1, symbol: $0, bound: bound) }
        #expect(try compose(events).title == "2 markets \(text)")
    }

    @Test func groupsOfSeveralKindsAreCounted() throws {
        let events = [
            try alertEvent(1), try alertEvent(2, symbol: "ethinr", bound: .min),
            try alertEvent(3, .resolved, symbol: "solinr"), bareEvent(.feedStale, number: 4),
        ]
        #expect(try compose(events).title == "2 alerts fired, 1 alert resolved, No new prices")
        #expect(try compose(events).body.split(separator: "\n").count == 4)
    }

    @Test func anAlertIsShownOnceWithItsLastEvent() throws {
        let events = [try alertEvent(1, price: "101"), try alertEvent(2, .repeated, price: "105")]
        #expect(try compose(events).body == "• btcinr is at 105")
    }

    /// After a time without the receiver, the last line is how it stands.
    @Test func aGroupSaysHowAlertsStandAtItsEnd() throws {
        let fired = try alertEvent(21, price: "101")
        let resolved = try alertEvent(22, .resolved, severity: .critical, price: "99")
        let again = try alertEvent(202, price: "105")
        let stands = try compose([fired, resolved, again])
        #expect(stands.title == "BTC/INR fired")
        #expect(stands.body == "• btcinr is at 99\n• btcinr is at 105")
        let over = try compose([fired, resolved])
        #expect(over.title == "1 alert resolved")
        #expect(over.body == "• btcinr is at 101\n• btcinr is at 99" && over.severity == .info)
    }

    /// The same for what is reported about prices and markets.
    @Test func aGroupSaysHowReportsStandAtItsEnd() throws {
        let events = [
            bareEvent(.feedStale, number: 3, text: "none"), bareEvent(.feedRecovered, number: 4, text: "some"),
        ]
        let over = try compose(events)
        #expect(over.title == "Prices are back")
        #expect(over.body == "• none\n• some" && over.severity == .info && over.isEnd)
        let again = try compose(events + [bareEvent(.feedStale, number: 5, text: "none again")])
        #expect(again.title == "No new prices" && !again.isEnd)
    }

    /// Alerts are chosen by their severity, and shown in order of time.
    @Test func aGroupIsInOrderOfTime() throws {
        let events = [
            try alertEvent(1, symbol: "ethinr", price: "150"),
            try alertEvent(2, .resolved, symbol: "solinr", price: "90"),
            bareEvent(.feedStale, number: 3, text: "no prices"),
            try alertEvent(4, symbol: "btcinr", severity: .critical, price: "101"),
        ]
        #expect(
            try compose(events).body == """
                • ethinr is at 150
                • solinr is at 90
                • no prices
                • CRITICAL btcinr is at 101
                """)
    }

    @Test func aMarketOfSeveralSourcesIsNamedWithItsSource() throws {
        var composer = composer
        composer.hasSeveralSources = true
        let events = try [alertEvent(1), alertEvent(2).of("kraken"), alertEvent(3).of("binance")]
        let compose = { (events: [Event]) throws in
            try required(composer.notification(of: events, for: receiver(.ntfy), at: sampleTime))
        }
        let single = try compose([events[1]])
        #expect(single.title == "BTC/INR on kraken: maximum ₹100.00 reached")
        #expect(single.body.contains("Source: kraken"))
        #expect(single.commonSource == SourceName("kraken"))
        let stale = bareEvent(.feedStale, number: 4).of("kraken")
        #expect(try compose([stale]).title == "No new prices from kraken")
        // The same rule and symbol of three sources are three alerts, and three markets.
        let group = try compose(events)
        #expect(group.title == "3 markets are at or above their maximum")
        #expect(group.body.split(separator: "\n").count == 3)
        #expect(group.commonSource == nil)
    }

    @Test func largeGroupsStaySmall() throws {
        let events = try (1...1_000).map { try alertEvent(Int64($0), symbol: "c\($0)inr") }
        #expect(try compose(events).body.utf8.count < 4_096)
    }
}
