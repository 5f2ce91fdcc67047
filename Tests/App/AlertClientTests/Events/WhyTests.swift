import AlertClient
import Control
import Events
import Market
import Rules
import Testing

struct WhyTests {
    private static func minute(_ minute: Int) -> String { "2026-11-21T05:\(minute < 10 ? "0" : "")\(minute):00.000Z" }

    private static func event(
        _ number: Int, _ kind: ControlInterface.EventKind, firing: Int?, notified: Bool = true,
        reason: ControlInterface.Reason? = nil,
        _ change: (inout EventRecord) -> Void = { _ in }
    ) -> EventRecord {
        var event = EventRecord(
            number: number, time: minute(number), kind: kind, rule: "btc band", symbol: "btcinr", bound: .max,
            severity: .warning, price: "7513000.5", limit: "7500000", currency: "INR", notified: notified,
            reason: reason,
            text: "btcinr is at or above max 7500000")
        event.details = EventDetails()
        event.details?.firingSince = firing.map(minute)
        change(&event)
        return event
    }

    /// Two firings, the first of them notified late, and its end later still.
    private static let events = [
        event(1, .fired, firing: 1, notified: false, reason: .cooldown) {
            $0.details?.cooldownUntil = minute(2)
            $0.details?.pendingMilliseconds = 60_000
        },
        event(2, .fired, firing: 1, reason: .cooldown), event(3, .repeated, firing: 1),
        event(4, .resolved, firing: 1, notified: false, reason: .silenced) { $0.silence = 3 },
        event(5, .resolved, firing: nil, reason: .silenced),
        event(6, .fired, firing: 6, notified: false, reason: .disarmed),
        event(7, .resolved, firing: 6, notified: false, reason: .firedSuppressed),
    ]

    /// A daemon with these events.
    private func run(_ events: [EventRecord] = WhyTests.events, width: Int? = 100) -> Run {
        let run = Run(width: width)
        run.daemon.answers[.listEvents] = { parameters in
            guard let asked = parameters as? ListEventsParameters else { return Nothing() }
            var found = events.filter { event in
                event.number > asked.after ?? 0 && event.number < asked.before ?? .max
                    && (asked.rule == nil || asked.rule == event.rule)
                    && (asked.kind == nil || asked.kind == event.kind)
            }
            if asked.newestFirst == true { found.reverse() }
            return ListEventsReply(simulated: false, source: "wazirx", events: found, more: false)
        }
        return run
    }

    @Test func aSuspendIsExplained() {
        let output = run([Self.event(1, .fired, firing: 1, reason: .afterSuspend)]).output("why 1")
        #expect(output.contains("Reason: after the machine was suspended, so it is not known when"))
        #expect(!output.contains("after_suspend"))
    }

    @Test func aReasonOfALaterVersionIsShownSafely() {
        let strange = Self.event(1, .fired, firing: 1, notified: false, reason: .unknown("after_\u{1B}[31meclipse"))
        let output = run([strange]).output("why 1")
        #expect(output.contains("Reason: after_\\u{1b}[31meclipse"))
        #expect(!output.contains("\u{1B}"))
    }

    @Test func aRuleThatDependsOnAnotherIsExplained() {
        let events = [
            Self.event(1, .fired, firing: 1, notified: false, reason: .onlyWhile) { $0.details?.onlyWhile = "dip" },
            Self.event(2, .fired, firing: 1, reason: .onlyWhile) {
                $0.details?.onlyWhile = "dip"
                $0.details?.clearMilliseconds = 60_000
            },
            Self.event(3, .resolved, firing: 1) { $0.details?.clearMilliseconds = 300_000 },
        ]
        #expect(run(events).output("why 1").contains("Notified: no, because 'dip' was not firing\n"))
        let late = run(events).output("why 2")
        #expect(late.contains("Notified: yes, late, when 'dip' was firing, too\n"))
        #expect(late.contains("Clear: for 1m, not long enough to resolve\n"))
        #expect(run(events).output("why 3").contains("Clear: for 5m before it resolved\n"))
    }

    @Test func theTableShowsReasonsAsText() {
        let output = run().output("why 7")
        #expect(output.contains("firing was suppressed") && !output.contains("fired_suppressed"))
        #expect(run().output("why 7 --json").contains("\"reason\":\"fired_suppressed\""))
    }

