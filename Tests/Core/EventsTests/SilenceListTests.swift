import Market
import TestSupport
import Testing
import Time

@testable import Events

@Suite("The list of silences")
struct SilenceListTests {
    private let anna = UserIdentity(id: 1_000, name: "anna")
    private let start = Instant.testStart

    private func request(_ length: SilenceLength, _ pattern: String? = "btc*") -> SilenceRequest {
        SilenceRequest(symbols: pattern.flatMap(SymbolPattern.init), length: length, comment: "why")
    }

    private func later(_ text: String) throws -> Instant {
        start.advanced(bySeconds: try required(Milliseconds(text)).count / 1_000)
    }

    /// A moment at which the wall clock is off by so much.
    private func later(_ text: String, wall offset: String) throws -> Instant {
        let time = try later(text)
        let isBack = offset.hasPrefix("-")
        let length = try required(Milliseconds(isBack ? String(offset.dropFirst()) : offset)).count
        return Instant(
            boot: time.boot, wall: WallTime(milliseconds: time.wall.milliseconds + (isBack ? -length : length)))
    }

    @Test func aSilenceHasAllThatIsToBeKnown() throws {
        var list = SilenceList()
        let record = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        #expect(record.number == 1 && list[1] == record && list.lastNumber == 1)
        #expect(record.creator == anna && record.comment == "why" && record.created == start.wall)
        #expect(record.ends == (try later("2h").wall) && record.isActive)
        #expect(list.inForce(at: start) == [record.silence])
    }

    @Test func numbersAreNeverUsedTwice() throws {
        var list = SilenceList()
        for number in 1...3 as ClosedRange<Int64> {
            #expect(try list.add(request(.lasting(.seconds(60))), by: anna, at: start).number == number)
        }
        let isChanged = list.update(at: try later("31d"))
        #expect(isChanged && list.records.isEmpty)
        #expect(try list.add(request(.lasting(.seconds(60))), by: anna, at: start).number == 4)
    }

    // MARK: Refusals

    @Test func whatMakesNoSenseIsRefused() throws {
        var list = SilenceList()
        let long = WallTime(milliseconds: start.wall.milliseconds + SilenceList.longest.count + 1)
        let requests: [(SilenceRequest, SilenceRefusal)] = [
            (request(.lasting(.seconds(1)), nil), .matchesEverything),
            (request(.lasting(.zero)), .noTime), (request(.lasting(Milliseconds(-1))), .noTime),
            (request(.until(start.wall)), .noTime), (request(.until(WallTime(milliseconds: .min))), .noTime),
            (request(.lasting(Milliseconds(SilenceList.longest.count + 1))), .tooLong),
            (request(.until(long)), .tooLong), (request(.until(WallTime(milliseconds: .max))), .tooLong),
            (request(.lasting(Milliseconds(.max))), .tooLong),
        ]
        for (request, refusal) in requests {
            #expect(throws: refusal) { try list.add(request, by: anna, at: start) }
        }
        #expect(list == SilenceList())
    }

    @Test(
        arguments: [
            "a\nb", "\u{1B}[2J", "a\u{0}", "\u{202E}gnihton", "\u{2028}", "", String(repeating: "x", count: 1_001),
        ])
    func textsThatWouldDoHarmAreRefused(text: String) throws {
        var list = SilenceList()
        var asked = request(.lasting(.seconds(1)))
        asked.comment = text
        #expect(throws: SilenceRefusal.badText) { try list.add(asked, by: anna, at: start) }
        asked.comment = nil
        asked.rule = text
        #expect(throws: SilenceRefusal.badText) { try list.add(asked, by: anna, at: start) }
        asked.rule = "früh ‘n’ spät 🪙"
        _ = try list.add(asked, by: anna, at: start)
    }

    @Test func thereIsALimitToHowManyAreInForce() throws {
        var list = SilenceList()
        for _ in 0..<SilenceList.limit { _ = try list.add(request(.lasting(.seconds(60))), by: anna, at: start) }
        #expect(throws: SilenceRefusal.tooMany) { try list.add(request(.lasting(.seconds(60))), by: anna, at: start) }
        _ = try list.expire([7], by: anna, at: start)
        _ = try list.add(request(.lasting(.seconds(60))), by: anna, at: start)
    }

