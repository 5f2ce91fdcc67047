import Control
import Engine
import EventLoop
import Events
import ExchangeRates
import Foundation
import History
import Market
import Notifications
import Receivers
import Replay
import Rules
import TestSupport
import Testing
import Text
import Time

@testable import AlertDaemon
@testable import Storage

@Suite("What outlives the process", .timeLimit(.minutes(10)))
struct StateTests {
    private let folder = StateFolderForTest()

    @Test func aRestartNotifiesNothingAgainAndContinues() async throws {
        try await onLoop { [folder] in
            let (first, second) = (RecordingSink(), RecordingSink())
            _ = try replay(folder, polls: 60, sink: first)
            let begun = try replay(folder, polls: 0, sink: second, stops: false)
            #expect(second.events.isEmpty)
            #expect(second.resumed == first.numbers.last)
            #expect(begun.pipeline.events.lastNumber == first.numbers.last)
            for _ in 0..<40 { begun.step() }
            begun.pipeline.stop()
            let whole = RecordingSink()
            _ = try replay(StateFolderForTest(), polls: 100, sink: whole)
            let isSame = first.events + second.events == whole.events
            #expect(isSame)
        }
    }

    @Test func pricesOutliveTheProcess() async throws {
        try await onLoop { [folder] in
            let symbol = try #require(Symbol("btcinr"))
            let first = try SmallDaemon(folder)
            try first.poll("90 95 98")
            let samples = first.query.history.lastSamples(of: symbol, count: 10)
            #expect(try samples.map(\.price) == [Price("90"), Price("95"), Price("98")])
            first.pipeline.stop()
            let second = try SmallDaemon(folder, at: first.now.advanced(bySeconds: 10))
            #expect(second.query.history.lastSamples(of: symbol, count: 10) == samples)
            second.pipeline.stop()
        }
    }

    /// What a receiver has not accepted yet is sent after a restart, also if the state file is read later.
    @Test(arguments: [false, true]) func queuesOutliveTheProcess(isReadLate: Bool) async throws {
        try await onLoop { [folder] in
            @LoopActor func held() -> NotificationService {
                let service = NotificationService(
                    ReceiverRouting(receivers: [Receiver(name: "phone", kind: .webhook, urls: ["https://a.example/"])]),
                    NotificationEnvironment(clock: ReplayClock(SmallDaemon.start)))
                service.suspend()
                return service
            }
            let first = try SmallDaemon(folder, receivers: held())
            try first.poll("90 101")
            let queued = try #require(first.pipeline.receivers?.everything(after: .init()).added["phone"])
            #expect(queued.map(\.number) == [1])
            first.pipeline.stop()
            if isReadLate { try folder.setVersion(99) }
            let second = try SmallDaemon(folder, at: first.now.advanced(bySeconds: 10), receivers: held())
            if isReadLate {
                try folder.setVersion(UInt8(Schema.version))
                try second.poll("101 101 101")
            }
            #expect(second.pipeline.receivers?.everything(after: .init()).added["phone"]?.first == queued.first)
            second.pipeline.stop()
        }
    }