    @Test func anEventAsPeopleSeeIt() {
        let event = Self.event(9, .fired, firing: 9, reason: .afterGap) {
            $0.previous = PricePoint(time: Self.minute(1), price: "7400000")
            $0.received = Self.minute(9)
            $0.exchangeTime = Self.minute(8)
            $0.sampleAgeMilliseconds = 60_000
            $0.conversion = ConversionRecord(rate: "85", date: "2026-11-20", source: "ecb", path: "USDT>USD>EUR>INR")
            $0.details?.marketPrice = "88388.24"
            $0.details?.clear = "7462500"
            $0.details?.pendingMilliseconds = 300_000
            $0.details?.settingsLimit = "7400000"
            $0.details?.limitBy = "alice"
            $0.details?.limitSince = Self.minute(2)
            $0.details?.windowMilliseconds = 900_000
            $0.details?.extreme = "7600000"
        }
        #expect(
            run([event], width: 110).output("why 9")
                == """
                Event 9, fired: 'btc band' on btcinr, max
                        When: Sat 2026-11-21 06:09:00 CET
                        What: btcinr is at or above max 7500000
                       Price: ₹75,13,000.50, received 06:09:00
                      Priced: 06:08:00 by the source's clock, 1m earlier
                    Previous: ₹74,00,000.00 at 06:01:00
                       Limit: ₹75,00,000.00
                   Limit set: by alice at 06:02:00; the configured limit was ₹74,00,000.00
                 Resolves at: ₹74,62,500.00
                    Measured: from ₹76,00,000.00, the highest price within 15m
                     Pending: the limit was breached for 5m before it fired
                   Converted: from 88,388.24 USDT, USDT → USD → EUR → INR at 85 (ecb, 2026-11-20)
                      Reason: after a gap, so it is not known when the limit was reached
                    Notified: yes
                       Later: not resolved yet

                """)
    }

    @Test(arguments: [
        (
            "1", "Notified: no, within the cooldown of the previous notification, until 06:02:00",
            "Later: notified as event 2"
        ),
        ("2", "Notified: yes, late, when the cooldown ended", "Later: resolved at 06:04:00, event 4"),
        ("4", "Notified: no, suppressed by silence 3", "Later: notified as event 5 at 06:05:00"),
        ("4", "Firing: since 06:01:00, for 3m", "btc band"),
        ("5", "Notified: yes, late, when the silence ended", "btc band"),
        (
            "6", "Notified: no, the one-shot rule had already notified",
            "Later: resolved at 06:07:00, event 7; never notified"
        ),
        ("7", "Notified: no, because the firing that it ends was not notified", "btc band"),
    ])
    func whetherAndWhenItWasNotifiedIsSaid(_ number: String, _ first: String, _ second: String) {
        let output = run().output("why \(number)")
        #expect(output.contains(first) && output.contains(second), "\(output)")
    }

    @Test(arguments: [(1, [1, 2, 3, 4, 5]), (3, [1, 2, 3, 4, 5]), (5, [1, 2, 3, 4, 5]), (6, [6, 7]), (7, [6, 7])])
    func theEventsOfTheSameFiringAreShown(_ number: Int, _ expected: [Int]) {
        let output = run(width: nil).output("why \(number) --json")
        let related = output.split(separator: "\"related\":").last ?? ""
        let numbers = related.split(separator: "\"number\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(numbers == expected)
        #expect(output.contains("\"event\":{\"number\":\(number),"))
    }

    @Test func anOutageIsShownWithItsEnd() {
        var stale = EventRecord(
            number: 1, time: Self.minute(1), kind: .feedStale, severity: .warning, notified: true, text: "no response")
        var other = stale
        (other.number, other.kind, other.time) = (2, .rulesChanged, Self.minute(2))
        var back = stale
        (back.number, back.kind, back.time) = (3, .feedRecovered, Self.minute(3))
        #expect(run([stale, other, back]).output("why 1").contains("Later: ended at 06:03:00, event 3"))
        #expect(run([stale, other, back]).output("why #3").contains("feed stale"))
        #expect(run([stale, other]).output("why 1").contains("Later: not resolved yet"))
        stale.kind = .rulesChanged
        #expect(!run([stale]).output("why 1").contains("Later"))
    }

    @Test func anOutageEndsForItsOwnSource() {
        func event(_ number: Int, _ kind: ControlInterface.EventKind, _ source: String) -> EventRecord {
            EventRecord(
                number: number, time: Self.minute(number), kind: kind, source: source, symbol: "btcusdt",
                severity: .warning, notified: true, text: "what happened")
        }
        let events = [
            event(1, .symbolMissing, "wazirx"), event(2, .symbolFrozen, "binance"),
            event(3, .symbolReturned, "binance"), event(4, .symbolReturned, "wazirx"),
        ]
        #expect(run(events).output("why 1").contains("Later: ended at 06:04:00, event 4"))
        #expect(run(events).output("why 2").contains("Later: ended at 06:03:00, event 3"))
        #expect(run(Array(events.dropLast())).output("why 1").contains("Later: not resolved yet"))
        let last = run(events, width: nil).output("why 4 --json").split(separator: "\"related\":").last ?? ""
        #expect(last.contains("\"number\":1,") && !last.contains("\"number\":2,"))
    }

    @Test func aFailureEndsForItsOwnReceiver() {
        func event(_ number: Int, _ kind: ControlInterface.EventKind, _ receiver: String) -> EventRecord {
            EventRecord(
                number: number, time: Self.minute(number), kind: kind, severity: .warning, notified: true,
                text: "what happened", details: EventDetails(receiver: receiver))
        }
        let events = [
            event(1, .receiverFailed, "phone"), event(2, .receiverFailed, "mail"),
            event(3, .receiverRecovered, "mail"), event(4, .receiverRecovered, "phone"),
        ]
        #expect(run(events).output("why 1").contains("Later: ended at 06:04:00, event 4"))
        #expect(run(events).output("why 2").contains("Later: ended at 06:03:00, event 3"))
        #expect(run(Array(events.dropLast())).output("why 1").contains("Later: not resolved yet"))
    }

    @Test(arguments: ["why", "why x", "why 0", "why -5", "why 1.5"])
    func wrongWordsAreAWrongUse(line: String) {
        #expect(run()(line) == 2)
    }

    @Test func anEventThatIsNotKeptIsSaid() {
        let run = run()
        #expect(run("why 99") == 4)
        #expect(run.errors.contains("99"))
    }
}
