import Market
import Rules
import Testing

@testable import AlertDaemon

@Suite("Event log")
struct EventLogTests {
    private func occurrences(_ count: Int, rule: String? = nil) -> [Occurrence] {
        (0..<count).map { number in
            Occurrence(
                time: WallTime(milliseconds: Int64(number)), kind: .fired, rule: rule, symbol: Symbol("btcinr"),
                bound: .max,
                severity: .warning, text: "\(number)")
        }
    }

    @Test func numbersBeginAtOneAndHaveNoHoles() {
        var log = EventLog()
        #expect(log.commit(occurrences(3)).map(\.number) == [1, 2, 3])
        #expect(log.commit([]).isEmpty)
        #expect(log.commit(occurrences(2)).map(\.number) == [4, 5])
        #expect(log.lastNumber == 5)
    }

    @Test func whatIsSaidOfMadeUpPricesIsMarked() {
        var log = EventLog(isSimulated: true)
        #expect(log.commit(occurrences(1)).map(\.occurrence.text) == ["SIMULATED: 0"])
        #expect(log.events(after: 0).events.map(\.occurrence.text) == ["SIMULATED: 0"])
    }

    @Test(arguments: [(Int64(0), 5), (3, 2), (5, 0), (99, 0), (-7, 5), (.min, 5), (.max, 0)])
    func whatCameAfterANumber(_ after: Int64, _ count: Int) {
        var log = EventLog()
        _ = log.commit(occurrences(5))
        let (missed, events) = log.events(after: after)
        #expect(missed == 0)
        #expect(events.count == count)
    }

    @Test func whatIsNotKeptAnyMoreIsCounted() {
        var log = EventLog()
        for _ in 0..<10 { _ = log.commit(occurrences(1_000)) }
        let (missed, events) = log.events(after: 10)
        #expect(events.last?.number == 10_000)
        #expect(events.count <= EventLog.capacity)
        #expect(Int(missed) + events.count == 9_990)
        #expect(events.first?.number == 11 + missed)
    }

    @Test func moreAtOnceThanIsKept() {
        var log = EventLog()
        _ = log.commit(occurrences(EventLog.capacity * 3))
        let (missed, events) = log.events(after: 0)
        #expect(Int(missed) + events.count == EventLog.capacity * 3)
    }

    @Test func theLastEventOfAnAlertIsKnown() throws {
        var log = EventLog()
        _ = log.commit(occurrences(2, rule: "a") + occurrences(1, rule: "b"))
        let symbol = try #require(Symbol("btcinr"))
        let key = EventLog.AlertKey(rule: "a", symbol: symbol, bound: .max)
        #expect(log.lastNumber(of: key) == 2)
        log.keepAlerts { $0.rule == "b" }
        #expect(log.lastNumber(of: key) == nil)
        #expect(log.lastNumber(of: EventLog.AlertKey(rule: "b", symbol: symbol, bound: .max)) == 3)
    }
}
