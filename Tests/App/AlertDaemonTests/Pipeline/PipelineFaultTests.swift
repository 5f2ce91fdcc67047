import Engine
import EventLoop
import Events
import Market
import Replay
import TestSupport
import Testing

@testable import AlertDaemon
@testable import Storage

/// Each call below SQLite fails once, one after another, under the whole pipeline.
@Suite("Faults below the pipeline", .timeLimit(.minutes(10)))
struct PipelineFaultTests {
    private static let polls = 12
    private static let series = ReplaySeries(seed: 2)

    /// What a run without faults gives.
    private struct Reference: Sendable {
        var occurrences: [Occurrence]
        var engine: EngineSnapshot?
        var rows: Int
    }

    @Test(arguments: [
        [FaultVFS.Operation.open, .delete, .access, .truncate, .sharedMemory], [.write], [.sync],
        [.lock, .sharedLock], [.read],
    ])
    func eachCallFailsOnce(operations: [FaultVFS.Operation]) async throws {
        let reference = try await reference()
        var last = 0
        for which in LongRun.numbers() {
            guard try await fails(operations, Int64(which), reference) else { break }
            last = which
        }
        #expect(last > 5)
    }

    private func reference() async throws -> Reference {
        let folder = StateFolderForTest()
        return try await onLoop {
            let sink = RecordingSink()
            _ = try replay(folder, polls: Self.polls + 2, sink: sink, seed: Self.series.seed)
            let stored = try Stored(folder)
            return Reference(occurrences: sink.occurrences, engine: stored.engine, rows: stored.rows)
        }
    }

    /// Lets one call fail; returns whether there was such a call.
    private func fails(
        _ operations: [FaultVFS.Operation], _ which: Int64, _ reference: Reference
    ) async throws -> Bool {
        let folder = StateFolderForTest()
        return try await onLoop {
            let vfs = FaultVFS()
            var options = StoreOptions()
            options.vfs = vfs.name
            let sink = RecordingSink()
            vfs.arm(operations, which: which, which % 2 == 0 ? .device : .noRoom)
            let replay = try Replay(Self.series, store: Store(folder: folder.path, options: options), sinks: [sink])
            for _ in 0..<Self.polls { replay.step() }
            let hasHit = vfs.hasHit
            vfs.disarm()
            for _ in 0..<2 { replay.step() }
            let what = "call \(which) of \(operations)"
            #expect(!replay.pipeline.stateStore.isDegraded, "\(what)")
            replay.pipeline.stop()
            try Self.check(folder, sink, reference, what)
            return hasHit
        }
    }

    @LoopActor
    private static func check(
        _ folder: StateFolderForTest, _ sink: RecordingSink, _ reference: Reference, _ what: String
    ) throws {
        let stored = try Stored(folder)
        let areNumbered = sink.numbers == Array(1...Int64(sink.events.count))
        #expect(areNumbered, "\(what): \(sink.numbers)")
        let areSame = sink.occurrences == reference.occurrences
        #expect(areSame, "what is notified does not depend on it: \(what)")
        let areStored = stored.events == sink.events
        #expect(areStored, "\(what)")
        let isSameState = stored.engine == reference.engine
        #expect(isSameState, "\(what)")
        #expect(stored.rows == reference.rows, "\(what)")
        #expect(stored.cursors == ["stdout": sink.numbers.last ?? 0], "\(what)")
        let isNotified = [[], [EventKind.storeFailed, .storeRecovered]].contains(sink.storeEvents)
        #expect(isNotified, "\(what): \(sink.storeEvents)")
    }
}