    @Test func thoseThatAreOverAreKeptForAWhileAndNotTooManyOfThem() throws {
        var list = SilenceList()
        for _ in 0..<2 {
            for _ in 0..<SilenceList.limit { _ = try list.add(request(.lasting(.seconds(60))), by: anna, at: start) }
            _ = list.update(at: try later("1m"))
        }
        #expect(list.records.map(\.number) == Array(1_001...2_000))
        #expect(list.records.allSatisfy { $0.ended == $0.ends && $0.endedBy == nil })
        _ = list.update(at: try later("30d"))
        #expect(list.records.count == 1_000)
        _ = list.update(at: try later("30d2m"))
        #expect(list.records.isEmpty)
    }

    // MARK: Its end

    @Test func endsOneThatIsNotInForceOnlyOnce() throws {
        var list = SilenceList()
        for _ in 1...3 { _ = try list.add(request(.lasting(.seconds(60))), by: anna, at: start) }
        let time = try later("30s")
        let root = UserIdentity(id: 0, name: "root")
        let ended = try list.expire([1, 3], by: root, at: time)
        #expect(ended.map(\.number) == [1, 3] && ended.allSatisfy { $0.ended == time.wall && $0.endedBy == root })
        #expect(list.inForce(at: time).map(\.number) == [2])
        let before = list
        #expect(throws: SilenceRefusal.over(ended[1])) { try list.expire([2, 3], by: root, at: time) }
        #expect(throws: SilenceRefusal.unknown(9)) { try list.expire([2, 9], by: root, at: time) }
        #expect(list == before, "all or nothing")
    }

