import Configuration
import EventLoop
import Events
import Foundation
import Market
import PriceSources
import Storage
import TestSupport
import Testing
import Time

@testable import AlertDaemon

private struct Noon: TimeSource {
    func now() -> Instant {
        Instant(boot: BootTime(milliseconds: 1_000), wall: WallTime(milliseconds: 1_795_176_000_000))
    }
}

/// Ten events in the store, two that it lacks.
@LoopActor
private final class Scene {
    private let folder = NSTemporaryDirectory() + "alertd-\(UUID().uuidString.prefix(8))"
    let pipeline: Pipeline

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let stateStore = StateStore(Store(folder: folder), bootID: "b", now: Noon().now())
        pipeline = Pipeline(Settings(), sinks: [], isSimulated: false, stateStore: stateStore, clock: Noon())
        try pipeline.start()
        pipeline.commit((1...10).map(Self.occurrence))
        #expect(stateStore.unsaved.isEmpty)
        let waiting = (11...12).map { Event(number: Int64($0), occurrence: Self.occurrence($0)) }
        stateStore.stage(Transaction(time: Noon().now().wall, events: waiting))
    }

    isolated deinit {
        pipeline.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A number of seconds after a time shortly before the present.
    static func time(_ seconds: Int) -> WallTime {
        WallTime(milliseconds: 1_795_175_000_000 + Int64(seconds) * 1_000)
    }

    static func occurrence(_ number: Int) -> Occurrence {
        Occurrence(
            time: time(number), kind: number % 2 == 0 ? .fired : .resolved,
            rule: number % 3 == 0 ? "three" : nil, symbol: Symbol(number < 6 ? "btcinr" : "ethinr"),
            severity: number == 11 ? .critical : .info, text: "\(number)")
    }

    func numbers(_ query: EventQuery, limit: Int = 100) async -> [Int] {
        let found = await PipelineQuery(pipeline).events(query, limit: limit)
        return found.events.map { Int($0.number) } + (found.more ? [0] : [])
    }
}

/// The last number is 0 where there are more.
@Suite("Events that are asked for", .timeLimit(.minutes(10)))
struct EventFinderTests {
    @Test func thoseOfTheStoreAndThoseThatItLacks() async throws {
        try await onLoop {
            let scene = try Scene()
            #expect(await scene.numbers(EventQuery()) == Array(1...12))
            #expect(await scene.numbers(EventQuery(newestFirst: true)) == (1...12).reversed())
            #expect(await scene.numbers(EventQuery(), limit: 11) == Array(1...11) + [0])
            #expect(await scene.numbers(EventQuery(), limit: 3) == [1, 2, 3, 0])
            #expect(await scene.numbers(EventQuery(newestFirst: true), limit: 3) == [12, 11, 10, 0])
            #expect(await scene.numbers(EventQuery(newestFirst: true), limit: 1) == [12, 0])
            #expect(await scene.numbers(EventQuery(after: 10), limit: 2) == [11, 12])
            #expect(await scene.numbers(EventQuery(before: 2, newestFirst: true)) == [1])
            #expect(await scene.numbers(EventQuery(), limit: 0) == [0])
            #expect(await scene.numbers(EventQuery(after: 12)) == [])
        }
    }

    @Test func filters() async throws {
        try await onLoop {
            let scene = try Scene()
            let inMemory = EventQuery(
                since: Scene.time(9), until: Scene.time(12), kind: .resolved)
            #expect(await scene.numbers(inMemory) == [9, 11])
            #expect(await scene.numbers(EventQuery(rule: "three")) == [3, 6, 9, 12])
            #expect(await scene.numbers(EventQuery(symbol: SymbolPattern("eth*"), newestFirst: true)).first == 12)
            #expect(await scene.numbers(EventQuery(symbol: SymbolPattern("btc*"))) == [1, 2, 3, 4, 5])
            #expect(await scene.numbers(EventQuery(severity: .critical)) == [11])
        }
    }

    /// A window includes its beginning and not its end, in the store and in memory.
    @Test(
        arguments: [
            (9, nil, [9, 10, 11, 12]), (nil, 3, [1, 2]), (10, 12, [10, 11]), (11, 12, [11]), (12, nil, [12]),
            (12, 12, []), (13, nil, []), (5, 6, [5]),
        ] as [(Int?, Int?, [Int])])
    func windows(since: Int?, until: Int?, numbers: [Int]) async throws {
        try await onLoop {
            let scene = try Scene()
            var query = EventQuery(since: since.map(Scene.time), until: until.map(Scene.time))
            #expect(await scene.numbers(query) == numbers)
            query.newestFirst = true
            #expect(await scene.numbers(query) == numbers.reversed())
        }
    }

    /// Each filter excludes on its own, in the store and in memory.
    @Test(
        arguments: [
            (EventQuery(rule: "three", kind: .fired), [6, 12]),
            (EventQuery(rule: "three", symbol: SymbolPattern("eth*")), [6, 9, 12]),
            (EventQuery(symbol: SymbolPattern("eth*"), kind: .resolved), [7, 9, 11]),
            (EventQuery(kind: .resolved, severity: .critical), [11]),
            (EventQuery(kind: .fired, severity: .critical), []), (EventQuery(rule: "thr"), []),
            (EventQuery(after: 9, kind: .fired), [10, 12]), (EventQuery(after: 11, before: 12), []),
            (EventQuery(after: 10, before: 12), [11]), (EventQuery(after: 8, before: 11, rule: "three"), [9]),
        ] as [(EventQuery, [Int])])
    func filtersTogether(query: EventQuery, numbers: [Int]) async throws {
        try await onLoop {
            let scene = try Scene()
            var query = query
            #expect(await scene.numbers(query) == numbers)
            query.newestFirst = true
            #expect(await scene.numbers(query) == numbers.reversed())
            scene.pipeline.stateStore.store.close()
            #expect(await scene.numbers(query) == numbers.reversed().filter { $0 <= 10 }, "only those in memory")
        }
    }

    @Test func whileTheStoreIsClosedThoseInMemory() async throws {
        try await onLoop {
            let scene = try Scene()
            scene.pipeline.stateStore.store.close()
            #expect(await scene.numbers(EventQuery(rule: "three", newestFirst: true)) == [9, 6, 3])
            #expect(await scene.numbers(EventQuery(), limit: 2) == [1, 2, 0])
        }
    }
}