    /// A copy is read in pieces, which together are a file that can be opened.
    @Test func aCopyIsWholeInItsPieces() async throws {
        try await onLoop { [folder] in
            let daemon = try SmallDaemon(folder)
            try daemon.poll("90 101 95")
            let copy = try await StateCopy(of: daemon.pipeline.stateStore.store)
            var bytes: [UInt8] = []
            while let piece = copy.next() { bytes += try #require(Base64.bytes(of: piece)) }
            #expect(copy.isAtEnd && bytes.count == copy.size)
            #expect(bytes.starts(with: Array("SQLite format 3\u{0}".utf8)))
            #expect(copy.checksum == String(format: "%08x", CRC32C.checksum(of: bytes.span, count: bytes.count)))
            daemon.pipeline.stop()
        }
    }

    @Test func aSinkGetsWhatItMissedAndANewOneNothing() async throws {
        try await onLoop { [folder] in
            let (first, second, new) = (RecordingSink(), RecordingSink(), RecordingSink("journal"))
            first.refusesAfter = 4
            let run = try replay(folder, polls: 60, sink: first)
            let last = run.pipeline.events.lastNumber
            #expect(last > 10)
            _ = try replay(folder, polls: 0, sink: second)
            #expect(second.numbers == Array(5...last))
            _ = try replay(folder, polls: 0, sink: new)
            #expect(new.events.isEmpty && new.resumed == last)
            // What was not in use meanwhile does not get the past either.
            _ = try replay(folder, polls: 20, sink: new)
            let again = RecordingSink()
            let resumed = try replay(folder, polls: 0, sink: again)
            #expect(again.events.isEmpty && again.resumed == resumed.pipeline.events.lastNumber)
        }
    }

    /// A kill while a sink catches up repeats at most a page.
    @Test func whileASinkCatchesUpItsPositionIsSaved() async throws {
        try await onLoop { [folder] in
            let other = RecordingSink("journal")
            other.refusesAfter = 0
            let daemon = try SmallDaemon(folder, other: other)
            for _ in 0..<130 { try daemon.poll("101 99") }
            daemon.pipeline.stop()
            let copy = StateFolderForTest()
            let late = RecordingSink("journal")
            late.onEvent = { event in
                guard event.number == 250 else { return }
                try? FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            }
            try SmallDaemon(folder, other: late).pipeline.stop()
            #expect(late.numbers == Array(1...260))
            #expect(try Stored(copy).cursors["journal"] == 200)
        }
    }

    /// Without responses, nothing else would save them.
    @Test func newExchangeRatesAreSavedAtOnce() async throws {
        try await onLoop { [folder] in
            let now = ReplaySeries.time(of: 0).wall
            let rates = try #require(
                RateTable(date: now.date, source: "bank", rates: [(try required(Currency("USD")), try Price("1.25"))]))
            try SmallDaemon(folder, rates: ReferenceRates(rates, isStale: false)).pipeline.saveRates()
            let store = Store(folder: folder.path)
            _ = try store.open(at: now)
            #expect(try store.restore(events: 1).rates.latest?.rates == rates)
            store.close()
        }
    }

    @Test func rulesThatChangedMeanwhileCountAsAReload() async throws {
        try await onLoop { [folder] in
            let (first, second) = (RecordingSink(), RecordingSink())
            _ = try replay(folder, polls: 60, sink: first, seed: 1)
            _ = try replay(folder, polls: 0, sink: second, seed: 2)
            #expect(second.events.map(\.occurrence.kind) == [.rulesChanged])
            #expect(second.numbers == [(first.numbers.last ?? 0) + 1])
            #expect(second.events.first?.occurrence.text.contains("added 'swing'") == true)
        }
    }