    /// A length of time is a length of time, whatever happens to the clock on the wall.
    @Test(arguments: ["1h", "-1h", "100d", "-100d"]) func aLengthIsNotChangedByTheWallClock(offset: String) throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        let stepped = try later("119m", wall: offset)
        let isChanged = list.update(at: stepped)
        #expect(isChanged && list[1]?.isActive == true)
        #expect(list[1]?.ends == stepped.advanced(bySeconds: 60).wall, "what people read follows the clock")
        _ = list.update(at: try later("2h", wall: offset))
        #expect(list[1]?.isActive == false)
    }

    /// A time of day is a time of day, whatever the clock was when it was asked for.
    @Test func aTimeOfDayFollowsTheWallClock() throws {
        var list = SilenceList()
        let end = try later("2h").wall
        _ = try list.add(request(.until(end)), by: anna, at: start)
        _ = list.update(at: try later("2h", wall: "-1h"))
        #expect(list[1]?.isActive == true && list[1]?.ends == end)
        _ = list.update(at: try later("1h", wall: "1h"))
        #expect(list[1]?.ended == end)
    }

    @Test func whatIsOverDoesNotComeBackWhenTheClockIsSetBack() throws {
        var list = SilenceList()
        _ = try list.add(request(.until(try later("2h").wall)), by: anna, at: start)
        _ = list.update(at: try later("2h"))
        let back = try later("2h1m", wall: "-1h")
        _ = list.update(at: back)
        #expect(list[1]?.isActive == false && list.inForce(at: back).isEmpty)
    }

    /// The clocks of a machine drift: that alone is not worth writing.
    @Test func aSmallDriftChangesNothing() throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        let isChanged = list.update(at: try later("1h", wall: "50s"))
        #expect(!isChanged)
    }

    // MARK: Restart and boot

    private func reboot(after length: String, wall offset: String = "0s") throws -> Instant {
        Instant(boot: BootTime(milliseconds: 5_000), wall: try later(length, wall: offset).wall)
    }

    @Test func goesOnOverABoot() throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        _ = try list.add(request(.until(try later("3h").wall)), by: anna, at: start)
        let now = try reboot(after: "30m")
        var restored = list.restored(at: now, isSameBoot: false)
        _ = restored.update(at: now.advanced(bySeconds: 90 * 60 - 1))
        #expect(restored.records.map(\.isActive) == [true, true])
        #expect(restored.records.map(\.ends) == list.records.map(\.ends))
        _ = restored.update(at: now.advanced(bySeconds: 90 * 60))
        #expect(restored.records.map(\.isActive) == [false, true])
        _ = restored.update(at: now.advanced(bySeconds: 150 * 60))
        #expect(restored.records.map(\.isActive) == [false, false])
    }

    @Test func isOverWhenItEndedWhileTheMachineWasOff() throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        let now = try reboot(after: "5h")
        var restored = list.restored(at: now, isSameBoot: false)
        _ = restored.update(at: now)
        #expect(restored[1]?.ended == (try later("2h").wall))
    }

    /// A machine without a clock of its own begins in the past: the silence lasts no longer than was asked for.
    @Test func lastsNoLongerThanAskedAfterABootIntoThePast() throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        let now = try reboot(after: "30m", wall: "-1000d")
        var restored = list.restored(at: now, isSameBoot: false)
        _ = restored.update(at: now.advanced(bySeconds: 7_199))
        #expect(restored[1]?.isActive == true)
        _ = restored.update(at: now.advanced(bySeconds: 7_200))
        #expect(restored[1]?.isActive == false)
    }

    @Test func goesOnAsItWasOverARestartOnTheSameBoot() throws {
        var list = SilenceList()
        _ = try list.add(request(.lasting(.seconds(7_200))), by: anna, at: start)
        #expect(list.restored(at: try later("1h", wall: "-5h"), isSameBoot: true) == list)
    }

    /// The numbers of a damaged file do not overflow anything.
    @Test(arguments: [Int64.min, -1, 0, .max]) func damagedTimesDoNoHarm(number: Int64) {
        let time = WallTime(milliseconds: number)
        for end in [SilenceEnd.at(time), .after(BootTime(milliseconds: number))] {
            let silence = Silence(number: 1, severity: .info, end: end)
            let list = SilenceList(records: [
                SilenceRecord(silence: silence, created: time, ends: time, creator: anna)
            ])
            for isSameBoot in [false, true] {
                var restored = list.restored(at: start, isSameBoot: isSameBoot)
                _ = restored.update(at: start)
                #expect(restored.records.count <= 1)
            }
        }
    }

    @Test func thoseOfAFileThatIsReadLaterComeFirst() throws {
        var stored = SilenceList()
        for _ in 1...2 { _ = try stored.add(request(.lasting(.seconds(60))), by: anna, at: start) }
        var own = SilenceList()
        _ = try own.add(request(.lasting(.seconds(60)), "eth*"), by: anna, at: start)
        let offset = stored.append(own)
        #expect(offset == 2 && stored.lastNumber == 3)
        #expect(stored[3]?.silence.symbols?.text == "eth*")
    }

    // MARK: Which one is named

    @Test func theOneThatLastsLongestIsNamed() throws {
        var list = SilenceList()
        for minutes in [2, 9, 4] as [Int64] {
            _ = try list.add(request(.lasting(.seconds(minutes * 60))), by: anna, at: start)
        }
        #expect(list.inForce(at: start).map(\.number) == [2, 3, 1])
    }
}

@Suite("Users")
struct UserIdentityTests {
    @Test(arguments: ["anna", "DOMAIN\\anna", "anna@example.org", "x"]) func namesAreKept(name: String) {
        let user = UserIdentity(id: 1_000, name: name)
        #expect(user.name == name && "\(user)" == name)
        #expect(UserIdentity(encoded: user.encoded) == user)
    }

    @Test(arguments: ["", "an na", "an\nna", "a:b", "\u{1B}[2J", "ännä", String(repeating: "x", count: 65)])
    func namesThatCouldDoHarmAreNot(name: String) {
        let user = UserIdentity(id: 1_000, name: name)
        #expect(user.name == nil && "\(user)" == "uid 1000")
        #expect(UserIdentity(encoded: user.encoded) == user)
    }

    @Test(arguments: ["", ":", "1000", "x:anna", "-1:anna", "4294967296:anna", "1000:an na"])
    func aDamagedMemoryIsNone(text: String) {
        #expect(UserIdentity(encoded: text) == nil)
        #expect(Acknowledgement(encoded: "1:\(text)") == nil)
    }
}
