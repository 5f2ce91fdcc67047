import Control
import Engine
import EventLoop
import Events
import Foundation
import Market
import TestSupport
import Testing
import Time

@testable import AlertDaemon
@testable import Storage

@Suite("Silences in the pipeline", .timeLimit(.minutes(10)))
struct SilenceTests {
    private let folder = StateFolderForTest()

    /// None of the daemons is stopped: each is as one that was killed.
    @Test func aSilenceOutlivesAKillAndItsEndIsNotifiedOnce() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            try first.poll("99")
            try first.silence(150)
            first.pipeline.stateStore.close()
            #expect(try Stored(folder).silences == first.pipeline.silences, "it is saved before it is answered")

            let second = try SmallDaemon(folder, at: first.now)
            #expect(second.pipeline.silences == first.pipeline.silences)
            try second.poll("101 101 101")
            #expect(second.story == ["fired:silenced:suppressed:1"])
            second.pipeline.stateStore.close()

            let third = try SmallDaemon(folder, at: second.now)
            try third.poll("101 101 101")
            #expect(third.story == ["fired:silenced"])
            #expect(third.pipeline.silences[1]?.isActive == false)
            third.pipeline.stateStore.close()
            let stored = try Stored(folder)
            #expect(stored.silences[1]?.ended != nil && stored.silences[1]?.endedBy == nil)
            #expect(stored.events.map(\.occurrence.silence) == [1, nil])

            let fourth = try SmallDaemon(folder, at: third.now)
            try fourth.poll("101 101")
            #expect(fourth.story == [])
            fourth.pipeline.stop()
        }
    }

    /// Whatever the time zone of the machine is: the hours end an hour from now, or ended an hour ago.
    @Test func oneThatComesBackHoldsInItsHours() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            try first.poll("99")
            let minute = Int(localMinutes(first.pipeline.clock.now().wall) % 1_440)
            let text = { (minute: Int) in
                [minute / 60 % 24, minute % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
            }
            let hours = { (from: Int, to: Int) in
                try #require(SilenceHours("\(text(minute + 1_440 + from))-\(text(minute + 1_440 + to))"))
            }
            let user = UserIdentity(id: 0, name: "root")
            for (from, to) in [(-120, -60), (60, 120)] {
                let other = SilenceRequest(
                    symbols: SymbolPattern("*"), length: .lasting(SilenceList.longest), daily: try hours(from, to))
                _ = try first.pipeline.addSilence(other, by: user)
            }
            try first.poll("101 99")
            #expect(first.story == ["fired", "resolved"])
            let daily = SilenceRequest(
                symbols: SymbolPattern("*"), length: .lasting(SilenceList.longest), daily: try hours(-60, 60))
            #expect(try first.pipeline.addSilence(daily, by: user).number == 3)
            try first.poll("101")
            #expect(first.story.last == "fired:silenced:suppressed:3")
            first.pipeline.stateStore.close()
            let second = try SmallDaemon(folder, at: first.now)
            #expect(second.pipeline.silences == first.pipeline.silences)
            try second.poll("101")
            #expect(second.story == [])
            second.pipeline.stop()
        }
    }

    /// It is there before anything is evaluated: the rule went while the daemon was down.
    @Test func itHoldsFromTheFirstMoment() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            try first.poll("99 101")
            try first.silence(3_600)
            first.pipeline.stateStore.close()
            let second = try SmallDaemon(folder, rules: [], at: first.now)
            #expect(second.story == ["resolved:rule_removed:suppressed:1", "rules_changed"])
            second.pipeline.stop()
        }
    }

    @Test func itGoesOnOverABoot() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            try first.poll("99")
            try first.silence(300)
            first.pipeline.stateStore.close()
            // A minute later, on a clock that starts from zero.
            let time = Instant(
                boot: BootTime(milliseconds: 9_000), wall: WallTime(milliseconds: first.now.wall.milliseconds + 60_000))
            let second = try SmallDaemon(folder, at: time, boot: "other")
            try second.poll("101")
            second.pipeline.stateStore.close()
            // Once more on that boot: what was stored is of its clock.
            let third = try SmallDaemon(folder, at: second.now, boot: "other")
            try third.poll("101 101 101 101 101 101")
            #expect(third.pipeline.silences[1]?.isActive == true)
            try third.poll("101")
            #expect(second.story + third.story == ["fired:silenced:suppressed:1", "fired:silenced"])
            third.pipeline.stop()
        }
    }

    @Test func endedByHandItIsNotifiedWithTheNextPrice() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            try daemon.poll("99")
            try daemon.silence(3_600)
            try daemon.poll("101")
            let root = UserIdentity(id: 0, name: "root")
            let ended = try daemon.pipeline.expireSilences([1], by: root)
            #expect(ended.map(\.endedBy) == [root])
            #expect(throws: SilenceRefusal.self) { try daemon.pipeline.expireSilences([1], by: root) }
            try daemon.poll("101 101")
            #expect(daemon.story == ["fired:silenced:suppressed:1", "fired:silenced"])
            #expect(try daemon.pipeline.expireSilences(nil, by: root).isEmpty)
            daemon.pipeline.stop()
            #expect(try Stored(folder).silences[1]?.endedBy == root)
        }
    }

    @Test func whatIsSilencedIsSeenToBe() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder, rules: [try SmallDaemon.rule(), try SmallDaemon.rule("other")])
            try daemon.poll("99")
            try daemon.silence(60)
            let long = try daemon.silence(600)
            _ = try daemon.pipeline.addSilence(
                SilenceRequest(rule: "nobody", length: .until(long.ends)), by: SmallDaemon.anna)
            let alert = try #require(try await daemon.query.allAlerts().first)
            #expect(alert.silence == 2 && alert.silenceEnds == long.ends.description)
            var slices = WorkSlices()
            let states = try await daemon.query.states(&slices, of: daemon.pipeline.silences.records)
            #expect(states.map(\.alerts) == [2, 2, 0])
            #expect(states.map(\.state) == [.active, .active, .active])
            #expect(states.map(\.until) == [false, false, true])
            #expect(daemon.query.hint(on: states[0]) == nil)
            #expect(daemon.query.hint(on: states[2]) == "there is no rule 'nobody' now")
            var mistyped = states[0]
            (mistyped.alerts, mistyped.symbol) = (0, "btc")
            #expect(
                daemon.query.hint(on: mistyped)
                    == "the silence matches no alerts now: there is no symbol 'btc'; did you mean btcinr?")
            mistyped.symbol = "btc*"
            #expect(daemon.query.hint(on: mistyped) == "the silence matches no alerts now")
            try daemon.poll("99 99")
            let last = try await daemon.query.states(&slices, of: daemon.pipeline.silences.records)
            #expect(last.map(\.state).first == .expired)
            daemon.pipeline.stop()
        }
    }

    // MARK: When it cannot be saved

    @Test func whileNothingCanBeSavedItHoldsAllTheSameAndIsSavedLater() async throws {
        try await onLoop { [folder] in
            // A file where the folder should be.
            _ = FileManager.default.createFile(atPath: folder.path, contents: Data())
            let daemon = try SmallDaemon(folder)
            try daemon.poll("99")
            try daemon.silence(600)
            #expect(daemon.pipeline.stateStore.isDegraded)
            try daemon.poll("101")
            #expect(daemon.story == ["fired:silenced:suppressed:1"])
            unsafe unlink(folder.path)
            try daemon.poll("101")
            #expect(!daemon.pipeline.stateStore.isDegraded)
            daemon.pipeline.stateStore.close()
            #expect(try Stored(folder).silences == daemon.pipeline.silences)
        }
    }

    /// Those that were begun before the file could be read come behind its own, and events name them so.
    @Test func thoseOfAFileThatIsReadLaterComeFirst() async throws {
        try await onLoop { [folder] in
            let first = try SmallDaemon(folder)
            try first.poll("99")
            for _ in 1...2 { try first.silence(6_000, "eth*") }
            first.pipeline.stop()
            try folder.setVersion(99)
            let second = try SmallDaemon(folder, at: first.now)
            try second.poll("99")
            #expect(try second.silence(6_000).number == 1)
            try second.poll("101")
            try folder.setVersion(UInt8(Schema.version))
            try second.poll("101")
            #expect(second.pipeline.silences.records.map(\.number) == [1, 2, 3])
            #expect(second.pipeline.silences[3]?.silence.symbols?.text == "*")
            #expect(second.pipeline.first.engine.silences.count == 3)
            second.pipeline.stop()
            let fired = try Stored(folder).events.map(\.occurrence).first { $0.kind == .fired }
            #expect(fired?.silence == 3)
        }
    }
}

