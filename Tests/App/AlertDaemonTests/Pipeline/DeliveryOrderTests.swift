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
}
