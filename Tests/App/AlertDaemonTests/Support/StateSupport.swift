import Delivery
import Engine
import EventLoop
import Events
import Foundation
import Market
import Replay
import Time

@testable import AlertDaemon
@testable import Storage

/// A folder of its own for one test, in memory where the system has a file system there.
final class StateFolderForTest: Sendable {
    let path: String

    init() {
        let shared = "/dev/shm/"
        let parent = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
        path = parent + "alertd-state-\(UUID().uuidString.prefix(8))"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { "\(path)/alertd.db" }

    /// Changes the version that SQLite's header says the file has.
    func setVersion(_ version: UInt8) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
        defer { try? handle.close() }
        try handle.seek(toOffset: 60)
        try handle.write(contentsOf: Data([0, 0, 0, version]))
    }
}

/// A sink that notes what it is given, and can refuse.
@LoopActor
final class RecordingSink: Sink {
    let name: String
    private(set) var events: [Event] = []
    private(set) var resumed: Int64?
    private(set) var cursor: Int64? = 0
    var counters: SinkCounters { SinkCounters() }
    /// Called with each event that it is given.
    var onEvent: (Event) -> Void = { _ in }
    /// It hands nothing on after the event of this number.
    var refusesAfter = Int64.max

    init(_ name: String = "stdout") {
        self.name = name
    }

    func resume(after number: Int64) {
        resumed = number
        cursor = number
    }

    func deliver(_ event: Event) {
        onEvent(event)
        guard event.number <= refusesAfter else { return }
        let isForAnother = event.occurrence.sink.map { $0 != name } ?? false
        if !isForAnother { events.append(event) }
        cursor = event.number
    }

    func flush() {}
    func outcome(of number: Int64) -> DeliveryOutcome {
        number <= refusesAfter ? .delivered(nil) : .failed("refused")
    }

    var numbers: [Int64] { events.map(\.number) }
    /// What happened, but for what happened to the store.
    var occurrences: [Occurrence] {
        events.map(\.occurrence).filter { $0.kind != .storeFailed && $0.kind != .storeRecovered }
    }
    var storeEvents: [EventKind] {
        events.map(\.occurrence.kind).filter { $0 == .storeFailed || $0 == .storeRecovered }
    }
}

/// The content of a store, read again.
struct Stored {
    var events: [Event]
    var engine: EngineSnapshot?
    var cursors: [String: Int64]
    var silences: SilenceList
    var rows: Int

    init(_ folder: StateFolderForTest) throws {
        let store = Store(folder: folder.path)
        _ = try store.open(at: ReplaySeries.time(of: 0).wall)
        defer { store.close() }
        let state = try store.restore(events: 100_000)
        let source = state.sources.first
        (events, cursors) = (state.events, state.cursors)
        silences = state.silences
        engine = source?.engine?.merged
        engine?.alerts.sort { "\($0.rule) \($0.symbol) \($0.bound)" < "\($1.rule) \($1.symbol) \($1.bound)" }
        rows =
            (source?.blocks ?? []).reduce(0) { $0 + $1.rowCount } + (source?.parts ?? []).reduce(0) { $0 + $1.rowCount }
    }
}

/// Continues a replay from the state in the folder for this many polls.
@LoopActor
func replay(
    _ folder: StateFolderForTest, polls: Int, sink: RecordingSink, seed: UInt64 = 1, from next: Int? = nil,
    stops: Bool = true
) throws -> Replay {
    let replay = try Replay(ReplaySeries(seed: seed), store: Store(folder: folder.path), sinks: [sink], next: next)
    for _ in 0..<polls { replay.step() }
    if stops { replay.pipeline.stop() }
    return replay
}
