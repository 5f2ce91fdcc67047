import EventLoop
import Events
import Replay
import TestSupport
import Testing

@testable import AlertDaemon
@testable import Storage

/// In which order sinks get events.
struct DeliveryOrderTests {
    /// Readers of the event socket, which is the first sink, must not wait until all events are in the journal.
    @Test func eachSinkHasAllEventsBeforeTheNextHasAny() async throws {
        let folder = StateFolderForTest()
        try await onLoop {
            let sinks = [RecordingSink("first"), RecordingSink("second")]
            var order: [String] = []
            for sink in sinks { sink.onEvent = { [name = sink.name] _ in order.append(name) } }
            let replay = try Replay(ReplaySeries(seed: 2), store: Store(folder: folder.path), sinks: sinks)
            var most = 0
            for _ in 0..<12 {
                order = []
                replay.step()
                most = max(most, order.count)
                #expect(order == order.sorted())
            }
            replay.pipeline.stop()
            #expect(most > 2, "no poll had several events")
        }
    }

    /// Old events are deleted, and no reader waits for that.
    @Test func oldEventsGoAfterTheNewOnesWereDelivered() async throws {
        let folder = StateFolderForTest()
        try await onLoop {
            let store = Store(folder: folder.path)
            let sink = RecordingSink("first")
            var kept = 0
            sink.onEvent = { _ in kept = (try? store.events(EventQuery()).events.count) ?? 0 }
            let replay = try Replay(ReplaySeries(seed: 2), store: store, sinks: [sink])
            replay.step()
            store.options.mostEvents = 3
            var most = 0
            for _ in 0..<12 {
                replay.step()
                most = max(most, kept)
                #expect(try store.events(EventQuery()).events.count <= 3)
            }
            replay.pipeline.stop()
            #expect(most > 3, "there were never too many")
        }
    }
}
