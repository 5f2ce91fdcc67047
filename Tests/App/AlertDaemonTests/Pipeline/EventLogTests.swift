import Engine
import Events
import Market
import Testing
import Time

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
        #expect(log.number(occurrences(3)).map(\.number) == [1, 2, 3])
        #expect(log.number([]).isEmpty)
        #expect(log.number(occurrences(2)).map(\.number) == [4, 5])
        #expect(log.lastNumber == 5)
    }

    @Test func whatIsSaidOfMadeUpPricesIsMarked() {
        var log = EventLog(isSimulated: true)
        #expect(log.number(occurrences(1)).map(\.occurrence.text) == ["SIMULATED: 0"])
        #expect(log.events(after: 0, limit: 9)?.map(\.occurrence.text) == ["SIMULATED: 0"])
    }

    @Test(arguments: [(Int64(0), 9, [1, 2, 3, 4, 5]), (3, 9, [4, 5]), (1, 2, [2, 3]), (5, 9, []), (99, 9, [])])
    func whatCameAfterANumber(_ after: Int64, _ limit: Int, _ numbers: [Int64]) {
        var log = EventLog()
        _ = log.number(occurrences(5))
        #expect(log.events(after: after, limit: limit)?.map(\.number) == numbers)
    }

    @Test func whatIsNotKeptAnyMoreIsSaidToBe() throws {
        var log = EventLog()
        for _ in 0..<10 { _ = log.number(occurrences(1_000)) }
        #expect(log.events(after: 10, limit: 10) == nil)
        let first = try #require(log.kept.first?.number)
        #expect(log.events(after: first - 2, limit: 10) == nil)
        #expect(log.events(after: first - 1, limit: .max / 2)?.count == Int(10_001 - first))
        #expect(log.kept.count <= EventLog.capacity)
    }

    @Test func theLastEventOfAnAlertIsKnown() throws {
        var log = EventLog()
        _ = log.number(occurrences(2, rule: "a") + occurrences(1, rule: "b"))
        let symbol = try #require(Symbol("btcinr"))
        let key = EventLog.AlertKey(rule: "a", symbol: symbol, bound: .max)
        #expect(log.lastNumber(of: key) == 2)
        log.keepAlerts { $0.rule == "b" }
        #expect(log.lastNumber(of: key) == nil)
        #expect(log.lastNumber(of: EventLog.AlertKey(rule: "b", symbol: symbol, bound: .max)) == 3)
    }

    @Test func goesOnBehindWhatWasStored() {
        var stored = EventLog()
        let past = stored.number(occurrences(4, rule: "a"))
        var log = EventLog()
        log.restore(last: 9, Array(past.suffix(2)))
        #expect(log.lastNumber == 9)
        #expect(log.number(occurrences(1)).map(\.number) == [10])
        #expect(log.events(after: 2, limit: 9)?.map(\.number) == [3, 4, 10])
        #expect(log.events(after: 1, limit: 9) == nil)
    }

    /// What was notified while the file could not be read gets numbers behind those of the file.
    @Test func makesRoomForWhatWasFoundLater() {
        var stored = EventLog()
        let past = stored.number(occurrences(4, rule: "a"))
        var log = EventLog()
        _ = log.number(occurrences(2, rule: "b"))
        log.restore(last: 4, past, shift: NumberShift(first: 1, offset: 4))
        #expect(log.kept.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(log.kept.map(\.occurrence.rule) == ["a", "a", "a", "a", "b", "b"])
        #expect(log.lastNumber == 6)
    }
}