    @Test func aDamagedFileIsSetAsideAndSaidToBe() async throws {
        try await onLoop { [folder] in
            let (first, second) = (RecordingSink(), RecordingSink())
            _ = try replay(folder, polls: 60, sink: first)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file))
            try handle.seek(toOffset: 4_096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4_096))
            try handle.close()
            let run = try replay(folder, polls: 20, sink: second, from: 60, stops: false)
            #expect(second.storeEvents == [.storeFailed, .storeRecovered])
            let text = second.events.first { $0.occurrence.kind == .storeFailed }?.occurrence.text ?? ""
            #expect(text.contains("alertd.db.corrupt-"), "\(text)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.contains { $0.hasPrefix("alertd.db.corrupt-") })
            #expect(!run.pipeline.stateStore.isDegraded)
            run.pipeline.stop()
            #expect(try Stored(folder).events.suffix(second.events.count) == second.events[...])
        }
    }

    @Test func aDamagedBlockOfPricesIsLeftOut() async throws {
        try await onLoop { [folder] in
            _ = try replay(folder, polls: 30, sink: RecordingSink())
            let store = Store(folder: folder.path)
            let now = ReplaySeries.time(of: 30).wall
            _ = try store.open(at: now)
            let bad = StoredBlock(id: 77, oldest: now, newest: now, rowCount: 1, bytes: [1, 2, 3])
            try store.commit(
                Transaction(
                    time: now,
                    sources: [SourceChanges(SourceName(unchecked: "wazirx"), history: HistoryChanges(sealed: [bad]))]))
            store.close()
        }
        try await onLoop { [folder] in
            let sink = RecordingSink()
            let run = try replay(folder, polls: 3, sink: sink)
            #expect(sink.storeEvents.isEmpty)
            #expect(run.pipeline.first.history.pollCount == 33)
            #expect(try Stored(folder).rows == 33)
        }
    }

    @Test func aFileThatIsRemovedIsMadeAgain() async throws {
        try await onLoop { [folder] in
            let sink = RecordingSink()
            let run = try replay(folder, polls: 60, sink: sink, stops: false)
            for ending in ["", "-wal", "-shm"] { unsafe unlink(folder.file + ending) }
            for _ in 0..<10 { run.step() }
            #expect(sink.storeEvents == [.storeFailed, .storeRecovered])
            run.pipeline.stop()
            let stored = try Stored(folder)
            let isWhole = stored.events == sink.events && stored.rows == run.pipeline.first.history.pollCount
            #expect(isWhole)
            #expect(sink.numbers == Array(1...Int64(sink.events.count)))
        }
    }

    /// A file of a later version is not touched; when it can be read again, what was notified meanwhile comes behind
    /// it.
    @Test func aFileThatCannotBeReadAtTheStartIsLeftAloneUntilItCan() async throws {
        try await onLoop { [folder] in
            let (first, second) = (RecordingSink(), RecordingSink())
            let before = try replay(folder, polls: 60, sink: first)
            let last = before.pipeline.events.lastNumber
            try folder.setVersion(99)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
            let run = try replay(folder, polls: 30, sink: second, from: 60, stops: false)
            #expect(run.pipeline.stateStore.isDegraded)
            #expect(run.pipeline.stateStore.trouble?.error.kind == .otherSchema)
            #expect(second.storeEvents == [.storeFailed])
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == bytes)
            #expect(second.numbers == Array(1...Int64(second.events.count)))
            try folder.setVersion(UInt8(Schema.version))
            let notified = second.events.count
            for _ in 0..<10 { run.step() }
            #expect(second.storeEvents == [.storeFailed, .storeRecovered])
            #expect(second.numbers.dropFirst(notified).first == last + Int64(notified) + 1)
            run.pipeline.stop()
            let stored = try Stored(folder)
            #expect(stored.events.map(\.number) == Array(1...(last + Int64(second.events.count))))
            let areFirst = Array(stored.events.prefix(Int(last))) == first.events
            #expect(areFirst)
            #expect(stored.cursors["stdout"] == stored.events.last?.number)
        }
    }

    /// The file of another daemon takes the place of this one's: its numbers are not used again, but its prices and
    /// limits are about what the other one watched.
    @Test func theFileOfAnotherDaemonBringsNeitherPricesNorLimits() async throws {
        try await onLoop { [folder] in
            let symbol = try #require(Symbol("btcinr"))
            let place = StateFolderForTest()
            let other = try SmallDaemon(place)
            try other.poll("101 90 101 90")
            let limit = LimitOverride(
                rule: "band", source: other.pipeline.first.name, symbol: symbol, bound: .max, limit: try Price("300"),
                currency: nil, author: SmallDaemon.anna, since: other.now.wall)
            other.pipeline.change(overrides: [limit], notes: [])
            other.pipeline.stop()
            let last = other.pipeline.events.lastNumber
            let own = try SmallDaemon(folder, at: other.now)
            try own.poll("50 101")
            for ending in ["", "-wal", "-shm"] { unsafe unlink(folder.file + ending) }
            try FileManager.default.copyItem(atPath: place.file, toPath: folder.file)
            try own.poll("90 102 103 90 104")
            #expect(!own.pipeline.stateStore.isDegraded)
            let prices = own.query.history.lastSamples(of: symbol, count: 20).map(\.price.description)
            #expect(prices == ["50", "101", "90", "102", "103", "90", "104"])
            #expect(own.pipeline.overrides.isEmpty)
            // A client that resumes after any of them gets the others.
            #expect(own.pipeline.events.kept.map(\.number) == Array(1...own.pipeline.events.lastNumber))
            own.pipeline.stop()
            let stored = try Stored(folder).events
            #expect(stored.map(\.number) == Array(1...own.pipeline.events.lastNumber))
            #expect(stored.prefix(Int(last)).map(\.occurrence) == other.sink.events.map(\.occurrence))
        }
    }

    @Test func pricesThatAreReadLateComeBeforeThoseOfTheMeantime() async throws {
        try await onLoop { [folder] in
            let symbol = try #require(Symbol("btcinr"))
            let first = try SmallDaemon(folder)
            try first.poll("90 95")
            first.pipeline.stop()
            try folder.setVersion(99)
            let second = try SmallDaemon(folder, at: first.now.advanced(bySeconds: 10))
            try second.poll("97")
            #expect(second.pipeline.stateStore.isDegraded)
            try folder.setVersion(UInt8(Schema.version))
            try second.poll("98 99 98 99")
            #expect(!second.pipeline.stateStore.isDegraded)
            let prices = second.query.history.lastSamples(of: symbol, count: 10).map(\.price.description)
            #expect(prices == ["90", "95", "97", "98", "99", "98", "99"])
            second.pipeline.stop()
        }
    }

    @Test func theStateOfACheckThatIsNoLongerInTheSettingsIsForgotten() async throws {
        try await onLoop { [folder] in
            let check = StoredCheck(name: "c", meaning: "m", encodedState: "together since=1@1 last=1@1")
            @LoopActor func stored() throws -> [StoredCheck] {
                let store = Store(folder: folder.path)
                _ = try store.open(at: SmallDaemon.start.wall)
                defer { store.close() }
                return try store.restore(events: 1).checks
            }
            let first = try SmallDaemon(folder)
            var changes = Transaction(time: first.now.wall)
            changes.checks = [check]
            first.pipeline.stateStore.commit(changes, at: first.now)
            try first.poll("90")
            first.pipeline.stop()
            #expect(try stored() == [check])
            let second = try SmallDaemon(folder, at: first.now.advanced(bySeconds: 10))
            try second.poll("91")
            second.pipeline.stop()
            #expect(try stored() == [])
        }
    }

    @Test func aFolderThatCannotBeMadeIsTriedAgain() async throws {
        try await onLoop { [folder] in
            // A file where the folder should be.
            _ = FileManager.default.createFile(atPath: folder.path, contents: Data())
            let sink = RecordingSink()
            let run = try replay(folder, polls: 10, sink: sink, stops: false)
            #expect(run.pipeline.stateStore.isDegraded)
            #expect(!sink.occurrences.isEmpty, "alerts are notified anyway")
            unsafe unlink(folder.path)
            for _ in 0..<2 { run.step() }
            #expect(sink.storeEvents == [.storeFailed, .storeRecovered], "\(run.pipeline.stateStore.trouble as Any)")
            run.pipeline.stop()
            let isWhole = try Stored(folder).events == sink.events
            #expect(isWhole)
        }
    }

    @Test func aSecondDaemonIsRefused() async throws {
        try await onLoop { [folder] in
            let first = try replay(folder, polls: 3, sink: RecordingSink(), stops: false)
            #expect(throws: StorageError.self) { try replay(folder, polls: 0, sink: RecordingSink()) }
            first.pipeline.stop()
        }
    }

    @Test func whatIsTooMuchToWaitIsSaidToBeLost() {
        var announcer = StoreAnnouncer()
        let now = ReplaySeries.time(of: 0)
        let error = StorageError(.full, path: "/x", message: "disk is full")
        #expect(announcer.next(error, since: now, at: now)?.kind == .storeFailed)
        #expect(announcer.next(error, since: now, at: now) == nil)
        (announcer.savedCount, announcer.lostCount) = (16_384, 5)
        let end = announcer.next(nil, since: nil, at: ReplaySeries.time(of: 2))
        #expect(
            end?.text
                == "state is saved again after 1m, including 16384 events from that time; 5 more were lost")
        #expect(announcer.next(nil, since: nil, at: now) == nil)
    }

    /// All events come, in order and each once, from wherever they are kept.
    @Test func eventsAreFoundWhereverTheyAre() async throws {
        try await onLoop { [folder] in
            _ = try replay(folder, polls: 200, sink: RecordingSink())
            let run = try replay(folder, polls: 20, sink: RecordingSink(), stops: false)
            let last = run.pipeline.events.lastNumber
            var (position, numbers) = (Int64(0), [Int64]())
            while position < last {
                let (missed, events) = run.pipeline.events(after: position, limit: 7)
                #expect(missed == 0)
                numbers += events.map(\.number)
                position = events.last?.number ?? last
            }
            #expect(numbers == Array(1...last))
            run.pipeline.stop()
        }
    }

    /// Events are deleted when they are old, and then there may be none.
    @Test func deletedEventsAreMissedEvenIfNoneIsLeft() async throws {
        try await onLoop { [folder] in
            let last = try replay(folder, polls: 60, sink: RecordingSink()).pipeline.events.lastNumber
            try TamperingTests.run("DELETE FROM event", folder.file)
            let run = try replay(folder, polls: 0, sink: RecordingSink(), stops: false)
            let (missed, events) = run.pipeline.events(after: last - 3, limit: 7)
            #expect(missed == 3 && events.isEmpty)
            #expect(run.pipeline.events(after: last, limit: 7).missed == 0)
            // A file that cannot be read may have them.
            run.pipeline.stop()
            let (unknown, none) = run.pipeline.events(after: last - 3, limit: 7)
            #expect(unknown == 0 && none.isEmpty)
        }
    }
}