@Suite("Acknowledged and armed", .timeLimit(.minutes(10)))
struct AcknowledgeTests {
    private let folder = StateFolderForTest()

    @Test func anAcknowledgementOutlivesAKill() async throws {
        try await onLoop { [folder] in
            let rule = try SmallDaemon.rule(repeatAfter: .seconds(30))
            let first = try SmallDaemon(folder, rules: [rule])
            try first.poll("99 101 101")
            #expect(first.story == ["fired", "repeated"])
            let now = first.now.wall
            let count = first.pipeline.acknowledge(
                AlertTarget(rule: "band"), Acknowledgement(by: SmallDaemon.anna, at: now))
            #expect(count == 1)
            first.pipeline.stateStore.close()
            let second = try SmallDaemon(folder, rules: [rule], at: first.now)
            try second.poll("101 101")
            #expect(second.story == [])
            let alert = try #require(try await second.query.allAlerts().first)
            #expect(alert.acknowledgedBy == "anna" && alert.acknowledged == now.description)
            try second.poll("99 101 101")
            #expect(second.story == ["resolved", "fired", "repeated"])
            #expect(try await second.query.allAlerts().first?.acknowledgedBy == nil)
            second.pipeline.stop()
        }
    }

    @Test func whatWasArmedStaysArmedAfterAKill() async throws {
        try await onLoop { [folder] in
            let rule = try SmallDaemon.rule(once: true)
            let first = try SmallDaemon(folder, rules: [rule])
            try first.poll("99 101 99 101")
            #expect(first.story == ["fired", "resolved", "fired:disarmed:suppressed"])
            #expect(try await first.query.allAlerts().first?.disarmed == true)
            first.pipeline.arm(AlertTarget(rule: "band"))
            first.pipeline.stateStore.close()
            let second = try SmallDaemon(folder, rules: [rule], at: first.now)
            #expect(try await second.query.allAlerts().first?.disarmed == false)
            try second.poll("101 99")
            #expect(second.story == ["fired:disarmed", "resolved"])
            second.pipeline.stop()
        }
    }

    /// Which firing an event belongs to is known by the numbers alone, whatever the clocks say.
    @Test func theEndOfAFiringIsFound() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            try daemon.poll("99 101 99 101")
            let target = AlertTarget(rule: "band", symbol: Symbol("btcinr"), bound: .max)
            #expect(await daemon.query.end(of: target, after: 1)?.number == 2)
            #expect(await daemon.query.end(of: target, after: 3) == nil)
            let other = AlertTarget(rule: "band", symbol: Symbol("btcinr"), bound: .min)
            #expect(await daemon.query.end(of: other, after: 1) == nil)
            daemon.pipeline.stop()
        }
    }
}
